/// A row of RGBA with 16 bits per channel.
typealias DeepRow = UnsafeMutableBufferPointer<SIMD4<UInt16>>

/// Rows of 16 bits per channel of a source that must be decoded before it is scaled.
struct DeepPixels: ~Copyable {
    let size: PixelSize
    private let memory: WorkMemory

    /// Creates transparent pixels.
    init(_ size: PixelSize) throws(CodecError) {
        let memory = try WorkMemory(bytes: Self.bytes(size))
        self.size = size
        self.memory = memory
    }

    init(width: Int, height: Int = 1) throws(CodecError) {
        try self.init(PixelSize(width: width, height: height))
    }

    func row(_ y: Int) -> DeepRow {
        let start = memory.start.assumingMemoryBound(to: SIMD4<UInt16>.self) + y * size.width
        return DeepRow(start: start, count: size.width)
    }

    /// Returns the memory of the pixels in bytes.
    static func bytes(_ size: PixelSize) -> Int { 2 * size.bitmapBytes }
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

    /// Limits the colors of premultiplied pixels to their alpha, which those of damaged files exceed.
    func limitToAlpha() {
        for x in indices { self[x] = self[x].clamped(lowerBound: .zero, upperBound: SIMD4(repeating: self[x].w)) }
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
