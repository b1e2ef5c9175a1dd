#if canImport(ImageIO)
    package import Foundation

    extension DecoderRegistry {
        /// A registry with one decoder for all formats of Image I/O.
        public static let standard = DecoderRegistry([ImageIODecoder()])
    }

    extension DecoderRegistry {
        /// Returns `nil`: Image I/O reads raw files itself.
        func preview(inCameraRaw data: Data) throws(CodecError) -> RecognizedImage? { nil }
    }

    extension MissingFormat {
        /// Returns an empty string: no package trait adds a format to Image I/O.
        static func readingRemedy(trait: String) -> String { "" }
    }

    extension EncodingFormat {
        /// Encodes a bitmap. Image I/O's formats keep no credits.
        package func file(of bitmap: Bitmap) throws(CodecError) -> Data { try bitmap.encoded(as: self) }

        /// JPEG. Transparent pixels are blended with white.
        ///
        /// - Parameter quality: From 0 to 100; other values are clamped. The default is 80.
        public static func jpeg(quality: Int = 80) -> EncodingFormat {
            EncodingFormat(ImageIOEncoder.jpeg(quality: quality))
        }

        /// Lossless PNG with 8 bits per channel.
        public static let png = EncodingFormat(ImageIOEncoder.png)

        /// HEIC with transparency. Replaces WebP, which Apple's systems read but do not write.
        ///
        /// - Parameter quality: From 0 to 100; other values are clamped. The default is 80.
        public static func heic(quality: Int = 80) -> EncodingFormat {
            EncodingFormat(ImageIOEncoder.heic(quality: quality))
        }
    }
#endif
