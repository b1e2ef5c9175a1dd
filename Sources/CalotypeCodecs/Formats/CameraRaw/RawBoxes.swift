/// The boxes of Canon's CR3 (ISO/IEC 14496-12), and the places of JPEGs in them.
///
/// Boxes lie in each other to a fixed depth, and on each level the first 64 are read: Canon writes at most some ten.
struct RawBoxes {
    /// The ranges of JPEGs, which may lie outside the file.
    private(set) var places: [Range<Int>] = []
    /// The EXIF blocks of the image, of the exposure and of the place.
    private(set) var (image, exposure, position): (Range<Int>?, Range<Int>?, Range<Int>?)

    private let file: ByteReader
    private static let limit = 64

    static func areIn(_ file: ByteReader) -> Bool { file.hasBrand(["crx "]) }

    init(_ file: ByteReader) {
        self.file = file
        for box in boxes(in: 0..<file.count) {
            switch box.name {
            case "moov": readMovie(box.content)
            // After the type of 16 bytes: two numbers, and a box with the preview.
            case "uuid" where file.uint32(at: box.content.lowerBound) == 0xEAF4_2B5E:
                places += boxes(in: box.content.dropFirst(24)).filter { $0.name == "PRVW" }.map {
                    Self.jpeg($0.content)
                }
            default: break
            }
        }
    }

    /// The orientation of the image, from 1 to 8; `nil` if there is none.
    var orientation: Int? {
        let value = image.flatMap { EXIFDirectory(file.slice($0))?.number(RawDirectory.Tag.orientation) }
        return value.flatMap { (1...8).contains($0) ? $0 : nil }
    }

    private mutating func readMovie(_ movie: Range<Int>) {
        for box in boxes(in: movie) {
            switch box.name {
            case "trak": if let sample = firstSample(ofTrack: box.content) { places.append(sample) }
            case "uuid" where file.uint32(at: box.content.lowerBound) == 0x85C0_B687:
                readPhoto(box.content.dropFirst(16))
            default: break
            }
        }
    }

    private mutating func readPhoto(_ photo: Range<Int>) {
        for box in boxes(in: photo) {
            switch box.name {
            case "CMT1": image = box.content
            case "CMT2": exposure = box.content
            case "CMT4": position = box.content
            case "THMB": places.append(Self.jpeg(box.content))
            default: break
            }
        }
    }

    /// Returns the place of the JPEG in a THMB or PRVW, behind its size and its length.
    private static func jpeg(_ content: Range<Int>) -> Range<Int> { content.dropFirst(16) }

    /// Returns the place of a track's first sample: the whole image in the first track, those of a sensor in the others.
    private func firstSample(ofTrack track: Range<Int>) -> Range<Int>? {
        let table = ["mdia", "minf", "stbl"].reduce(Optional(track)) { parent, name in
            parent.flatMap { parent in boxes(in: parent).first { $0.name == name }?.content }
        }
        guard let table else { return nil }
        let parts = boxes(in: table)
        guard let sizes = parts.first(where: { $0.name == "stsz" })?.content.lowerBound,
            let offsets = parts.first(where: { $0.name == "co64" || $0.name == "stco" }),
            let common = file.uint32(at: sizes + 4), let own = common > 0 ? common : file.uint32(at: sizes + 12),
            let start = offset(offsets)
        else { return nil }
        return start..<start + own
    }

    /// Returns the first offset of a table, behind a version and the number of offsets. No file has 2^32 bytes or more here.
    private func offset(_ table: Boxes.Box) -> Int? {
        let start = table.content.lowerBound + 8
        guard table.name == "co64" else { return file.uint32(at: start) }
        return file.uint32(at: start) == 0 ? file.uint32(at: start + 4) : nil
    }

    private func boxes(in range: Range<Int>) -> [Boxes.Box] {
        Array(Boxes(file, range, acceptsCutBoxes: true).prefix(Self.limit))
    }
}
