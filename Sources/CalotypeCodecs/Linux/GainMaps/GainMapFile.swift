import Foundation

/// A JPEG with a gain map: the base, whose segments name the map, and the map's own JPEG behind it.
///
/// Both forms of the numbers are written, that of ISO 21496-1 and that of Ultra HDR, and both indices, because readers know one or
/// the other.
struct GainMapFile {
    /// The JPEG of the base.
    let base: Data
    let map: GainMap
    /// The quality of the map's JPEG.
    private let quality: Int

    /// - Parameters:
    ///   - gamut: The gamut of the base.
    ///   - percent: The quality of the base.
    init(base: Data, map: GainMap, in gamut: ColorGamut, quality percent: Int) throws(CodecError) {
        self.base = base
        (self.map, quality) = try map.prepared(besideQuality: percent, in: gamut, losing: 1.5...2.5)
    }

    // Texts, because the leak check of the fuzzer takes constant Data of this length for lost memory.
    private static let xmpName = "http://ns.adobe.com/xap/1.0/\0"
    private static let isoName = "urn:iso:std:iso:ts:21496:-1\0"

    /// Returns the file of an image and its map, which has just the samples for it.
    func write() throws(CodecError) -> Data {
        let image = try mapFile()
        let start = base.segmentsStart
        var more = Data()
        // XMP cannot say that the gain applies to other colors.
        if map.profile == nil {
            more.append(segment: 0xE1, Data((Self.xmpName + GainMapNumbers.xmp(ofBaseBefore: image.count)).utf8))
        }
        // The versions that a reader needs, and that the writer knows.
        more.append(segment: 0xE2, Data(Self.isoName.utf8) + [0, 0, 0, 0])
        let size = base.count + more.count + Self.indexBytes
        more.append(segment: 0xE2, index(base: size, map: image.count, at: start + more.count))
        return base.prefix(start) + more + base.dropFirst(start) + image
    }

    private func mapFile() throws(CodecError) -> Data {
        // The colors of a gain are softer than those of an image.
        let encoder = JPEGEncoder(quality: quality, keepsColors: quality >= 90, isGray: map.isGray)
        let jpeg = try encoder.encode(map.samples)
        let start = jpeg.segmentsStart
        var more = Data()
        if let profile = map.profile {
            more.append(segment: 0xE2, Data("ICC_PROFILE\0\u{1}\u{1}".utf8) + profile)
        } else {
            more.append(segment: 0xE1, Data((Self.xmpName + map.numbers.xmp).utf8))
        }
        more.append(segment: 0xE2, Data(Self.isoName.utf8) + map.numbers.iso)
        return jpeg.prefix(start) + more + jpeg.dropFirst(start)
    }

    /// The size of the segment with the index.
    private static let indexBytes = 2 + 2 + 4 + 8 + 2 + 3 * 12 + 4 + 2 * 16

    /// Returns the index of both images (CIPA DC-007).
    ///
    /// - Parameter place: The offset of its segment in the file.
    private func index(base: Int, map: Int, at place: Int) -> Data {
        var index = Data("MPF\0MM\0*".utf8)
        func add(_ number: Int, _ bytes: Int) { index.appendBigEndian(number, bytes: bytes) }
        func add(tag: Int, type: Int, count: Int) {
            add(tag, 2)
            add(type, 2)
            add(count, 4)
        }
        add(8, 4)
        add(3, 2)
        add(tag: 0xB000, type: 7, count: 4)
        index.append(contentsOf: "0100".utf8)
        add(tag: 0xB001, type: 4, count: 1)
        add(2, 4)
        add(tag: 0xB002, type: 7, count: 2 * 16)
        // Behind the directory and the offset of the next, which there is not.
        add(8 + 2 + 3 * 12 + 4, 4)
        add(0, 4)
        // Offsets count from the order of bytes, behind the marker, the length and the name.
        let entries = [(0x030000, base, 0), (0, map, base - place - 8)]
        for (kind, size, offset) in entries {
            add(kind, 4)
            add(size, 4)
            add(offset, 4)
            add(0, 4)
        }
        return index
    }
}

extension Data {
    /// The offset in a JPEG behind the segments that have to come first: those of JFIF and of EXIF.
    fileprivate var segmentsStart: Int {
        reading { bytes in
            let file = ByteReader(bytes)
            var offset = 2
            while let marker = file.uint16(at: offset), let length = file.uint16(at: offset + 2),
                marker == 0xFFE0 || marker == 0xFFE1
            {
                offset += 2 + length
            }
            return offset
        }
    }

    fileprivate mutating func append(segment code: UInt8, _ content: Data) {
        append(contentsOf: [0xFF, code])
        appendBigEndian(content.count + 2, bytes: 2)
        append(content)
    }
}
