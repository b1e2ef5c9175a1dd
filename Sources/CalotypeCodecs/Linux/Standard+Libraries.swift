extension DecoderRegistry {
    /// The decoders of JPEG, PNG, WebP, AVIF, GIF and QOI, and of the formats of the enabled package traits.
    ///
    /// Formats of traits are decoded in worker processes, which need `calotype-decoder` (see ``DecoderWorkers``). A
    /// loader's `isolation` changes this.
    public static let standard = DecoderRegistry(
        StandardDecoder.all.map { standard in
            standard.isRisky ? IsolatedDecoder(standard: standard, workers: .shared) : standard.decoder
        })
}

extension EncodingFormat {
    /// JPEG. Transparent pixels are blended with white.
    ///
    /// - Parameter quality: From 0 to 100; other values are clamped. The default is 80. At 90 and above, colors keep
    ///   their full resolution.
    public static func jpeg(quality: Int = 80) -> EncodingFormat {
        EncodingFormat(JPEGEncoder(quality: quality))
    }

    /// JPEG with coding options. Transparent pixels are blended with white.
    ///
    /// - Parameters:
    ///   - isProgressive: Whether to store the image in scans of increasing detail. The file is smaller, but slower
    ///     to decode.
    ///   - keepsColors: Whether colors keep their full resolution (4:4:4), for text and drawings. If `nil` (the
    ///     default), they do for a quality of 90 or above.
    public static func jpeg(quality: Int = 80, isProgressive: Bool, keepsColors: Bool? = nil) -> EncodingFormat {
        EncodingFormat(JPEGEncoder(quality: quality, isProgressive: isProgressive, keepsColors: keepsColors))
    }

    /// Lossless PNG with 8 bits per channel.
    public static let png = EncodingFormat(PNGEncoder())

    /// Lossy WebP with transparency.
    ///
    /// - Parameter quality: From 0 to 100; other values are clamped. The default is 80.
    public static func webp(quality: Int = 80) -> EncodingFormat {
        EncodingFormat(WebPEncoder(compression: .lossy(quality: quality)))
    }

    /// Lossy WebP with transparency, encoded faster or to smaller files than by default.
    ///
    /// - Parameter effort: From 0 (fastest) to 6 (smallest files); other values are clamped. ``webp(quality:)`` uses 4.
    public static func webp(quality: Int = 80, effort: Int) -> EncodingFormat {
        EncodingFormat(WebPEncoder(compression: .lossy(quality: quality), effort: effort))
    }

    /// Lossy AVIF with transparency: smaller than WebP, and much slower.
    ///
    /// - Parameter quality: From 0 to 100; other values are clamped. The default is 60. At 90 and above, colors keep
    ///   their full resolution.
    public static func avif(quality: Int = 60) -> EncodingFormat {
        EncodingFormat(AVIFEncoder(quality: quality))
    }

    /// Lossy AVIF with transparency, encoded faster or to smaller files than by default.
    ///
    /// - Parameter speed: From 0 (smallest files) to 10 (fastest); other values are clamped. ``avif(quality:)`` uses 6;
    ///   9 takes about an eighth of the time of 6.
    public static func avif(quality: Int = 60, speed: Int) -> EncodingFormat {
        EncodingFormat(AVIFEncoder(quality: quality, speed: speed))
    }

    /// Lossless WebP; smaller than PNG, and slower.
    public static let webpLossless = EncodingFormat(WebPEncoder(compression: .lossless))
}

extension MissingFormat {
    static func remedy(trait: String) -> String {
        ": the package trait \(trait) adds it (Scripts/install --traits \(trait))"
    }
}
