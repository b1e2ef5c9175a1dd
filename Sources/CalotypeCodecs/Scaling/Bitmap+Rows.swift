extension Bitmap {
    /// Reads and scales an image row by row, keeping only a few source rows in memory.
    ///
    /// - Parameters:
    ///   - stored: The size of the image before scaling.
    ///   - size: The size of the bitmap.
    ///   - channels: The meaning of the channels. The default depends on `hasAlpha`.
    ///   - read: Fills the buffer with the next row, as premultiplied BGRA.
    init(
        rowsOf stored: PixelSize, scaledTo size: PixelSize, by filter: ResizeFilter, hasAlpha: Bool,
        channels: PixelChannels? = nil,
        read: (UnsafeMutableBufferPointer<UInt32>) throws(CodecError) -> Void
    ) throws(CodecError) {
        try self.init(width: size.width, height: size.height, hasAlpha: hasAlpha) {
            (pixels, stride) throws(CodecError) in
            guard size != stored else {
                let rows = PixelRows(pixels, width: size.width, height: size.height, stride: stride)
                for y in 0..<size.height { try read(rows.row(y)) }
                return
            }
            guard let result = pixels.bindMemory(to: UInt8.self).baseAddress else { return }
            let scaling = ImageScaling(from: ImageExtent(stored), to: size, filter: filter)
            let scaler = try RowScaler(
                scaling, of: channels ?? PixelChannels(hasAlpha: hasAlpha), into: result, stride: stride)
            let memory = try WorkMemory(bytes: 4 * stored.width)
            let row = UnsafeMutableBufferPointer(
                start: memory.start.assumingMemoryBound(to: UInt32.self), count: stored.width)
            for _ in 0..<stored.height {
                try read(row)
                scaler.add(memory.bytes)
            }
            scaler.finish()
        }
    }

    /// The pixels row by row, each as blue, green, red and alpha. A copy, meant for small images.
    var pixelValues: [SIMD4<UInt8>] {
        withUnsafeBytes { bytes in
            (0..<width * height).map { index in
                bytes.loadUnaligned(fromByteOffset: index / width * stride + 4 * (index % width), as: SIMD4<UInt8>.self)
            }
        }
    }

    /// Returns a new bitmap of the same gamut and by default of the same size, that `draw` computes from this bitmap's pixels.
    ///
    /// - Parameter draw: Receives the first byte and the row stride of both bitmaps, and writes all pixels of the new
    ///   bitmap.
    func redrawn(
        width: Int? = nil, height: Int? = nil, hasAlpha: Bool? = nil,
        by draw: (
            _ input: UnsafePointer<UInt8>, _ inputStride: Int,
            _ output: UnsafeMutablePointer<UInt8>, _ outputStride: Int
        ) throws(CodecError) -> Void
    ) throws(CodecError) -> Bitmap {
        try Bitmap(width: width ?? self.width, height: height ?? self.height, hasAlpha: hasAlpha ?? self.hasAlpha) {
            (pixels, outputStride) throws(CodecError) in
            try withUnsafeBytes { (bytes) throws(CodecError) in
                guard let input = bytes.bindMemory(to: UInt8.self).baseAddress,
                    let output = pixels.bindMemory(to: UInt8.self).baseAddress
                else { return }
                try draw(input, self.stride, output, outputStride)
            }
        }.declaring(gamut: gamut)
    }
}
