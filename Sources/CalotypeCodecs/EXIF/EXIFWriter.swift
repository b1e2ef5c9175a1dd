import Foundation

/// A writer of EXIF blocks (TIFF 6.0, section 2). Values keep the byte order of their source, so that they are copied
/// without knowing their meaning.
struct EXIFWriter {
    enum Place: Int, CaseIterable { case main, photo, place }

    private struct Entry {
        let tag: Int
        let type: Int
        let count: Int
        var value: [UInt8]
    }

    private let bigEndian: Bool
    private var room: Int
    private var directories: [Place: [Entry]] = [:]
    private var tags: [Place: Set<Int>] = [:]

    /// - Parameter limit: The maximum size in bytes. Values that do not fit are left out.
    init(bigEndian: Bool, limit: Int) {
        self.bigEndian = bigEndian
        // The header, and for each directory its count, its pointer in the first directory, and the pointer to the next.
        room = limit - 8 - 3 * 18
    }

    /// Whether the block would contain nothing but corrected numbers.
    private(set) var isEmpty = true

    mutating func add(_ tag: Int, short number: Int, to place: Place) {
        add(Entry(tag: tag, type: EXIFDirectory.short, count: 1, value: bytes(number, 2)), to: place)
    }

    mutating func add(_ tag: Int, long number: Int, to place: Place) {
        add(Entry(tag: tag, type: EXIFDirectory.long, count: 1, value: bytes(number, 4)), to: place)
    }

    mutating func add(_ tag: Int, text: [UInt8], to place: Place) {
        isEmpty = false
        add(Entry(tag: tag, type: EXIFDirectory.ascii, count: text.count + 1, value: text + [0]), to: place)
    }

    /// Copies a value of another block.
    mutating func add(_ value: EXIFDirectory.Value, of source: EXIFDirectory, to place: Place) {
        guard value.range.count <= room else { return }
        isEmpty = false
        add(
            Entry(tag: value.tag, type: value.type, count: value.count, value: source.bytes(of: value)), to: place)
    }

    /// Adds an entry, unless it does not fit or the directory has one with this tag.
    private mutating func add(_ entry: Entry, to place: Place) {
        let size = 12 + Self.outside(entry)
        guard size <= room, tags[place, default: []].insert(entry.tag).inserted else { return }
        room -= size
        directories[place, default: []].append(entry)
    }

    func assembled() -> Data {
        var directories = directories
        var starts: [Place: Int] = [:]
        var end = 8
        for place in Place.allCases {
            let pointers = place == .main ? Place.allCases.count { $0 != .main && directories[$0] != nil } : 0
            let entries = directories[place] ?? []
            guard !entries.isEmpty || pointers > 0 || place == .main else { continue }
            starts[place] = end
            end += 2 + 12 * (entries.count + pointers) + 4 + entries.reduce(0) { $0 + Self.outside($1) }
        }
        for (place, tag) in [(Place.photo, EXIFDirectory.photoTag), (.place, EXIFDirectory.placeTag)] {
            guard let start = starts[place] else { continue }
            let pointer = Entry(tag: tag, type: EXIFDirectory.long, count: 1, value: bytes(start, 4))
            directories[.main, default: []].append(pointer)
        }
        var block = Data(bigEndian ? "MM\0*".utf8 : "II*\0".utf8) + bytes(8, 4)
        for place in Place.allCases {
            if let start = starts[place] { block += directory(directories[place] ?? [], at: start) }
        }
        return block
    }

    private func directory(_ entries: [Entry], at start: Int) -> Data {
        var (directory, values) = (Data(bytes(entries.count, 2)), Data())
        let valueStart = start + 2 + 12 * entries.count + 4
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            directory += bytes(entry.tag, 2) + bytes(entry.type, 2) + bytes(entry.count, 4)
            if entry.value.count <= 4 {
                directory += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
            } else {
                directory += bytes(valueStart + values.count, 4)
                // Values begin at even offsets.
                values += entry.value + [UInt8](repeating: 0, count: entry.value.count % 2)
            }
        }
        // No other directory follows: the next one would describe a thumbnail.
        return directory + bytes(0, 4) + values
    }

    /// Returns the bytes of a value outside of its entry, which has room for four.
    private static func outside(_ entry: Entry) -> Int {
        entry.value.count <= 4 ? 0 : entry.value.count + entry.value.count % 2
    }

    private func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        return bigEndian ? little.reversed() : little
    }
}
