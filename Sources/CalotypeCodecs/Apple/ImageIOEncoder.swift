#if canImport(ImageIO)
    import Foundation
    import CoreFoundation
    import CoreGraphics
    import ImageIO

    /// An encoder of the formats that Apple's systems write. WebP is not among them.
    struct ImageIOEncoder: ImageEncoder {
        let format: ImageFormat
        /// The quality, clamped to 0…100. Lossless formats ignore it.
        var quality: Int

        private let type: String
        private var isOpaque = false

        /// JPEG. Transparent pixels are blended with white.
        static func jpeg(quality: Int = 80) -> ImageIOEncoder {
            ImageIOEncoder(format: .jpeg, quality: quality, type: "public.jpeg", isOpaque: true)
        }

        static let png = ImageIOEncoder(format: .png, quality: 100, type: "public.png")

        /// HEIC. On devices without a HEIC encoder, `encode` throws `encodingFailed`.
        static func heic(quality: Int = 80) -> ImageIOEncoder {
            ImageIOEncoder(format: .heic, quality: quality, type: "public.heic")
        }

        func encode(_ bitmap: Bitmap) throws(CodecError) -> Data {
            let picture = isOpaque && bitmap.hasAlpha ? try bitmap.drawn(.overWhite) { _, _ in } : bitmap
            let image = try picture.cgImage()
            let file = NSMutableData()
            guard let destination = CGImageDestinationCreateWithData(file, type.coreFoundation, 1, nil) else {
                throw CodecError(.encodingFailed, "\(format): this system cannot write it")
            }
            let share = Double(percent(quality)) / 100
            CGImageDestinationAddImage(
                destination, image, coreFoundation([(kCGImageDestinationLossyCompressionQuality, share)]))
            guard CGImageDestinationFinalize(destination) else {
                throw CodecError(.encodingFailed, "\(format) of \(bitmap.size) pixels: Image I/O could not write it")
            }
            return Data(referencing: file)
        }
    }
#endif
