/// A known format for which this build, or any, has no decoder, to be named in an error.
package struct MissingFormat {
    let error: CodecError

    init?(_ file: ByteReader) {
        if let raw = CameraRaw(file) {
            error = raw.error
            return
        }
        guard let format = Self.all.first(where: { $0.recognizes(file) }) else { return nil }
        error = CodecError(
            .unsupported,
            format.trait.map { "\(format.name) is not supported by this build\(Self.readingRemedy(trait: $0))" }
                ?? "no registered decoder reads \(format.name)")
    }

    /// The formats of all traits, and those whose decoder a program or a platform may lack. TGA is last, because it has no
    /// signature.
    private static let all: [(name: String, trait: String?, recognizes: @Sendable (ByteReader) -> Bool)] = [
        ("HEIC", "HEIF", { $0.isHEIF }), ("JPEG XL", "JPEGXL", { $0.isJPEGXL }), ("SVG", "SVG", { $0.isSVG }),
        ("TIFF", "TIFF", { $0.isTIFF }), ("BMP", nil, { $0.isBMP }), ("ICO", nil, { $0.isICO }),
        ("PNM", nil, { $0.isPNM }), ("TGA", nil, { $0.isTGA }),
    ]
}

extension CodecError {
    /// Returns an error that names a known kind of file for which there is no decoder in any build, or `nil`.
    static func otherKind(_ file: ByteReader) -> CodecError? {
        let kinds: [(name: String, isMatch: Bool)] = [
            ("AVIF or HEIF in a minimized box (mini)", file.hasBrand(["mif3"])),
            ("a Photoshop document (PSD)", file.has("8BPS", at: 0)), ("PDF", file.has("%PDF-", at: 0)),
            ("a WebM or Matroska video", file.uint32(at: 0) == 0x1A45_DFA3),
            (
                "an MP4 or QuickTime video",
                file.hasBrand([
                    "isom", "iso2", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "dash", "M4V ", "M4VH", "qt  ",
                ])
            ),
        ]
        return kinds.first(where: \.isMatch).map { CodecError(.unsupported, "\($0.name) is not supported") }
    }
}
