/// The conversion of a decoder's samples of more than 8 bits to the rows of ``DeepPixels``.
struct DeepSamples {
    /// The conversion of colors that remains once the pixels are scaled, or `nil` if they are sRGB.
    let colors: ColorConversion?
    /// The largest sample.
    let most: UInt16
    private let mapping: ToneMapping?
    private let curves: StoredCurves?

    /// Whether the samples are of a high dynamic range.
    var areMapped: Bool { mapping != nil }

    /// Returns `nil` if the samples have 8 bits.
    ///
    /// - Parameters:
    ///   - bits: The number of bits of a sample, at most 16.
    ///   - colors: The conversion of the samples' colors, or `nil` if they are sRGB. Colors of a high dynamic range are mapped before
    ///     they are scaled, so that a few bright pixels do not outshine a pixel of the result. Those of linear light get sRGB's
    ///     curve before, for the same reason.
    ///   - gamut: The widest gamut that the result may have.
    init?(bits: Int, _ colors: ColorConversion?, within gamut: ColorGamut) {
        guard (9...16).contains(bits) else { return nil }
        most = UInt16(truncatingIfNeeded: 1 << bits - 1)
        mapping = colors?.toneMapping(bits: bits, to: gamut)
        let replaced = colors?.replacingCurves(most: most)
        curves = replaced?.curves
        self.colors = mapping != nil ? .rgb(gamut.colors) : replaced.map(\.remaining) ?? colors
    }

    /// Converts a row of samples in place: RGBA becomes premultiplied RGBA with 16 bits.
    ///
    /// - Parameter isPremultiplied: Whether the colors, which must have 16 bits then, are multiplied by their alpha. The default is
    ///   `false`.
    func finish(_ row: DeepRow, isPremultiplied: Bool = false) {
        // Mapping and curves are of straight colors.
        let isStraight = !isPremultiplied || mapping != nil || curves != nil
        if isPremultiplied { isStraight ? row.unpremultiply() : row.limitToAlpha() }
        if let mapping { return mapping.apply(to: row) }
        if let curves { curves.apply(to: row) } else if most < .max { widen(row) }
        if isStraight { row.premultiply() }
    }

    /// Repeats the bits of samples of 9 or more bits until they are 16: the largest becomes the largest. Bits that a damaged image has
    /// above them are dropped.
    private func widen(_ row: DeepRow) {
        let left = SIMD4(repeating: UInt16(most.leadingZeroBitCount))
        let right = SIMD4(repeating: UInt16(16 - 2 * most.leadingZeroBitCount))
        let mask = SIMD4(repeating: most)
        for x in row.indices { row[x] = row[x] &<< left | (row[x] & mask) &>> right }
    }
}
