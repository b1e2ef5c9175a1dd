extension DecoderRegistry {
    /// JPEG, PNG, WebP, GIF and QOI.
    public static let standard = DecoderRegistry([
        QOIDecoder(), GIFDecoder(), WebPDecoder(), PNGDecoder(), JPEGDecoder(),
    ])
}

extension EncodingFormat {
    /// JPEG over white, which shows where the picture is transparent.
    ///
    /// - Parameter quality: From 0 to 100; what lies outside counts as the nearer end. The default is 80. From 90
    ///   on, colors keep their full resolution.
    public static func jpeg(quality: Int = 80) -> EncodingFormat {
        EncodingFormat(JPEGEncoder(quality: quality))
    }

    /// PNG, 8 bits a channel; loses nothing.
    public static let png = EncodingFormat(PNGEncoder())

    /// Lossy WebP, with its transparency.
    ///
    /// - Parameter quality: From 0 to 100; what lies outside counts as the nearer end. The default is 80.
    public static func webp(quality: Int = 80) -> EncodingFormat {
        EncodingFormat(WebPEncoder(compression: .lossy(quality: quality)))
    }

    /// WebP that loses nothing; smaller than PNG, and slower.
    public static let webpLossless = EncodingFormat(WebPEncoder(compression: .lossless))
}
