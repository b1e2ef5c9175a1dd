/// A camera's raw file, which no decoder reads. Many have the structure of a TIFF, whose first image is a small preview.
struct CameraRaw {
    /// The maker, such as "NIKON CORPORATION"; `nil` if the file does not name it.
    private let maker: String?

    init?(_ file: ByteReader) {
        if let known = Self.signatures.first(where: { file.has($0.bytes, at: $0.offset) }) {
            maker = known.maker
        } else if file.hasBrand(["crx "]) {
            maker = "Canon"
        } else if let main = EXIFDirectory(file), main.isRaw || file.has("CR", at: 8) {
            maker = Self.name(main.text(Tag.maker))
        } else {
            return nil
        }
    }

    var error: CodecError {
        CodecError(.unsupported, "camera RAW\(maker.map { " (\($0))" } ?? "") is not supported")
    }

    /// The beginnings of files that are no TIFF.
    private static let signatures: [(bytes: StaticString, offset: Int, maker: String)] = [
        ("FUJIFILMCCD-RAW", 0, "Fujifilm"), ("IIRO", 0, "Olympus"), ("IIRS", 0, "Olympus"), ("MMOR", 0, "Olympus"),
        ("IIU\0", 0, "Panasonic"), ("HEAPCCDR", 6, "Canon"), ("FOVb", 0, "Sigma"), ("\0MRM", 0, "Minolta"),
    ]

    private static func name(_ text: [UInt8]?) -> String? {
        let bytes = (text ?? []).prefix(40).prefix { (0x20...0x7E).contains($0) }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    fileprivate enum Tag {
        static let (width, height, meaning, maker, parts, dngVersion) = (256, 257, 262, 271, 330, 50706)
    }
}

extension EXIFDirectory {
    /// Whether this is the first directory of a raw file: it has the version of DNG, or the samples of a sensor, or an image
    /// that is larger than its own. Other TIFFs have smaller ones, if any.
    fileprivate var isRaw: Bool {
        let parts = directories(at: CameraRaw.Tag.parts)
        return number(CameraRaw.Tag.dngVersion) != nil || hasSensor
            || parts.contains { $0.hasSensor || $0.pixelCount > pixelCount }
    }

    /// Whether the samples are those of a sensor, each of one color (32803) or of all (34892).
    private var hasSensor: Bool { [32803, 34892].contains(number(CameraRaw.Tag.meaning)) }

    private var pixelCount: Double {
        Double(number(CameraRaw.Tag.width) ?? 0) * Double(number(CameraRaw.Tag.height) ?? 0)
    }
}
