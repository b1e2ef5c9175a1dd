/// The conversion of a decoder's samples of more than 8 bits to the rows of ``DeepPixels``.
struct DeepSamples {
    /// The conversion of colors that remains once the pixels are scaled, or `nil` if they are sRGB.
    let colors: ColorConversion?
    /// The largest sample.
    let most: UInt16
    private let mapping: ToneMapping?

    /// Whether the samples are of a high dynamic range.
    var areMapped: Bool { mapping != nil }

    /// Returns `nil` if the samples have 8 bits.
    ///
    /// - Parameters:
    ///   - bits: The number of bits of a sample, at most 16.
    ///   - colors: The conversion of the samples' colors, or `nil` if they are sRGB. Colors of a high dynamic range are mapped before
    ///     they are scaled, so that a few bright pixels do not outshine a pixel of the result.
    ///   - gamut: The widest gamut that the result may have.
    init?(bits: Int, _ colors: ColorConversion?, within gamut: ColorGamut) {
        guard (9...16).contains(bits) else { return nil }
        most = UInt16(truncatingIfNeeded: 1 << bits - 1)
        mapping = colors?.toneMapping(bits: bits, to: gamut)
        self.colors = mapping == nil ? colors : .rgb(gamut.colors)
    }

    /// Converts a row of straight RGBA in place.
    func finish(_ row: DeepRow) {
        if let mapping { return mapping.apply(to: row) }
        if most < .max { widen(row) }
        row.premultiply()
    }

    private func widen(_ row: DeepRow) {
        let scale = 65_535 / Float(most)
        for x in row.indices {
            // A damaged image may have larger samples than its bits permit.
            let limited = row[x].clamped(lowerBound: .zero, upperBound: SIMD4(repeating: most))
            let value = SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: limited)) * scale + 0.5
            row[x] = SIMD4<UInt16>(truncatingIfNeeded: SIMD4<Int32>(value))
        }
    }
}

extension DeepRow {
    /// Multiplies the colors of straight pixels by their alpha.
    func premultiply() {
        for x in indices where self[x].w != 65_535 {
            let (pixel, alpha) = (SIMD4<UInt32>(truncatingIfNeeded: self[x]), self[x].w)
            var product = SIMD4<UInt16>(truncatingIfNeeded: (pixel &* UInt32(alpha) &+ 32_767) / 65_535)
            product.w = alpha
            self[x] = product
        }
    }

    /// Divides the colors of premultiplied pixels by their alpha. A fully transparent pixel becomes zero.
    func unpremultiply() {
        for x in indices where self[x].w != 65_535 {
            let alpha = UInt32(self[x].w)
            guard alpha > 0 else {
                self[x] = .zero
                continue
            }
            let pixel = SIMD4<UInt32>(truncatingIfNeeded: self[x])
            let straight = (pixel &* 65_535 &+ alpha / 2) / alpha
            var limited = SIMD4<UInt16>(
                truncatingIfNeeded: straight.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 65_535)))
            limited.w = self[x].w
            self[x] = limited
        }
    }
}
