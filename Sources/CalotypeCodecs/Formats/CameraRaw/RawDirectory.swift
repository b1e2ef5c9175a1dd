/// The structure of a TIFF (TIFF 6.0, section 2), or of a raw file that differs from one in its first bytes.
struct RawTIFF {
    let file: ByteReader
    let bigEndian: Bool
    /// The offset in the file from which offsets count.
    let base: Int

    init(_ file: ByteReader, bigEndian: Bool, base: Int) {
        (self.file, self.bigEndian, self.base) = (file, bigEndian, base)
    }

    /// Returns `nil` if neither the header of a TIFF nor one like it is at `base`.
    init?(_ file: ByteReader, base: Int = 0) {
        guard let bigEndian = EXIFDirectory.isBigEndian(file.slice(min(base, file.count)..<file.count)) else {
            return nil
        }
        self.init(file, bigEndian: bigEndian, base: base)
    }

    /// The offset of the first directory in the file.
    var start: Int? { number(at: base + 4, bytes: 4).map { base + $0 } }

    var first: RawDirectory? { start.flatMap { RawDirectory(self, at: $0) } }

    func number(at offset: Int, bytes: Int) -> Int? {
        switch bytes {
        case 1: file.uint8(at: offset)
        case 2: file.uint16(at: offset, bigEndian: bigEndian)
        default: file.uint32(at: offset, bigEndian: bigEndian)
        }
    }
}

/// A directory in the structure of a TIFF, read once.
///
/// It keeps the tags by which a preview is found. Of more than 1,024 entries it reads the first ones: cameras write at most some
/// 100, and each directory of a hostile file could have 65,535.
struct RawDirectory {
    enum Tag {
        static let (kind, width, height, compression, meaning, maker) = (254, 256, 257, 259, 262, 271)
        static let (stripOffsets, orientation, stripLengths) = (273, 274, 279)
        static let (tileOffsets, tileLengths, parts) = (324, 325, 330)
        static let (jpegOffset, jpegLength) = (513, 514)
        static let (photo, makerNote, dngVersion) = (34665, 37500, 50706)
        /// A JPEG as the value of a tag, in the files of Panasonic and Leica.
        static let (jpeg, largerJPEG) = (0x2E, 0x127)
    }

    static let entryLimit = 1024
    /// The number of directories to which one tag may point. Cameras write at most five.
    static let partLimit = 16

    let tiff: RawTIFF
    /// The offset of the directory after this one; `nil` if this is the last.
    let next: Int?
    private var fields: [Int: Field] = [:]

    private struct Field {
        let type: Int
        let count: Int
        /// The offset of the value, which may lie outside the file.
        let place: Int
        /// The number in the entry itself, which is the value or its offset.
        let word: Int
    }

    /// Returns `nil` if the directory lies outside the file.
    init?(_ tiff: RawTIFF, at start: Int) {
        guard let count = tiff.number(at: start, bytes: 2) else { return nil }
        self.tiff = tiff
        let next = tiff.number(at: start + 2 + 12 * count, bytes: 4)
        self.next = next.flatMap { $0 > 0 ? tiff.base + $0 : nil }
        for index in 0..<min(count, Self.entryLimit) {
            let entry = start + 2 + 12 * index
            guard let tag = tiff.number(at: entry, bytes: 2), let type = tiff.number(at: entry + 2, bytes: 2),
                let count = tiff.number(at: entry + 4, bytes: 4), let word = tiff.number(at: entry + 8, bytes: 4)
            else { return }
            let isInEntry = count * EXIFDirectory.bytes(ofType: type) <= 4
            if fields[tag] == nil {
                fields[tag] = Field(
                    type: type, count: count, place: isInEntry ? entry + 8 : tiff.base + word, word: word)
            }
        }
    }

    /// Returns the only value of a numeric tag; `nil` if the tag is absent, or has several values.
    func number(_ tag: Int) -> Int? {
        guard let field = fields[tag], field.count == 1 else { return nil }
        let size = EXIFDirectory.bytes(ofType: field.type)
        return [1, 2, 4].contains(size) ? tiff.number(at: field.place, bytes: size) : nil
    }

    func text(_ tag: Int) -> [UInt8]? {
        guard let range = range(tag), fields[tag]?.type == EXIFDirectory.ascii, range.upperBound <= tiff.file.count
        else { return nil }
        return tiff.file.slice(range).copy()
    }

    /// Returns the range of a tag's bytes, which may lie outside the file.
    func range(_ tag: Int) -> Range<Int>? {
        guard let field = fields[tag] else { return nil }
        return field.place..<field.place + field.count * EXIFDirectory.bytes(ofType: field.type)
    }

    /// Returns the range with this offset and length, which may lie outside the file.
    func range(at offsetTag: Int, _ lengthTag: Int) -> Range<Int>? {
        guard let offset = number(offsetTag), let length = number(lengthTag), length > 0 else { return nil }
        return tiff.base + offset..<tiff.base + offset + length
    }

    /// Returns the offset of the directory that a tag contains or points to.
    func directoryStart(_ tag: Int) -> Int? { fields[tag].map { tiff.base + $0.word } }

    /// Returns the offsets of the directories to which a tag points.
    func directoryStarts(_ tag: Int) -> [Int] {
        guard let field = fields[tag] else { return [] }
        return (0..<min(field.count, Self.partLimit)).compactMap { index in
            tiff.number(at: field.place + 4 * index, bytes: 4).map { tiff.base + $0 }
        }
    }
}

extension RawDirectory {
    /// Whether this is the first directory of a raw file: it has the version of DNG, or the samples of a sensor, or an image
    /// that is larger than its own. Other TIFFs have smaller ones, if any, or thumbnails that are larger than a small image.
    var isRaw: Bool {
        let parts = directoryStarts(Tag.parts).compactMap { RawDirectory(tiff, at: $0) }
        return fields[Tag.dngVersion] != nil || hasSensor
            || parts.contains { $0.hasSensor || !$0.isReduced && $0.pixelCount > pixelCount }
    }

    /// Whether the image is one of reduced size.
    private var isReduced: Bool { (number(Tag.kind) ?? 0) & 1 == 1 }

    /// Whether the samples are those of a sensor, each of one color (32803) or of all (34892).
    private var hasSensor: Bool { [32803, 34892].contains(number(Tag.meaning)) }

    private var pixelCount: Double { Double(number(Tag.width) ?? 0) * Double(number(Tag.height) ?? 0) }
}
