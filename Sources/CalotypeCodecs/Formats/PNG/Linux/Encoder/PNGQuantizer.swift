/// A palette for an image of more colors: the means of boxes that a median cut makes, moved to the middle of the nearest colors.
/// In integers, so that every machine gets the same colors.
struct PNGQuantizer {
    /// The colors, premultiplied.
    let colors: [UInt32]
    /// The mean square of the distance of pixels to the nearest color, summed over the channels.
    let error: Int

    /// The largest error at which an image keeps its look. Beyond it, gradients and skies show steps.
    static let errorLimit = 8

    /// - Parameter limit: From 2 to 256.
    init(_ rows: BitmapRows, limit: Int) {
        let found = ColorCells(rows)
        var cells = found.cells
        var palette = Self.boxes(&cells, found.hasClear ? limit - 1 : limit).map { Self.mean(cells[$0]) }
        for _ in 0..<2 { palette = Self.centered(palette, cells) }
        var sum = 0
        for cell in cells { sum += cell.count * Self.nearest(to: cell.mean, in: palette).distance }
        error = sum / max(rows.width * rows.height, 1)
        // Clear pixels stay clear.
        colors = (found.hasClear ? [0] : []) + palette.map(\.packed)
    }

    /// Cuts the box that differs most, where it differs most, until there are `limit` boxes.
    private static func boxes(_ cells: inout [ColorCell], _ limit: Int) -> [Range<Int>] {
        var boxes = [ColorBox(cells[...])]
        while boxes.count < limit {
            var widest = 0
            for index in boxes.indices where boxes[index].spread > boxes[widest].spread { widest = index }
            let box = boxes[widest]
            guard box.spread > 0 else { break }
            let (axis, mean) = (box.axis, box.mean[box.axis])
            // Neither part is empty: the cells differ from their mean.
            let middle = cells[box.range].partition { $0.mean[axis] > mean }
            boxes[widest] = ColorBox(cells[box.range.lowerBound..<middle])
            boxes.append(ColorBox(cells[middle..<box.range.upperBound]))
        }
        return boxes.map(\.range)
    }

    private static func mean(_ cells: ArraySlice<ColorCell>) -> SIMD4<Int32> {
        var total = ColorCell()
        for cell in cells { total.add(cell) }
        return total.mean
    }

    private static func centered(_ palette: [SIMD4<Int32>], _ cells: [ColorCell]) -> [SIMD4<Int32>] {
        var totals = [ColorCell](repeating: ColorCell(), count: palette.count)
        for cell in cells { totals[nearest(to: cell.mean, in: palette).index].add(cell) }
        return zip(palette, totals).map { $1.count == 0 ? $0 : $1.mean }
    }

    static func nearest(to color: SIMD4<Int32>, in palette: [SIMD4<Int32>]) -> (index: Int, distance: Int) {
        var best = (index: 0, distance: Int32.max)
        for index in palette.indices {
            let difference = palette[index] &- color
            let distance = (difference &* difference).wrappedSum()
            if distance < best.distance { best = (index, distance) }
        }
        return (best.index, Int(best.distance))
    }
}

/// Pixels of similar colors.
struct ColorCell {
    private(set) var count = 0
    private var sum = SIMD4<Int>(repeating: 0)

    /// The mean of the pixels, rounded.
    var mean: SIMD4<Int32> { SIMD4(truncatingIfNeeded: (sum &+ count / 2) / max(count, 1)) }

    mutating func add(_ color: SIMD4<Int32>) {
        count += 1
        sum &+= SIMD4(truncatingIfNeeded: color)
    }

    mutating func add(_ cell: ColorCell) {
        count += cell.count
        sum &+= cell.sum
    }
}

/// The pixels of an image by the upper bits of their colors: six of each channel, or five with three of alpha.
private struct ColorCells {
    private(set) var cells: [ColorCell] = []
    /// Whether there are clear pixels, which are in no cell.
    private(set) var hasClear = false

    init(_ rows: BitmapRows) {
        // The number of a cell plus 1; 0 for no cell.
        var numbers = [UInt32](repeating: 0, count: 1 << 18)
        let (shift, width, alphaShift): (UInt32, UInt32, UInt32) = rows.hasAlpha ? (3, 5, 5) : (2, 6, 8)
        let mask: UInt32 = (1 << width) - 1
        for y in 0..<rows.height {
            for pixel in rows.row(y) {
                let color = pixel | rows.opaqueMask
                guard color != 0 else {
                    hasClear = true
                    continue
                }
                let low = color >> shift & mask | (color >> (8 + shift) & mask) << width
                let key = low | (color >> (16 + shift) & mask) << (2 * width) | ((color >> 24) >> alphaShift) << 15
                if numbers[Int(key)] == 0 {
                    cells.append(ColorCell())
                    numbers[Int(key)] = UInt32(cells.count)
                }
                cells[Int(numbers[Int(key)]) - 1].add(SIMD4(packed: color))
            }
        }
    }
}

/// A part of the cells, with the channel in which they differ most.
private struct ColorBox {
    let range: Range<Int>
    let mean: SIMD4<Int32>
    private(set) var axis = 0
    /// The sum of the squared differences to the mean in that channel.
    private(set) var spread = 0

    init(_ cells: ArraySlice<ColorCell>) {
        range = cells.indices
        var total = ColorCell()
        for cell in cells { total.add(cell) }
        mean = total.mean
        var spreads = SIMD4<Int>(repeating: 0)
        var (least, most) = (mean, mean)
        for cell in cells {
            let color = cell.mean
            let difference = SIMD4<Int>(truncatingIfNeeded: color &- mean)
            spreads &+= difference &* difference &* cell.count
            least = pointwiseMin(least, color)
            most = pointwiseMax(most, color)
        }
        // A channel whose cells are all at most the mean cannot be cut at it.
        for channel in 0..<4 where most[channel] > mean[channel] && least[channel] <= mean[channel] {
            if spreads[channel] > spread { (axis, spread) = (channel, spreads[channel]) }
        }
    }
}

extension SIMD4<Int32> {
    /// Blue, green, red and alpha of a pixel.
    init(packed pixel: UInt32) {
        self.init(
            Int32(pixel & 0xFF), Int32(pixel >> 8 & 0xFF), Int32(pixel >> 16 & 0xFF), Int32(pixel >> 24))
    }

    /// The pixel of blue, green, red and alpha from 0 to 255.
    var packed: UInt32 {
        UInt32(truncatingIfNeeded: x) | UInt32(truncatingIfNeeded: y) << 8 | UInt32(truncatingIfNeeded: z) << 16
            | UInt32(truncatingIfNeeded: w) << 24
    }
}
