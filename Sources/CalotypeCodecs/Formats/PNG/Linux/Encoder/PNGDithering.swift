/// The rows of an image in few colors, the difference of each pixel spread over the next ones (Floyd and Steinberg, 1976).
struct PNGDithering {
    private let palette: [SIMD4<Int32>]
    private let colors: [UInt32]
    /// Differences in sixteenths for this row and the next, with a place on both sides.
    private var here: [SIMD4<Int32>]
    private var below: [SIMD4<Int32>]
    /// The nearest colors of pixels, by a hash.
    private var cache = [(pixel: UInt32, index: Int32)](repeating: (0, -1), count: 1 << 14)

    init(_ colors: [UInt32], width: Int) {
        self.colors = colors
        palette = colors.map { SIMD4(packed: $0) }
        here = Array(repeating: SIMD4(repeating: 0), count: width + 2)
        below = here
    }

    mutating func write(
        _ row: UnsafeBufferPointer<UInt32>, opaque: UInt32, to target: UnsafeMutableBufferPointer<UInt32>
    ) {
        for x in row.indices {
            let pixel = row[x] | opaque
            // Nothing is visible there, and no difference crosses it.
            guard pixel != 0 else {
                target[x] = 0
                continue
            }
            let carried = (here[x + 1] &+ 8) &>> 4
            let wanted = (SIMD4(packed: pixel) &+ carried).clamped(
                lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 255))
            let index = nearest(to: wanted)
            target[x] = colors[index]
            let rest = wanted &- palette[index]
            here[x + 2] &+= rest &* 7
            below[x] &+= rest &* 3
            below[x + 1] &+= rest &* 5
            below[x + 2] &+= rest
        }
        swap(&here, &below)
        for x in below.indices { below[x] = SIMD4(repeating: 0) }
    }

    private mutating func nearest(to color: SIMD4<Int32>) -> Int {
        let pixel = color.packed
        let place = Int(truncatingIfNeeded: (pixel &* 0x9E37_79B1) >> 18)
        if cache[place].index >= 0, cache[place].pixel == pixel { return Int(cache[place].index) }
        let index = PNGQuantizer.nearest(to: color, in: palette).index
        cache[place] = (pixel, Int32(index))
        return index
    }
}

extension Bitmap {
    /// Returns the image in at most `limit` colors, or `nil` if it has no more, or if that changes how it looks.
    func quantized(to limit: Int) throws(CodecError) -> Bitmap? {
        try withUnsafeBytes { (pixels) throws(CodecError) -> Bitmap? in
            let rows = BitmapRows(self, pixels)
            if let palette = PNGPalette(rows), palette.colors.count <= limit { return nil }
            let quantizer = PNGQuantizer(rows, limit: limit)
            guard quantizer.error <= PNGQuantizer.errorLimit else { return nil }
            return try Bitmap(width: width, height: height, hasAlpha: hasAlpha) { (memory, stride) throws(CodecError) in
                var dithering = PNGDithering(quantizer.colors, width: width)
                for y in 0..<height {
                    let target = UnsafeMutableRawBufferPointer(rebasing: memory[(y * stride)...].prefix(4 * width))
                    dithering.write(
                        rows.row(y), opaque: rows.opaqueMask, to: target.assumingMemoryBound(to: UInt32.self))
                }
            }
        }
    }
}
