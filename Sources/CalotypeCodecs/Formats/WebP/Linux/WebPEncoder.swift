import CWebP
package import Foundation

package struct WebPEncoder: GamutEncoder {
    package struct Compression: Hashable, Sendable {
        fileprivate var quality: Int?
        /// libwebp's level of what a lossless file keeps: all with 100, fewer of the lower bits beside edges with less.
        fileprivate var level: Int32 = 100

        /// - Parameter quality: From 0 to 100; other values are clamped.
        package static func lossy(quality: Int) -> Compression { Compression(quality: quality) }
        package static let lossless = Compression(quality: nil)
        /// Lossless after colors beside edges have lost three of their bits. Drawings and text look like the original:
        /// their SSIMULACRA2 is 92 to 96.
        package static let nearLossless = Compression(quality: nil, level: 40)

        var isLossless: Bool { quality == nil }
    }

    var compression = Compression.lossy(quality: 80)
    /// The effort of lossy compression, from 0 (fastest) to 6 (smallest files). libwebp's default is 4, too.
    var effort = 4
    /// Whether chroma is fitted to edges of luma, for drawings and text: colors stay where they are, for some more time.
    var isSharp = false

    package var format: ImageFormat { .webp }

    package func encode(_ bitmap: Bitmap) throws(CodecError) -> Data {
        var config = try makeConfig()
        let picture = try WebPCanvas(bitmap)
        let file = try picture.encode(&config)
        return bitmap.gamut == .sRGB ? file : try Data(webP: file, adding: GamutProfile.displayP3, as: "ICCP")
    }

    func makeConfig() throws(CodecError) -> WebPConfig {
        var config = WebPConfig()
        guard WebPConfigInit(&config) != 0 else { throw Self.wrongVersion }
        if let quality = compression.quality {
            config.quality = Float(percent(quality))
            config.method = Int32(min(max(effort, 0), 6))
            config.use_sharp_yuv = isSharp ? 1 : 0
        } else {
            // Like cwebp, use level 6 of 9 for lossless files.
            WebPConfigLosslessPreset(&config, 6)
            config.exact = 0
            config.near_lossless = compression.level
        }
        return config
    }

    static let wrongVersion = CodecError(
        .encodingFailed, "the installed libwebp does not match the headers of this build")
}

/// libwebp's copy of a bitmap, in straight ARGB.
final class WebPCanvas {
    private var picture = WebPPicture()

    init(_ bitmap: Bitmap) throws(CodecError) {
        guard WebPPictureInit(&picture) != 0 else { throw WebPEncoder.wrongVersion }
        picture.use_argb = 1
        picture.width = Int32(clamping: bitmap.width)
        picture.height = Int32(clamping: bitmap.height)
        guard max(bitmap.width, bitmap.height) <= Int(WEBP_MAX_DIMENSION) else { throw Self.tooLarge(bitmap.size) }
        guard WebPPictureAlloc(&picture) != 0, let argb = picture.argb else {
            throw CodecError(.encodingFailed, "no memory for a WebP of \(bitmap.size) pixels")
        }
        bitmap.withUnsafeBytes { pixels in
            for y in 0..<bitmap.height {
                UnsafeRawBufferPointer(rebasing: pixels[(y * bitmap.stride)...].prefix(4 * bitmap.width))
                    .assumingMemoryBound(to: UInt32.self)
                    .unpremultiply(
                        into: UnsafeMutableBufferPointer(
                            start: argb + y * Int(picture.argb_stride), count: bitmap.width))
            }
        }
    }

    deinit { WebPPictureFree(&picture) }

    static func tooLarge(_ size: PixelSize) -> CodecError {
        CodecError(.encodingFailed, "WebP of \(size) pixels: a side has at most \(WEBP_MAX_DIMENSION)")
    }

    func withPicture<Result>(_ body: (UnsafeMutablePointer<WebPPicture>) -> Result) -> Result { body(&picture) }

    func encode(_ config: inout WebPConfig) throws(CodecError) -> Data {
        var writer = WebPMemoryWriter()
        WebPMemoryWriterInit(&writer)
        defer { WebPMemoryWriterClear(&writer) }
        let isEncoded = withUnsafeMutablePointer(to: &writer) { writer in
            picture.writer = WebPMemoryWrite
            picture.custom_ptr = UnsafeMutableRawPointer(writer)
            return WebPEncode(&config, &picture) != 0
        }
        guard isEncoded, let bytes = writer.mem else {
            throw CodecError(
                .encodingFailed,
                "WebP of \(picture.width) × \(picture.height) pixels: libwebp's error \(picture.error_code.rawValue)")
        }
        return Data(bytes: bytes, count: writer.size)
    }
}
