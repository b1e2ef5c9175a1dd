import CalotypeBase

/// The colors that stand for those of an image: the most frequent first.
///
/// The colors are divided at the mean of the channel in which they differ most, beginning with the group whose pixels are farthest
/// from its mean, until there are as many groups as wanted. The same pixels have the same palette everywhere.
package struct ColorPalette: Hashable, Sendable {
    /// A color, and the number of pixels for which it stands, which count by their opacity.
    package struct Swatch: Hashable, Sendable {
        package let color: ImageColor
        package let weight: Int
    }

    package let swatches: [Swatch]

    /// Finds the colors of all pixels but fully transparent ones, of which the image may have none.
    ///
    /// - Parameters:
    ///   - bitmap: A small copy of the image.
    ///   - limit: The maximum number of colors.
    package init(_ bitmap: Bitmap, limit: Int) {
        var groups = [ColorGroup(bitmap.countedColors)].filter { !$0.colors.isEmpty }
        while groups.count < limit,
            let place = groups.indices.max(by: { groups[$0].error < groups[$1].error }),
            let parts = groups[place].divided
        {
            groups[place] = parts.0
            groups.append(parts.1)
        }
        let found = groups.map { Swatch(color: $0.mean, weight: $0.weight) }
        swatches = found.sorted { $0.weight == $1.weight ? $0.color.number < $1.color.number : $0.weight > $1.weight }
    }
}

/// Colors that differ in their five highest bits of each channel, with the sums of the pixels that share these.
private struct CountedColor {
    /// Red, green, blue and alpha, each times the opacity of its pixel, summed up.
    var sum = SIMD4<Double>.zero
    /// The sum of the opacities, from 1 to 255 for each pixel.
    var weight = 0.0

    var mean: SIMD4<Double> { sum / weight }
}

/// Colors for which one color of the palette stands.
private struct ColorGroup {
    let colors: [CountedColor]
    let weight: Int
    /// The channel in which the colors differ most, and their mean there.
    private let axis: Int
    private let middle: Double
    /// The squared distances from the mean, added up over all pixels.
    let error: Double
    let mean: ImageColor

    init(_ colors: [CountedColor]) {
        self.colors = colors
        let whole = colors.reduce(into: CountedColor()) {
            $0 = CountedColor(sum: $0.sum + $1.sum, weight: $0.weight + $1.weight)
        }
        let center = whole.weight > 0 ? whole.mean : .zero
        let spread = colors.reduce(SIMD4<Double>.zero) { sum, color in
            let distance = color.mean - center
            return sum + distance * distance * color.weight
        }
        let widest = (0..<4).reduce(0) { spread[$1] > spread[$0] ? $1 : $0 }
        (axis, middle, error) = (widest, center[widest], spread.sum())
        weight = Int((whole.weight / 255).rounded(.up))
        func level(_ channel: Int) -> UInt8 { UInt8(min(max(center[channel].rounded(), 0), 255)) }
        mean = ImageColor(red: level(0), green: level(1), blue: level(2), alpha: level(3))
    }

    /// The two halves of the group, or `nil` if all of its colors are equal.
    var divided: (ColorGroup, ColorGroup)? {
        let (low, high) = (colors.filter { $0.mean[axis] <= middle }, colors.filter { $0.mean[axis] > middle })
        guard !low.isEmpty, !high.isEmpty else { return nil }
        return (ColorGroup(low), ColorGroup(high))
    }
}

extension ImageColor {
    /// All channels as one number, for an order.
    fileprivate var number: UInt32 { UInt32(red) << 24 | UInt32(green) << 16 | UInt32(blue) << 8 | UInt32(alpha) }
}

extension Bitmap {
    fileprivate var countedColors: [CountedColor] {
        var table = [CountedColor](repeating: CountedColor(), count: 1 << 15)
        withUnsafeBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let pixel = bytes.load(fromByteOffset: y * stride + 4 * x, as: SIMD4<UInt8>.self)
                    guard pixel.w > 0 else { continue }
                    let opacity = Double(pixel.w)
                    // Premultiplied: blue, green, red and alpha.
                    let color =
                        pixel.w == 255
                        ? SIMD4<Double>(SIMD4(pixel.z, pixel.y, pixel.x, 255))
                        : SIMD4(Double(pixel.z), Double(pixel.y), Double(pixel.x), opacity)
                            * SIMD4(255, 255, 255, opacity) / opacity
                    func bin(_ channel: Int) -> Int { Int(min(color[channel], 255)) >> 3 }
                    let place = bin(0) << 10 | bin(1) << 5 | bin(2)
                    table[place].sum += color * opacity
                    table[place].weight += opacity
                }
            }
        }
        return table.filter { $0.weight > 0 }
    }
}
