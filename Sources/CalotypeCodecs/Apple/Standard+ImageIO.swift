#if canImport(ImageIO)
    extension DecoderRegistry {
        /// Whatever Image I/O knows.
        public static let standard = DecoderRegistry([ImageIODecoder()])
    }

    extension EncodingFormat {
        /// JPEG over white, which shows where the picture is transparent.
        ///
        /// - Parameter quality: 0 to 1; what lies outside counts as the nearer end.
        public static func jpeg(quality: Double = 0.8) -> EncodingFormat {
            EncodingFormat(ImageIOEncoder.jpeg(quality: quality))
        }

        /// PNG, 8 bits a channel; loses nothing.
        public static let png = EncodingFormat(ImageIOEncoder.png)

        /// HEIC, with its transparency. In place of WebP, which Apple's systems read but do not write.
        ///
        /// - Parameter quality: 0 to 1; what lies outside counts as the nearer end.
        public static func heic(quality: Double = 0.8) -> EncodingFormat {
            EncodingFormat(ImageIOEncoder.heic(quality: quality))
        }
    }
#endif
