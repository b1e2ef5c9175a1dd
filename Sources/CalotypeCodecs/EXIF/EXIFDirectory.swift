/// A directory of an EXIF block (TIFF 6.0, section 2): entries of a tag, a type, a count, and a value or its offset.
struct EXIFDirectory {
    /// The block, starting at its TIFF header. Offsets in the block are relative to that header.
    private let tiff: ByteReader
    private let start: Int
    private let entries: Int
    let bigEndian: Bool

    /// Finds the first directory, or returns `nil` if the bytes are not an EXIF block.
    ///
    /// - Parameter exif: A TIFF header with its content, optionally preceded by JPEG's "Exif" prefix.
    init?(_ exif: ByteReader) {
        let tiff = exif.has("Exif\0\0", at: 0) ? exif.slice(Self.prefixBytes..<exif.count) : exif
        guard let bigEndian = Self.isBigEndian(tiff), let start = tiff.uint32(at: 4, bigEndian: bigEndian)
        else { return nil }
        self.init(tiff, start, bigEndian)
    }

    private init?(_ tiff: ByteReader, _ start: Int, _ bigEndian: Bool) {
        guard let entries = tiff.uint16(at: start, bigEndian: bigEndian) else { return nil }
        (self.tiff, self.start, self.entries, self.bigEndian) = (tiff, start, entries, bigEndian)
    }

    /// The length of the "Exif" prefix in a JPEG.
    static let prefixBytes = 6

    /// Returns whether the bytes are big-endian, or `nil` if they are not a TIFF header.
    ///
    /// The headers of Olympus ("MMOR", "IIRO", "IIRS") and Panasonic ("IIU") have other numbers in place of 42.
    static func isBigEndian(_ tiff: ByteReader) -> Bool? {
        if tiff.has("MM\0*", at: 0) || tiff.has("MMOR", at: 0) { return true }
        let isLittleEndian = ["II*\0", "IIRO", "IIRS", "IIU\0"].contains { (start: StaticString) in
            tiff.has(start, at: 0)
        }
        return isLittleEndian ? false : nil
    }

    var blockBytes: Int { tiff.count }

    /// A value and its place in the block.
    struct Value {
        let tag: Int
        let type: Int
        let count: Int
        let range: Range<Int>
    }

    /// The values that lie within the block, of the types of TIFF and EXIF 3. Values of other types are left out.
    var values: [Value] {
        (0..<entries).compactMap { index in
            let entry = start + 2 + 12 * index
            guard let tag = tiff.uint16(at: entry, bigEndian: bigEndian), let type = type(of: entry),
                let size = Self.sizes[type], let count = tiff.uint32(at: entry + 4, bigEndian: bigEndian),
                let place = count * size <= 4 ? entry + 8 : tiff.uint32(at: entry + 8, bigEndian: bigEndian),
                place <= tiff.count, count * size <= tiff.count - place
            else { return nil }
            return Value(tag: tag, type: type, count: count, range: place..<place + count * size)
        }
    }

    func bytes(of value: Value) -> [UInt8] { tiff.slice(value.range).copy() }

    func reader(of value: Value) -> ByteReader { tiff.slice(value.range) }

    /// Returns the directory to which a tag points, or `nil` if the tag is absent.
    func directory(at tag: Int) -> EXIFDirectory? {
        guard let entry = entry(tag), let start = tiff.uint32(at: entry + 8, bigEndian: bigEndian) else { return nil }
        return EXIFDirectory(tiff, start, bigEndian)
    }

    /// The tags that point to the directory of the exposure and to that of the place (GPS).
    static let (photoTag, placeTag) = (0x8769, 0x8825)

    /// The sizes of the types' elements in bytes. Type 129 is UTF-8.
    private static let sizes = [
        1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 129: 1,
    ]

    /// Returns the size of a type's elements in bytes: 4 for the offset of a directory (13), and 0 for unknown types.
    static func bytes(ofType type: Int) -> Int { type == 13 ? 4 : sizes[type] ?? 0 }

    /// The directory after this one, or `nil` if this is the last. The second directory describes the thumbnail.
    var next: EXIFDirectory? {
        guard let next = tiff.uint32(at: start + 2 + 12 * entries, bigEndian: bigEndian), next > 0 else { return nil }
        return EXIFDirectory(tiff, next, bigEndian)
    }

    /// Returns the value of a numeric tag, or `nil` if the tag is absent.
    func number(_ tag: Int) -> Int? {
        guard let entry = entry(tag) else { return nil }
        return type(of: entry) == Self.long
            ? tiff.uint32(at: entry + 8, bigEndian: bigEndian) : tiff.uint16(at: entry + 8, bigEndian: bigEndian)
    }

    /// Returns the bytes of a text tag, including the final NUL, or `nil` if the tag is absent or damaged.
    func text(_ tag: Int) -> [UInt8]? {
        guard let entry = entry(tag), type(of: entry) == Self.ascii,
            let count = tiff.uint32(at: entry + 4, bigEndian: bigEndian),
            let place = count <= 4 ? entry + 8 : tiff.uint32(at: entry + 8, bigEndian: bigEndian),
            place <= tiff.count, count <= tiff.count - place
        else { return nil }
        return tiff.slice(place..<place + count).copy()
    }

    static let ascii = 2
    static let short = 3
    static let long = 4
    static let rational = 5

    private func type(of entry: Int) -> Int? { tiff.uint16(at: entry + 2, bigEndian: bigEndian) }

    private func entry(_ tag: Int) -> Int? {
        for index in 0..<entries {
            let entry = start + 2 + 12 * index
            guard let found = tiff.uint16(at: entry, bigEndian: bigEndian) else { return nil }
            if found == tag { return entry }
        }
        return nil
    }
}
