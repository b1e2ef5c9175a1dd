/// A format that is known here and may have no decoder, so that its files end in an error that names it.
package struct MissingFormat {
    /// As people call it.
    let name: String
    /// The package trait that brings its decoder.
    let trait: String

    /// Returns `nil` for bytes that look like nothing known.
    init?(_ file: ByteReader) {
        guard let format = Self.all.first(where: { $0.recognises(file) }) else { return nil }
        (name, trait) = (format.name, format.trait)
    }

    /// The names of the formats that each trait brings.
    package static var formatsByTrait: [(trait: String, formats: [String])] {
        ["HEIF", "JPEGXL", "SVG", "LongTail"].map { trait in (trait, all.filter { $0.trait == trait }.map(\.name)) }
    }

    /// The traits that this build has.
    package static let builtTraits: Set<String> = {
        var traits: Set<String> = []
        #if HEIF
            traits.insert("HEIF")
        #endif
        #if JPEGXL
            traits.insert("JPEGXL")
        #endif
        #if SVG
            traits.insert("SVG")
        #endif
        #if LongTail
            traits.insert("LongTail")
        #endif
        return traits
    }()

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
