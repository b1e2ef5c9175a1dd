extension DecoderRegistry {
    /// JPEG, PNG, WebP and GIF.
    public static let standard = DecoderRegistry([GIFDecoder(), WebPDecoder(), PNGDecoder(), JPEGDecoder()])
}

extension EncodingFormat {
    /// JPEG over white, which shows where the picture is transparent.
    ///
    /// - Parameter quality: 0 to 1; what lies outside counts as the nearer end. From 0.9 on, colours keep their full
    ///   resolution.
    public static func jpeg(quality: Double = 0.8) -> EncodingFormat {
        EncodingFormat(JPEGEncoder(quality: quality))
    }

    /// PNG, 8 bits a channel; loses nothing.
    public static let png = EncodingFormat(PNGEncoder())

    /// Lossy WebP, with its transparency.
    ///
    /// - Parameter quality: 0 to 1; what lies outside counts as the nearer end.
    public static func webp(quality: Double = 0.8) -> EncodingFormat {
        EncodingFormat(WebPEncoder(compression: .lossy(quality: quality)))
    }

    /// WebP that loses nothing; smaller than PNG, and slower.
    public static let webpLossless = EncodingFormat(WebPEncoder(compression: .lossless))
}
