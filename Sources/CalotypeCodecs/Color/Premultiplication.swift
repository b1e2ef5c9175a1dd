import CResample

// Conversions to and from premultiplied alpha for a row of pixels. All round to nearest; unpremultiplying and
// premultiplying again restores the original pixels.

extension UnsafeMutableBufferPointer<UInt32> {
    /// Converts straight RGBA to premultiplied BGRA.
    func premultiplyRGBA() { calotype_premultiply(baseAddress, count, 1) }

    /// Converts straight BGRA to premultiplied BGRA.
    func premultiply() { calotype_premultiply(baseAddress, count, 0) }

    /// Sets the pixels to premultiplied BGRA, converted from straight 16-bit RGBA.
    func setPremultiplied(_ wide: UnsafeMutableBufferPointer<SIMD4<UInt16>>) {
        for x in indices { self[x] = wide[x].premultipliedBGRA }
    }
}

extension SIMD4<UInt16> {
    /// Straight RGBA as premultiplied BGRA with 8 bits.
    @inline(__always)
    var premultipliedBGRA: UInt32 {
        let alpha = UInt64(w)
        let red = Self.rounded(UInt64(x) &* alpha)
        let green = Self.rounded(UInt64(y) &* alpha)
        let blue = Self.rounded(UInt64(z) &* alpha)
        let opacity = UInt32((alpha &* 255 &+ 32767) / 65535)
        return opacity << 24 | red << 16 | green << 8 | blue
    }

    /// Scales the product of two 16-bit numbers to 8 bits, rounded to nearest.
    @inline(__always)
    private static func rounded(_ product: UInt64) -> UInt32 {
        let one: UInt64 = 65535 * 65535
        return UInt32((product &* 255 &+ one / 2) / one)
    }
}

extension UnsafeBufferPointer<UInt32> {
    /// Converts premultiplied BGRA to straight BGRA. `target` has the same number of pixels.
    func unpremultiply(into target: UnsafeMutableBufferPointer<UInt32>) {
        for x in indices {
            target[x] = self[x].unpremultiplied
        }
    }
}

extension UInt32 {
    /// Multiplies two channels, in bits 0...7 and 16...23, by `alpha / 255`, rounded to nearest.
    @inline(__always)
    func scaledPair(by alpha: UInt32) -> UInt32 {
        let product = self &* alpha &+ 0x0080_0080
        return (product &+ (product >> 8 & 0x00FF_00FF)) >> 8 & 0x00FF_00FF
    }

    /// The pixel as straight BGRA. A fully transparent pixel becomes zero.
    fileprivate var unpremultiplied: UInt32 {
        let alpha = self >> 24
        guard alpha != 255 else { return self }
        guard alpha != 0 else { return 0 }
        func straight(_ channel: UInt32) -> UInt32 { Swift.min(255, (channel * 255 + alpha / 2) / alpha) }
        return alpha << 24 | straight(self >> 16 & 0xFF) << 16 | straight(self >> 8 & 0xFF) << 8 | straight(self & 0xFF)
    }
}
