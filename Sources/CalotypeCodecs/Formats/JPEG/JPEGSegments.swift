/// The segments before the first scan of a JPEG.
///
/// Parsed in Swift, so that no C library reads the header of an untrusted file in the program's process.
struct JPEGSegments {
    /// The frame header (SOF) of ITU T.81, B.2.2.
    struct Frame {
        var process: Int
        var precision: Int
        var width: Int
        var height: Int
        /// The horizontal and vertical sampling factors of each component.
        var sampling: [(horizontal: Int, vertical: Int)]
    }

    private(set) var frame: Frame?
    /// The EXIF orientation, 1 to 8.
    private(set) var orientation = 1
    /// The range of the EXIF segment's content in the file.
    private(set) var exif: Range<Int>?
    /// The number of components in the first scan. If the frame has more, the image is stored in several scans.
    private(set) var firstScanComponents = 0
    /// The offset of the first scan's data, after its header. The end of the bytes if there is no scan.
    private(set) var scanOffset: Int

    /// The range of the first XMP segment's content in the file.
    private(set) var xmp: Range<Int>?
    /// The range of what ISO 21496-1 adds, behind its name: a version in front of an image with a gain map, and the numbers in the
    /// image of the map.
    private(set) var gainMap: Range<Int>?
    /// Whether a segment begins content credentials (C2PA).
    private(set) var hasCredentials = false
    /// The range of the index of further images in the file (CIPA DC-007), behind its name.
    private(set) var furtherImages: Range<Int>?

    private var profileChunks: [Int: Range<Int>] = [:]
    private var profileChunkCount = 0
    private let bytes: ByteReader

    init?(_ bytes: ByteReader) {
        guard bytes.uint16(at: 0) == 0xFFD8, bytes.uint8(at: 2) == 0xFF else { return nil }
        self.bytes = bytes
        scanOffset = bytes.count
        walk()
    }

    /// Returns the ICC profile, assembled from its chunks, or `nil` if it is absent or a chunk is missing.
    func profile() -> ColorProfile? {
        guard profileChunkCount > 0, profileChunks.count == profileChunkCount else { return nil }
        var profile: [UInt8] = []
        for number in 1...profileChunkCount {
            guard let range = profileChunks[number] else { return nil }
            profile += bytes.slice(range).copy()
        }
        return ColorProfile(profile)
    }

    /// Whether an end-of-image marker follows the first scan's header. The data of a scan never contains the marker's
    /// two bytes.
    var hasEnd: Bool {
        var offset = bytes.count - 2
        while offset > scanOffset {
            if bytes.uint16(at: offset) == 0xFFD9 { return true }
            offset -= 1
        }
        return false
    }

    // MARK: - Parsing

    private mutating func walk() {
        var offset = 2
        while let marker = nextMarker(from: &offset) {
            // The markers without content.
            if marker == 0x01 || (0xD0...0xD9).contains(marker) { continue }
            guard let length = bytes.uint16(at: offset), length >= 2 else { return }
            let content = offset + 2..<offset + length
            guard content.upperBound <= bytes.count else { return }
            if marker == 0xDA {
                firstScanComponents = bytes.uint8(at: content.lowerBound) ?? 0
                scanOffset = content.upperBound
                return
            }
            read(marker, content)
            offset = content.upperBound
        }
    }

    /// Returns the next marker, after skipping fill bytes and the garbage that some cameras write between segments.
    private func nextMarker(from offset: inout Int) -> Int? {
        while let byte = bytes.uint8(at: offset), let next = bytes.uint8(at: offset + 1) {
            offset += 1
            if byte == 0xFF, next != 0, next != 0xFF {
                offset += 1
                return next
            }
        }
        return nil
    }

    private mutating func read(_ marker: Int, _ content: Range<Int>) {
        let segment = bytes.slice(content)
        switch marker {
        case 0xE1 where exif == nil && segment.has("Exif\0\0", at: 0):
            exif = content
            orientation = EXIFOrientation.read(segment)
        case 0xE1 where xmp == nil && segment.has("http://ns.adobe.com/xap/1.0/\0", at: 0): xmp = content
        case 0xE2 where segment.has("ICC_PROFILE\0", at: 0):
            readProfileChunk(segment, content)
        case 0xE2 where gainMap == nil && segment.has(GainMapNumbers.isoName, at: 0):
            gainMap = content.dropFirst(GainMapNumbers.isoName.utf8CodeUnitCount)
        case 0xE2 where furtherImages == nil && segment.has("MPF\0", at: 0): furtherImages = content.dropFirst(4)
        // Behind the marker of JPEG XT, the number of the box and that of the part (ISO/IEC 19566-5, annex D).
        case 0xEB where segment.has("JP", at: 0) && segment.isManifestStore(at: 8): hasCredentials = true
        // The SOF markers. DHT (C4), JPG (C8) and DAC (CC) lie in the same range.
        case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker) && frame == nil:
            frame = Frame(marker, segment)
        default: break
        }
    }

    /// Reads a chunk of a profile (ICC.1, annex B.4): the chunk's number, starting at 1, and the number of all chunks.
    private mutating func readProfileChunk(_ segment: ByteReader, _ content: Range<Int>) {
        guard let number = segment.uint8(at: 12), let count = segment.uint8(at: 13), number >= 1 else { return }
        profileChunkCount = count
        profileChunks[number] = content.lowerBound + 14..<content.upperBound
    }
}

extension JPEGSegments.Frame {
    fileprivate init?(_ marker: Int, _ segment: ByteReader) {
        guard let precision = segment.uint8(at: 0), let height = segment.uint16(at: 1),
            let width = segment.uint16(at: 3), let components = segment.uint8(at: 5), components > 0
        else { return nil }
        self.init(process: marker, precision: precision, width: width, height: height, sampling: [])
        for index in 0..<components {
            guard let factors = segment.uint8(at: 7 + 3 * index) else { return nil }
            sampling.append((max(1, factors >> 4), max(1, factors & 15)))
        }
    }

    /// Whether the frame is sequential or progressive, Huffman or arithmetic, with 8 bits and 1, 3 or 4 components.
    var isSupported: Bool {
        [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(process) && precision == 8 && [1, 3, 4].contains(sampling.count)
    }

    var isProgressive: Bool { process == 0xC2 || process == 0xCA }

    var isCMYK: Bool { sampling.count == 4 }

    /// The number of samples per pixel: 1.5 for two color channels at half the size in both directions.
    var samplesPerPixel: Double {
        let horizontal = sampling.map(\.horizontal).max() ?? 1
        let vertical = sampling.map(\.vertical).max() ?? 1
        return sampling.reduce(0) {
            $0 + Double($1.horizontal * $1.vertical) / Double(horizontal * vertical)
        }
    }
}
