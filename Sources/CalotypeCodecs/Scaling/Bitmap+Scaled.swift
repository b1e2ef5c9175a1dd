extension Bitmap {
    /// The picture at another size, stretched if the ratio differs. Blocks: call it on a thread that may.
    ///
    /// Shrinking averages all the pixels that fall together, so that fine patterns turn grey instead of flickering;
    /// enlarging interpolates between neighbours. Sides below 1 count as 1. The same size answers the same bitmap.
    ///
    /// - Throws: `tooLarge` where the result would be larger than this bitmap and take over 512 MB, or have a side over
    ///   1,048,576.
    public func scaled(to size: PixelSize) throws(CodecError) -> Bitmap {
        let wanted = PixelSize(width: max(size.width, 1), height: max(size.height, 1))
        if wanted == self.size { return self }
        try refuseEnlargement(to: wanted)
        var bitmap = self
        while bitmap.canBeHalved(towards: wanted) { bitmap = try bitmap.halved() }
        return try Resampler.resample(bitmap, to: wanted)
    }

    private func refuseEnlargement(to wanted: PixelSize) throws(CodecError) {
        let byteLimit = max(byteCount, 512 << 20)
        let sideLimit = max(width, height, 1 << 20)
        let (pixels, overflow) = wanted.width.multipliedReportingOverflow(by: wanted.height)
        guard overflow || pixels > byteLimit / 4 || max(wanted.width, wanted.height) > sideLimit else { return }
        throw CodecError(
            .tooLarge,
            "\(wanted.width) × \(wanted.height) pixels are more than \(width) × \(height) may be enlarged to")
    }

    /// Halving is many times faster than averaging at once, and as good where both sides are even.
    private func canBeHalved(towards wanted: PixelSize) -> Bool {
        let longest = 32_768  // What libyuv takes.
        return width % 2 == 0 && height % 2 == 0 && width <= longest && height <= longest
            && width / 2 >= wanted.width && height / 2 >= wanted.height
    }
}
