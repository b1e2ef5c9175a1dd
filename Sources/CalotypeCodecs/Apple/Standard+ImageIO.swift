#if canImport(ImageIO)
    extension DecoderRegistry {
        /// Whatever Image I/O knows.
        public static let standard = DecoderRegistry([ImageIODecoder()])
    }

    extension MissingFormat {
        /// Image I/O reads what the system reads.
        static func remedy(trait: String) -> String { "" }
    }

    extension EncodingFormat {
        /// JPEG over white, which shows where the image is transparent.
        ///
        /// - Parameter quality: From 0 to 100; what lies outside counts as the nearer end. The default is 80.
        public static func jpeg(quality: Int = 80) -> EncodingFormat {
            EncodingFormat(ImageIOEncoder.jpeg(quality: quality))
        }

        /// PNG, 8 bits a channel; loses nothing.
        public static let png = EncodingFormat(ImageIOEncoder.png)

        /// HEIC, with its transparency. In place of WebP, which Apple's systems read but do not write.
        ///
        /// - Parameter quality: From 0 to 100; what lies outside counts as the nearer end. The default is 80.
        public static func heic(quality: Int = 80) -> EncodingFormat {
            EncodingFormat(ImageIOEncoder.heic(quality: quality))
        }
    }
#endif
