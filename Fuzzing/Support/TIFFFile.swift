public import Foundation

/// A file in the structure of a TIFF (TIFF 6.0, section 2), as cameras lay out raw files and the notes in them.
public struct TIFFFile {
    public typealias Directory = [Entry]

    public struct Entry {
        let tag: Int
        let type: Int
        let count: Int
        let value: Value
    }

    enum Value {
        case number(Int)
        case bytes(Data)
        /// Bytes behind all directories, to which the value points.
        case places([Data])
        case directories([Directory])
    }

    private let isBigEndian: Bool
    private var file: Data
    /// The bytes that follow all directories, with the offsets at which theirs stand.
    private var rest: [(place: Int, data: Data)] = []

    private init(_ file: Data, isBigEndian: Bool) { (self.file, self.isBigEndian) = (file, isBigEndian) }

    /// Lays out a file whose first directory follows `head` at once.
    ///
    /// - Parameters:
    ///   - head: The bytes in front of the first directory. The offset of that directory is put into them at 4.
    ///   - chain: The directories, each of which points to the next one.
    public static func data(
        _ head: Data, _ chain: [Directory], isBigEndian: Bool = false, pointsToFirst: Bool = true
    ) -> Data {
        var writer = TIFFFile(head, isBigEndian: isBigEndian)
        let start = writer.append(chain[...])
        if pointsToFirst { writer.put(start, bytes: 4, at: 4) }
        for (place, data) in writer.rest { writer.put(writer.append(data), bytes: 4, at: place) }
        return writer.file
    }

    private func bytes(_ value: Int, _ count: Int) -> Data {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return Data(isBigEndian ? little.reversed() : little)
    }

    private mutating func put(_ value: Int, bytes count: Int, at offset: Int) {
        file.replaceSubrange(offset..<offset + count, with: bytes(value, count))
    }

    private mutating func append(_ data: Data) -> Int {
        if file.count % 2 == 1 { file.append(0) }
        defer { file += data }
        return file.count
    }

    private mutating func append(_ chain: ArraySlice<Directory>) -> Int {
        guard let directory = chain.first else { return 0 }
        let start = append(bytes(directory.count, 2) + Data(count: 12 * directory.count + 4))
        for (index, entry) in directory.enumerated() {
            let place = start + 2 + 12 * index
            put(entry.tag, bytes: 2, at: place)
            put(entry.type, bytes: 2, at: place + 2)
            put(entry.count, bytes: 4, at: place + 4)
            put(entry, at: place + 8)
        }
        put(append(chain.dropFirst()), bytes: 4, at: start + 2 + 12 * directory.count)
        return start
    }

    private mutating func put(_ entry: Entry, at place: Int) {
        switch entry.value {
        case .number(let number): put(number, bytes: entry.type == 3 ? 2 : 4, at: place)
        case .bytes(let data) where data.count <= 4: file.replaceSubrange(place..<place + data.count, with: data)
        case .bytes(let data): put(append(data), bytes: 4, at: place)
        case .places(let parts):
            let list = list(of: parts.count, at: place)
            for (index, part) in parts.enumerated() { rest.append((list + 4 * index, part)) }
        case .directories(let parts):
            let list = list(of: parts.count, at: place)
            for (index, part) in parts.enumerated() { put(append([part]), bytes: 4, at: list + 4 * index) }
        }
    }

    /// Returns the place of so many offsets: the entry itself, or bytes to which it points.
    private mutating func list(of count: Int, at place: Int) -> Int {
        guard count > 1 else { return place }
        let list = append(Data(count: 4 * count))
        put(list, bytes: 4, at: place)
        return list
    }
}

extension TIFFFile.Entry {
    public static func short(_ tag: Int, _ number: Int) -> Self {
        Self(tag: tag, type: 3, count: 1, value: .number(number))
    }

    public static func long(_ tag: Int, _ number: Int) -> Self {
        Self(tag: tag, type: 4, count: 1, value: .number(number))
    }

    public static func text(_ tag: Int, _ text: String) -> Self {
        let bytes = Data(text.utf8) + [0]
        return Self(tag: tag, type: 2, count: bytes.count, value: .bytes(bytes))
    }

    public static func bytes(_ tag: Int, _ bytes: Data) -> Self {
        Self(tag: tag, type: 7, count: bytes.count, value: .bytes(bytes))
    }

    public static func places(_ tag: Int, _ parts: Data...) -> Self {
        Self(tag: tag, type: 4, count: parts.count, value: .places(parts))
    }

    public static func directories(_ tag: Int, _ parts: [TIFFFile.Directory]) -> Self {
        Self(tag: tag, type: 4, count: parts.count, value: .directories(parts))
    }
}
