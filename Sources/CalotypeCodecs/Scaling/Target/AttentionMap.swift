/// A saliency map of an image, computed on a copy of at most 64 × 64 pixels.
///
/// It combines three features, as do libvips and smartcrop.js: edges, skin tones and saturated colors.
struct AttentionMap {
    private let size: PixelSize
    /// The scores row by row, 0 or above.
    private let scores: [Float]

    init(_ bitmap: Bitmap) throws(CodecError) {
        let small = try bitmap.applying(.resize(width: 64, height: 64))
        size = small.size
        scores = Self.blurred(Self.scores(of: small), small.size)
    }

    // MARK: - The window

    /// Returns the window moved to the highest score. Content near the center of the window counts more than content at
    /// its edges.
    ///
    /// - Parameter full: The size of the scaled image that contains the window.
    func window(like window: PixelRect, in full: PixelSize) -> PixelRect {
        let width = Self.small(window.width, full.width, size.width)
        let height = Self.small(window.height, full.height, size.height)
        // Prefer the center for equal scores.
        let middle = (x: (size.width - width) / 2, y: (size.height - height) / 2)
        var best = (score: score(middle.x, middle.y, width, height), x: middle.x, y: middle.y)
        for y in 0...(size.height - height) {
            for x in 0...(size.width - width) {
                let score = score(x, y, width, height)
                if score > best.score { best = (score, x, y) }
            }
        }
        var result = window
        result.x = Self.place(best.x, of: size.width - width, in: full.width - window.width)
        result.y = Self.place(best.y, of: size.height - height, in: full.height - window.height)
        return result
    }

    /// Converts the length of a window's side to pixels of the small copy.
    private static func small(_ side: Int, _ full: Int, _ size: Int) -> Int {
        max(1, min(size, Int((Double(side) * Double(size) / Double(full)).rounded())))
    }

    private static func place(_ place: Int, of places: Int, in free: Int) -> Int {
        places == 0 ? free / 2 : Int((Double(place) / Double(places) * Double(free)).rounded())
    }

    private func score(_ left: Int, _ top: Int, _ width: Int, _ height: Int) -> Float {
        var sum: Float = 0
        for y in 0..<height {
            let down = Self.weight(y, height)
            for x in 0..<width { sum += scores[(top + y) * size.width + left + x] * down * Self.weight(x, width) }
        }
        return sum
    }

    /// Returns the weight of a position in a window: 1 at the center, less towards the edges.
    private static func weight(_ place: Int, _ count: Int) -> Float {
        let distance = (2 * Float(place) + 1) / Float(count) - 1
        return 1 - 0.8 * distance * distance
    }

    // MARK: - The scores

    private static func scores(of bitmap: Bitmap) -> [Float] {
        let (width, height) = (bitmap.width, bitmap.height)
        let pixels = bitmap.pixelValues.map { SIMD4<Float>($0) / 255 }
        let light = pixels.map { 0.0722 * $0.x + 0.7152 * $0.y + 0.2126 * $0.z }
        return pixels.indices.map { index in
            let (x, y) = (index % width, index / width)
            let neighbours = [
                light[max(y - 1, 0) * width + x], light[min(y + 1, height - 1) * width + x],
                light[y * width + max(x - 1, 0)], light[y * width + min(x + 1, width - 1)],
            ]
            let edge = abs(4 * light[index] - neighbours.reduce(0, +))
            return edge + 1.8 * skin(pixels[index], light[index]) + 0.3 * saturation(pixels[index], light[index])
        }
    }

    /// Returns a color's similarity to skin, from 0 to 1. Compares only the proportions of red, green and blue, because
    /// skin varies in brightness more than in hue. Very dark and very light colors yield 0.
    private static func skin(_ pixel: SIMD4<Float>, _ light: Float) -> Float {
        let length = (pixel.x * pixel.x + pixel.y * pixel.y + pixel.z * pixel.z).squareRoot()
        guard light > 0.2, light < 0.95 else { return 0 }
        let difference = SIMD3(pixel.z, pixel.y, pixel.x) / length - SIMD3(0.78, 0.57, 0.44) / 1.062
        let likeness = 1 - (difference * difference).sum().squareRoot()
        return max(0, (likeness - 0.9) / 0.1)
    }

    private static func saturation(_ pixel: SIMD4<Float>, _ light: Float) -> Float {
        guard light > 0.05, light < 0.9 else { return 0 }
        let highest = max(pixel.x, pixel.y, pixel.z), lowest = min(pixel.x, pixel.y, pixel.z)
        return highest > 0 ? max(0, (highest - lowest) / highest - 0.4) : 0
    }

    /// Returns the averages of 3 × 3 scores, so that single pixels do not dominate.
    private static func blurred(_ scores: [Float], _ size: PixelSize) -> [Float] {
        scores.indices.map { index in
            let (x, y) = (index % size.width, index / size.width)
            let rows = max(y - 1, 0)...min(y + 1, size.height - 1)
            let columns = max(x - 1, 0)...min(x + 1, size.width - 1)
            let sum = rows.reduce(Float(0)) { sum, row in columns.reduce(sum) { $0 + scores[row * size.width + $1] } }
            return sum / Float(rows.count * columns.count)
        }
    }
}
