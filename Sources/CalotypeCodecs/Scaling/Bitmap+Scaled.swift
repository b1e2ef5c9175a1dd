extension Bitmap {
    /// The image at another size, stretched if the ratio differs. Blocks: call it on a thread that may.
    ///
    /// Sides below 1 count as 1. The same size returns the same bitmap.
    ///
    /// - Parameter filter: the default is `automatic`: sharp, and without false patterns where it shrinks.
    /// - Throws: `tooLarge` where the result would be larger than this bitmap and take over 512 MB, or have a side over
    ///   1,048,576.
    public func scaled(to size: PixelSize, filter: ResizeFilter = .automatic) throws(CodecError) -> Bitmap {
        try scaled(from: ImageExtent(self.size), to: size, filter: filter)
    }

    /// - Parameter extent: how far the image reaches over the bitmap's pixels.
    func scaled(from extent: ImageExtent, to size: PixelSize, filter: ResizeFilter) throws(CodecError) -> Bitmap {
        let wanted = PixelSize(width: max(size.width, 1), height: max(size.height, 1))
        if wanted == self.size { return self }
        try refuseEnlargement(to: wanted)
        return try scaled(ImageScaling(from: extent, to: wanted, filter: filter))
    }

    func scaled(_ scaling: ImageScaling) throws(CodecError) -> Bitmap {
        try redrawn(width: scaling.columns.window.count, height: scaling.rows.window.count) {
            (input, inputStride, output, outputStride) throws(CodecError) in
            let scaler = try RowScaler(scaling, hasAlpha: hasAlpha, into: output, stride: outputStride)
            for y in 0..<height { scaler.add(input + y * inputStride) }
            scaler.finish()
        }
    }

    func refuseEnlargement(to wanted: PixelSize) throws(CodecError) {
        let byteLimit = max(byteCount, 512 << 20)
        let sideLimit = max(width, height, 1 << 20)
        let (pixels, overflow) = wanted.width.multipliedReportingOverflow(by: wanted.height)
        guard overflow || pixels > byteLimit / 4 || max(wanted.width, wanted.height) > sideLimit else { return }
        throw CodecError(
            .tooLarge,
            "\(wanted.width) × \(wanted.height) pixels are more than \(width) × \(height) may be enlarged to")
    }
}
