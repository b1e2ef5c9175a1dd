extension Bitmap {
    /// Returns the image scaled to a size, stretched if the aspect ratio differs. Blocks the calling thread.
    ///
    /// Sides below 1 count as 1. If the size is the same, returns this bitmap.
    ///
    /// - Parameter filter: The filter. The default is `automatic`: sharp, and without aliasing when shrinking.
    /// - Throws: `tooLarge` if memory is exhausted, if the result takes more than 512 MiB and more memory than this
    ///   bitmap, or if it has a side of more than 1,048,576 pixels that is longer than both sides of this bitmap.
    public func scaled(to size: PixelSize, filter: ResizeFilter = .automatic) throws(CodecError) -> Bitmap {
        try scaled(from: ImageExtent(self.size), to: size, filter: filter)
    }

    /// - Parameters:
    ///   - extent: The extent of the image within the bitmap's pixels.
    ///   - channels: The meaning of the channels. If `nil` (the default), `hasAlpha` determines it.
    func scaled(
        from extent: ImageExtent, to size: PixelSize, filter: ResizeFilter, channels: PixelChannels? = nil
    ) throws(CodecError) -> Bitmap {
        let wanted = PixelSize(width: max(size.width, 1), height: max(size.height, 1))
        if wanted == self.size { return self }
        try refuseEnlargement(to: wanted)
        return try scaled(ImageScaling(from: extent, to: wanted, filter: filter), channels: channels)
            .declaring(gainMap: gainMap.map { $0.changing($0.plan.scaled(by: filter)) })
    }

    func scaled(_ scaling: ImageScaling, channels: PixelChannels? = nil) throws(CodecError) -> Bitmap {
        try redrawn(width: scaling.columns.window.count, height: scaling.rows.window.count) {
            (input, inputStride, output, outputStride) throws(CodecError) in
            let scaler = try RowScaler(
                scaling, of: channels ?? PixelChannels(hasAlpha: hasAlpha), into: output, stride: outputStride)
            scaler.add(input, count: height, stride: inputStride)
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
            "a result of \(wanted) pixels: enlarging takes at most \(byteLimit / 1_000_000) MB, and sides of at most "
                + "\(sideLimit) pixels")
    }
}
