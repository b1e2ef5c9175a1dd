import CWebP

/// An incremental libwebp decoder for a still image during its download, with the same result as ``WebPDecoder``.
final class WebPRun {
    private let decoder: OpaquePointer
    /// The configuration, to which the decoder keeps a pointer.
    private let config: UnsafeMutablePointer<WebPDecoderConfig>
    /// The pixels, or `nil` if libwebp decodes to planes.
    private let pixels: PixelMemory?
    private let size: PixelSize
    private let hasAlpha: Bool

    /// - Parameters:
    ///   - bytes: The start of the file, including its header.
    ///   - size: The size of the pixels: the image's or a smaller one.
    init(_ bytes: UnsafeRawBufferPointer, _ header: ImageHeader, size: PixelSize) throws(CodecError) {
        let isScaled = size != header.stored
        let isLossy = try WebPBitstream(bytes: bytes).features().isLossy
        let config: WebPDecoderConfig
        if isScaled, isLossy, !header.hasAlpha {
            pixels = nil
            config = try WebPBitstream.planesConfig()
        } else {
            guard let memory = PixelMemory(count: size.bitmapBytes) else {
                throw CodecError(.tooLarge, "no memory for a bitmap of \(size) pixels")
            }
            pixels = memory
            config = try WebPBitstream.config(
                writingInto: memory.bytes, size: size, stride: 4 * size.width, isScaled: isScaled)
        }
        self.config = .allocate(capacity: 1)
        self.config.initialize(to: config)
        guard let decoder = WebPIDecode(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, self.config) else {
            self.config.deallocate()
            throw CodecError(.damaged, "WebP is damaged: its data makes no image")
        }
        self.decoder = decoder
        self.size = size
        hasAlpha = header.hasAlpha
    }

    deinit {
        WebPIDelete(decoder)
        WebPFreeDecBuffer(&config.pointee.output)
        config.deallocate()
    }

    /// Continues with all bytes received so far.
    ///
    /// - Returns: Whether the image is complete.
    func read(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> Bool {
        let status = WebPIUpdate(decoder, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
        if status == VP8_STATUS_SUSPENDED || status == VP8_STATUS_NOT_ENOUGH_DATA { return false }
        try WebPBitstream.check(status)
        return true
    }

    /// Returns the rows decoded so far, with transparent ones below, or `nil` if no row is complete.
    func rows() throws(CodecError) -> Bitmap? {
        if let pixels {
            var end: Int32 = 0
            guard WebPIDecGetRGB(decoder, &end, nil, nil, nil) != nil, end > 0 else { return nil }
            let count = min(Int(end), size.height) * 4 * size.width
            return try Bitmap(width: size.width, height: size.height, hasAlpha: true) { target, _ in
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: pixels.bytes[..<count]))
                target.clear(from: count)
            }
        }
        var end: Int32 = 0
        guard WebPIDecGetYUVA(decoder, &end, nil, nil, nil, nil, nil, nil, nil, nil) != nil,
            let planes = WebPPlanes(config.pointee.output)
        else { return nil }
        return try rows(of: planes, count: min(Int(end), Int(config.pointee.output.height)))
    }

    /// Returns the complete pixels of the halved result.
    private func rows(of planes: WebPPlanes, count: Int) throws(CodecError) -> Bitmap? {
        var factor = 2
        while size.height < (Int(config.pointee.output.height) + factor - 1) / factor { factor *= 2 }
        let part = PixelSize(width: size.width, height: count / factor)
        guard part.height > 0 else { return nil }
        let memory = try WorkMemory(bytes: planes.copyBytes(rows: part.height * factor))
        var copy = planes.copied(rows: part.height * factor, to: memory)
        return try Bitmap(width: size.width, height: size.height, hasAlpha: true) {
            (pixels, stride) throws(CodecError) in
            try copy.writeHalved(into: pixels, size: part, stride: stride)
            pixels.clear(from: part.height * stride)
        }
    }

    /// Returns the image of a completely read file and its extent within the pixels. Call this last.
    func whole() throws(CodecError) -> (bitmap: Bitmap, extent: ImageExtent) {
        if let pixels {
            let bitmap = try Bitmap(width: size.width, height: size.height, hasAlpha: hasAlpha) { target, _ in
                target.copyMemory(from: UnsafeRawBufferPointer(pixels.bytes))
            }
            return (bitmap, ImageExtent(size))
        }
        guard var planes = WebPPlanes(config.pointee.output) else {
            throw CodecError(.damaged, "WebP is damaged: its data makes no image")
        }
        let bitmap = try Bitmap(width: size.width, height: size.height, hasAlpha: false) {
            (pixels, stride) throws(CodecError) in
            try planes.writeHalved(into: pixels, size: size, stride: stride)
        }
        return (bitmap, planes.halvedExtent)
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func clear(from offset: Int) {
        UnsafeMutableRawBufferPointer(rebasing: self[offset...]).initializeMemory(as: UInt8.self, repeating: 0)
    }
}
