import CalotypeCodecs

/// An image with few colors, chosen by median cut, with the error of each pixel spread to its neighbours (Floyd and
/// Steinberg).
struct PaletteImage: Sendable {
    struct Color: Hashable, Sendable {
        let red: Int
        let green: Int
        let blue: Int
    }

    static let transparent = UInt8.max

    let width: Int
    let height: Int
    private(set) var palette: [Color] = []
    /// The index of each pixel's color, or ``transparent``.
    private(set) var indices: [UInt8]

    /// - Parameter colorLimit: at most 255.
    init(_ bitmap: Bitmap, colorLimit: Int) {
        (width, height) = (bitmap.width, bitmap.height)
        indices = [UInt8](repeating: PaletteImage.transparent, count: width * height)
        var histogram = [Int](repeating: 0, count: 1 << 15)
        bitmap.withUnsafeBytes { bytes in
            for y in 0..<bitmap.height {
                for x in 0..<bitmap.width {
                    let color = bitmap.color(x: x, y: y, bytes)
                    if color.alpha >= 128 { histogram[PaletteImage.bin(color.red, color.green, color.blue)] += 1 }
                }
            }
        }
        let boxes = PaletteImage.boxes(histogram, limit: min(colorLimit, 255))
        palette = boxes.map { PaletteImage.mean(of: $0, histogram) }
        spread(bitmap)
    }

    /// Returns the bin of a color, with 5 bits per channel.
    private static func bin(_ red: Int, _ green: Int, _ blue: Int) -> Int {
        (red >> 3) << 10 | (green >> 3) << 5 | blue >> 3
    }

    private static func channel(_ bin: Int, _ channel: Int) -> Int { bin >> (10 - 5 * channel) & 31 }

    /// Divides the bins into boxes by median cut. The next box to split has the most pixels times its longest side.
    private static func boxes(_ histogram: [Int], limit: Int) -> [[Int]] {
        let used = histogram.indices.filter { histogram[$0] > 0 }
        guard !used.isEmpty else { return [] }
        var boxes = [Box(used, histogram)]
        while boxes.count < limit,
            let next = boxes.indices.filter({ boxes[$0].length > 0 }).max(by: { boxes[$0].weight < boxes[$1].weight })
        {
            let halves = boxes[next].halves(histogram)
            boxes[next] = halves.0
            boxes.append(halves.1)
        }
        return boxes.map(\.bins)
    }

    private struct Box {
        let bins: [Int]
        let axis: Int
        let length: Int
        let weight: Int

        init(_ bins: [Int], _ histogram: [Int]) {
            let lengths = (0..<3).map { axis in
                let values = bins.map { channel($0, axis) }
                return (values.max() ?? 0) - (values.min() ?? 0)
            }
            self.bins = bins
            axis = lengths.indices.max { lengths[$0] < lengths[$1] } ?? 0
            length = lengths[axis]
            weight = bins.reduce(0) { $0 + histogram[$1] } * length
        }

        func halves(_ histogram: [Int]) -> (Box, Box) {
            let sorted = bins.sorted { channel($0, axis) < channel($1, axis) }
            let half = sorted.reduce(0) { $0 + histogram[$1] } / 2
            var sum = 0
            var cut = 0
            while cut < sorted.count - 1, sum + histogram[sorted[cut]] <= half || cut == 0 {
                sum += histogram[sorted[cut]]
                cut += 1
            }
            return (Box(Array(sorted[..<cut]), histogram), Box(Array(sorted[cut...]), histogram))
        }
    }

    private static func mean(of bins: [Int], _ histogram: [Int]) -> Color {
        let total = max(bins.reduce(0) { $0 + histogram[$1] }, 1)
        let mean = { (axis: Int) in bins.reduce(0) { $0 + histogram[$1] * (channel($1, axis) * 8 + 4) } / total }
        return Color(red: mean(0), green: mean(1), blue: mean(2))
    }

    private mutating func spread(_ bitmap: Bitmap) {
        var nearest = [Int16](repeating: -1, count: 1 << 15)
        // Errors in sixteenths, for this row and the next, with one extra column on either side.
        var here = [SIMD3<Int32>](repeating: .zero, count: width + 2)
        bitmap.withUnsafeBytes { bytes in
            for y in 0..<height {
                var below = [SIMD3<Int32>](repeating: .zero, count: width + 2)
                for x in 0..<width {
                    let color = bitmap.color(x: x, y: y, bytes)
                    guard color.alpha >= 128 else { continue }
                    let exact = SIMD3(Int32(color.red), Int32(color.green), Int32(color.blue))
                    let wanted = (exact &+ here[x + 1] / 16).clamped(
                        lowerBound: .zero, upperBound: .init(repeating: 255))
                    let index = self.nearest(to: wanted, &nearest)
                    let chosen = palette[index]
                    indices[y * width + x] = UInt8(index)
                    let error = wanted &- SIMD3(Int32(chosen.red), Int32(chosen.green), Int32(chosen.blue))
                    here[x + 2] &+= error &* 7
                    below[x] &+= error &* 3
                    below[x + 1] &+= error &* 5
                    below[x + 2] &+= error
                }
                here = below
            }
        }
    }

    private func nearest(to color: SIMD3<Int32>, _ known: inout [Int16]) -> Int {
        let bin = PaletteImage.bin(Int(color[0]), Int(color[1]), Int(color[2]))
        if known[bin] >= 0 { return Int(known[bin]) }
        var best = (index: 0, distance: Int32.max)
        for (index, other) in palette.enumerated() {
            let difference = color &- SIMD3(Int32(other.red), Int32(other.green), Int32(other.blue))
            let distance = (difference &* difference).wrappedSum()
            if distance < best.distance { best = (index, distance) }
        }
        known[bin] = Int16(best.index)
        return best.index
    }
}
