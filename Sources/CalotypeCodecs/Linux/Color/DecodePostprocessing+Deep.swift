extension DecodePostprocessing {
    /// Finishes the samples of a source of more than 8 bits, scales, converts, rounds and turns its rows. The conversion of colors is that
    /// of the samples.
    ///
    /// - Parameters:
    ///   - stored: The size of the source.
    ///   - isPremultiplied: Whether the colors are multiplied by their alpha. The default is `false`.
    ///   - read: Fills the buffer with the samples of the next row.
    func bitmap(
        rowsOf stored: PixelSize, _ samples: DeepSamples, hasAlpha: Bool, isPremultiplied: Bool = false,
        read: (DeepRow) throws(CodecError) -> Void
    ) throws(CodecError) -> Bitmap {
        let result = size.result.turned(from: orientation)
        let row = try DeepPixels(width: stored.width)
        func fill(_ row: DeepRow) throws(CodecError) {
            try read(row)
            samples.finish(row, isPremultiplied: isPremultiplied)
        }
        let conversion = DeepConversion(samples.colors, within: size.gamut)
        let bitmap = try conversion.bitmap(result, hasAlpha: hasAlpha) { (take) throws(CodecError) in
            guard result != stored else {
                for _ in 0..<stored.height {
                    try fill(row.row(0))
                    take(row.row(0))
                }
                return
            }
            let scaler = try DeepScaler(ImageScaling(from: ImageExtent(stored), to: result, filter: size.filter))
            for _ in 0..<stored.height {
                try fill(row.row(0))
                scaler.add(row.row(0), take)
            }
            scaler.finish(take)
        }
        return orientation == 1 ? bitmap : try bitmap.oriented(orientation)
    }

    /// Does the same with samples that are in memory.
    func bitmap(
        of deep: borrowing DeepPixels, _ samples: DeepSamples, hasAlpha: Bool, isPremultiplied: Bool = false
    ) throws(CodecError) -> Bitmap {
        var y = 0
        return try bitmap(
            rowsOf: deep.size, samples, hasAlpha: hasAlpha, isPremultiplied: isPremultiplied
        ) { row in
            _ = row.update(from: deep.row(y))
            y += 1
        }
    }

    /// Returns the memory, in bytes, of a decoder that reads such a source row by row.
    static func deepBytes(for header: ImageHeader, size: DecodeSize) -> Int {
        deepBytes(from: header.stored, to: header.stored(size.result), isTurned: header.orientation != 1, size: size)
    }

    /// - Parameters:
    ///   - stored: The size of the source.
    ///   - result: The size of the result before it is turned.
    ///   - isTurned: Whether it is turned.
    static func deepBytes(from stored: PixelSize, to result: PixelSize, isTurned: Bool, size: DecodeSize) -> Int {
        // Two bitmaps: one for each gamut, or before and after turning.
        let bitmaps = (isTurned || size.gamut != .sRGB ? 2 : 1) * result.bitmapBytes
        // A row of the source, and those of the result above the next one of each gamut.
        let rows = 8 * stored.width + 16 * result.width
        guard result != stored else { return bitmaps + rows }
        let scaling = ImageScaling(from: ImageExtent(stored), to: result, filter: size.filter)
        return bitmaps + rows + DeepScaler.workingBytes(scaling)
    }
}
