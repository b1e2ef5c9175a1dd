import CWebP

/// One image in WebP's lossy or lossless coding.
struct WebPBitstream {
    let bytes: UnsafeRawBufferPointer

    private var start: UnsafePointer<UInt8>? { bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) }

    struct Features {
        var size: PixelSize
        var hasAlpha: Bool
        var isAnimated: Bool
        /// Whether the image is coded as luma and half-size color rather than exact pixels.
        var isLossy: Bool
    }

    func features() throws(CodecError) -> Features {
        var features = WebPBitstreamFeatures()
        try Self.check(WebPGetFeatures(start, bytes.count, &features))
        return Features(
            size: PixelSize(width: Int(features.width), height: Int(features.height)),
            hasAlpha: features.has_alpha != 0, isAnimated: features.has_animation != 0, isLossy: features.format == 1)
    }

    /// Decodes premultiplied BGRA into `pixels`, at the image's size or a smaller one.
    func decode(
        into pixels: UnsafeMutableRawBufferPointer, size: PixelSize, stride: Int, isScaled: Bool
    ) throws(CodecError) {
        var config = try Self.config(writingInto: pixels, size: size, stride: stride, isScaled: isScaled)
        try Self.check(WebPDecode(start, bytes.count, &config))
    }

    /// Decodes the available rows like `decode`, and clears the others.
    ///
    /// - Returns: The number of decoded rows.
    func decodeStart(
        into pixels: UnsafeMutableRawBufferPointer, size: PixelSize, stride: Int, isScaled: Bool
    ) throws(CodecError) -> Int {
        var config = try Self.config(writingInto: pixels, size: size, stride: stride, isScaled: isScaled)
        // `WebPIDecode` keeps the pointer to the configuration.
        let rows = withUnsafeMutablePointer(to: &config) { config in
            guard let decoder = WebPIDecode(start, bytes.count, config) else { return 0 }
            defer { WebPIDelete(decoder) }
            WebPIUpdate(decoder, start, bytes.count)
            var end: Int32 = 0
            let isBegun = WebPIDecGetRGB(decoder, &end, nil, nil, nil) != nil
            return isBegun ? min(Int(end), size.height) : 0
        }
        for y in rows..<size.height {
            UnsafeMutableRawBufferPointer(rebasing: pixels[(y * stride)...].prefix(4 * size.width))
                .initializeMemory(as: UInt8.self, repeating: 0)
        }
        return rows
    }

    private static func config(
        writingInto pixels: UnsafeMutableRawBufferPointer, size: PixelSize, stride: Int, isScaled: Bool
    ) throws(CodecError) -> WebPDecoderConfig {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else { throw wrongVersion }
        config.options.use_scaling = isScaled ? 1 : 0
        config.options.scaled_width = Int32(size.width)
        config.options.scaled_height = Int32(size.height)
        config.output.colorspace = MODE_bgrA
        config.output.is_external_memory = 1
        config.output.u.RGBA.rgba = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
        config.output.u.RGBA.stride = Int32(stride)
        config.output.u.RGBA.size = pixels.count
        return config
    }

    static let wrongVersion = CodecError(.unsupported, "the installed libwebp does not match the headers of this build")

    static func check(_ status: VP8StatusCode) throws(CodecError) {
        switch status {
        case VP8_STATUS_OK: return
        case VP8_STATUS_OUT_OF_MEMORY: throw CodecError(.tooLarge, "no memory to decode this WebP")
        case VP8_STATUS_UNSUPPORTED_FEATURE:
            throw CodecError(.unsupported, "WebP uses a feature that libwebp does not support")
        case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED:
            throw CodecError(.damaged, "WebP is cut short")
        default: throw CodecError(.damaged, "WebP is damaged: its data makes no image")
        }
    }
}
