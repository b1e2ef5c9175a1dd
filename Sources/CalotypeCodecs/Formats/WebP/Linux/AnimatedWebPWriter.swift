import CWebP
package import Foundation

/// A writer of an animated WebP, frame by frame. libwebp stores only the changes between frames.
package final class AnimatedWebPWriter {
    private let encoder: OpaquePointer
    private let size: PixelSize
    private let gamut: ColorGamut
    private var config: WebPConfig
    private var end = Duration.zero
    private var hasAlpha = false

    /// - Parameters:
    ///   - loopCount: The number of times that the animation plays, or `nil` to repeat forever.
    ///   - compression: The compression mode. The default is lossy with a quality of 80.
    ///   - effort: From 0 (fastest) to 6 (smallest files), for lossy compression. The default is 4.
    ///   - gamut: The gamut of the file, to which frames are converted. The default is sRGB.
    /// - Throws: `encodingFailed` if a side is 0 or exceeds 16,383 pixels, or memory is exhausted.
    package init(
        size: PixelSize, loopCount: Int?, compression: WebPEncoder.Compression = .lossy(quality: 80),
        effort: Int = 4, gamut: ColorGamut = .sRGB
    ) throws(CodecError) {
        guard size.width > 0, size.height > 0, max(size.width, size.height) <= Int(WEBP_MAX_DIMENSION) else {
            throw WebPCanvas.tooLarge(size)
        }
        config = try WebPEncoder(compression: compression, effort: effort).makeConfig()
        var options = WebPAnimEncoderOptions()
        guard WebPAnimEncoderOptionsInit(&options) != 0 else { throw WebPEncoder.wrongVersion }
        // WebP supports at most 65,535 loops; more are stored as infinite.
        options.anim_params.loop_count = loopCount.flatMap { $0 <= 65_535 ? Int32(max($0, 1)) : nil } ?? 0
        options.anim_params.bgcolor = 0
        guard let encoder = WebPAnimEncoderNew(Int32(size.width), Int32(size.height), &options) else {
            throw CodecError(.encodingFailed, "no memory for an animated WebP of \(size) pixels")
        }
        self.encoder = encoder
        (self.size, self.gamut) = (size, gamut)
    }

    deinit { WebPAnimEncoderDelete(encoder) }

    /// Appends a frame, which covers the whole canvas.
    package func add(_ frame: Bitmap, duration: Duration) throws(CodecError) {
        guard frame.size == size else {
            throw CodecError(.encodingFailed, "a frame of \(frame.size) pixels in an animation of \(size)")
        }
        let picture = try WebPCanvas(frame.converted(to: gamut))
        let time = try timestamp()
        try check(picture.withPicture { WebPAnimEncoderAdd(encoder, $0, time, &config) })
        end += duration
        hasAlpha = hasAlpha || frame.hasAlpha
    }

    /// Returns the file. Call this after adding the last frame.
    package func finish() throws(CodecError) -> Data {
        guard end > .zero else { throw CodecError(.encodingFailed, "an animated WebP without a frame") }
        try check(WebPAnimEncoderAdd(encoder, nil, timestamp(), nil))
        var file = WebPData()
        defer { WebPDataClear(&file) }
        try check(WebPAnimEncoderAssemble(encoder, &file))
        guard let bytes = file.bytes else { throw CodecError(.encodingFailed, "WebP: nothing was written") }
        var data = Data(bytes: bytes, count: file.size)
        // libwebp omits the alpha flag if every frame is opaque, even if frames do not cover the canvas.
        let (kind, flags) = (Data("VP8X".utf8), 20)
        if hasAlpha, data.count > flags, data[12..<16] == kind { data[flags] |= UInt8(ALPHA_FLAG.rawValue) }
        return gamut == .sRGB ? data : try Data(webP: data, adding: GamutProfile.displayP3, as: "ICCP")
    }

    /// Returns the start of the next frame in milliseconds. Only this sum is rounded, so that errors do not add up.
    private func timestamp() throws(CodecError) -> Int32 {
        let (seconds, attoseconds) = end.components
        guard seconds < 2_000_000,
            let time = Int32(exactly: seconds * 1000 + (attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000)
        else { throw CodecError(.encodingFailed, "WebP: an animation of more than 23 days") }
        return time
    }

    private func check(_ isDone: Int32) throws(CodecError) {
        guard isDone == 0 else { return }
        let reason = WebPAnimEncoderGetError(encoder).map { String(cString: $0) } ?? "no reason given"
        throw CodecError(.encodingFailed, "WebP: \(reason)")
    }
}
