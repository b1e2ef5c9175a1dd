/// A format that is known here and may have no decoder, so that its files end in an error that names it.
struct MissingFormat {
    /// As people call it.
    let name: String
    /// The package trait that brings its decoder.
    let trait: String

    /// Returns `nil` for bytes that look like nothing known.
    init?(_ file: ByteReader) {
        guard let format = Self.all.first(where: { $0.recognises(file) }) else { return nil }
        (name, trait) = (format.name, format.trait)
    }

    /// TGA comes last, since it is told by what is likely.
    private static let all: [(name: String, trait: String, recognises: @Sendable (ByteReader) -> Bool)] = [
        ("HEIC", "HEIF", { $0.isHEIF }), ("JPEG XL", "JPEGXL", { $0.isJPEGXL }), ("SVG", "SVG", { $0.isSVG }),
        ("BMP", "LongTail", { $0.isBMP }), ("ICO", "LongTail", { $0.isICO }), ("TIFF", "LongTail", { $0.isTIFF }),
        ("PNM", "LongTail", { $0.isPNM }), ("TGA", "LongTail", { $0.isTGA }),
    ]

    var error: CodecError {
        CodecError(.unsupported, "\(name) is not supported by this build\(Self.remedy(trait: trait))")
    }
}
