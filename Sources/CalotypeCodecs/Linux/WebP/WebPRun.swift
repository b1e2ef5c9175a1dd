import CWebP

/// One still WebP that libwebp decodes while it comes, just as ``WebPDecoder`` decodes a whole one.
final class WebPRun {
    private let decoder: OpaquePointer
    /// The decoder refers to it.
    private let config: UnsafeMutablePointer<WebPDecoderConfig>
    /// The pixels; `nil` where libwebp keeps planes.
    private let pixels: PixelMemory?
    private let size: PixelSize
    private let hasAlpha: Bool

    /// - Parameters:
    ///   - bytes: the start of the file, its header included.
    ///   - size: of the pixels: the image's own or a smaller one.
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

    /// Goes on with all the bytes so far.
    ///
    /// - Returns: whether the image is whole.
    func read(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> Bool {
        let status = WebPIUpdate(decoder, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
        if status == VP8_STATUS_SUSPENDED || status == VP8_STATUS_NOT_ENOUGH_DATA { return false }
        try WebPBitstream.check(status)
        return true
    }

    /// The rows so far, above transparent ones; `nil` where there are none.
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

    /// Of the planes only whole pixels of the result, which is smaller by halves.
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

    /// The image of a file that was read to its end, and how far it reaches over the pixels. The last call.
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
