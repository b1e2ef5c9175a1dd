extension DecoderRegistry {
    /// JPEG, PNG, WebP, AVIF, GIF and QOI, and what the package's traits add.
    public static let standard = DecoderRegistry(
        traits + [
            QOIDecoder(), GIFDecoder(), AVIFDecoder(), WebPDecoder(), PNGDecoder(), JPEGDecoder(),
        ])

    /// Asked last, those that tell their format by what is likely before all others of them.
    private static var traits: [any ImageDecoder] {
        var decoders: [any ImageDecoder] = []
        #if LongTail
            decoders += [LongTailDecoder(), TIFFDecoder()]
        #endif
        #if SVG
            decoders.append(SVGDecoder())
        #endif
        #if JPEGXL
            decoders.append(JPEGXLDecoder())
        #endif
        #if HEIF
            decoders.append(HEIFDecoder())
        #endif
        return decoders
    }
}

extension EncodingFormat {
    /// JPEG over white, which shows where the image is transparent.
    ///
    /// - Parameter quality: From 0 to 100; what lies outside counts as the nearer end. The default is 80. From 90
    ///   on, colors keep their full resolution.
    public static func jpeg(quality: Int = 80) -> EncodingFormat {
        EncodingFormat(JPEGEncoder(quality: quality))
    }

    /// JPEG over white, as above, whose coding is chosen.
    ///
    /// - Parameters:
    ///   - isProgressive: Whether it is stored in scans of growing detail: smaller, and slower to decode.
    ///   - keepsColors: Whether colors keep their full resolution (4:4:4), for text and drawings. If `nil` (the
    ///     default), they do from a quality of 90 on.
    public static func jpeg(
        quality: Int = 80, isProgressive: Bool, keepsColors: Bool? = nil
    ) -> EncodingFormat {
        var encoder = JPEGEncoder(quality: quality)
        encoder.isProgressive = isProgressive
        encoder.keepsColors = keepsColors
        return EncodingFormat(encoder)
    }

    /// PNG, 8 bits a channel; loses nothing.
    public static let png = EncodingFormat(PNGEncoder())

    /// Lossy WebP, with its transparency.
    ///
    /// - Parameter quality: From 0 to 100; what lies outside counts as the nearer end. The default is 80.
    public static func webp(quality: Int = 80) -> EncodingFormat {
        EncodingFormat(WebPEncoder(compression: .lossy(quality: quality)))
    }

    /// Lossy AVIF, with its transparency: smaller than WebP, and slower by far.
    ///
    /// - Parameter quality: From 0 to 100; what lies outside counts as the nearer end. The default is 60. From 90 on,
    ///   colors keep their full resolution.
    public static func avif(quality: Int = 60) -> EncodingFormat {
        EncodingFormat(AVIFEncoder(quality: quality))
    }

    /// WebP that loses nothing; smaller than PNG, and slower.
    public static let webpLossless = EncodingFormat(WebPEncoder(compression: .lossless))
}

extension MissingFormat {
    static func remedy(trait: String) -> String {
        ": the package trait \(trait) adds it (Scripts/install --traits \(trait))"
    }
}
