/// The differences of two images at one size.
///
/// Means and variances are those of a window of nine rows and columns that is nearly a Gaussian of 1.5 pixels. What lies
/// outside of the image is zero in it.
struct SimilaritySize {
    private typealias Lanes = SimilarityRows.Lanes

    private let original: SimilarityImage
    private let other: SimilarityImage
    private let rows: SimilarityRows

    /// Where rows stand in the memory.
    private enum Place {
        static let zero = 0
        static let squares = 1
        static let differences = 2
        /// Nine rows for each plane: the windows over both images, over the squares of both and of their difference.
        static func ring(_ plane: Int, row: Int) -> Int { 3 + plane * 9 + row % 9 }
        static let count = 3 + 4 * 9
    }

    init(_ original: SimilarityImage, _ other: SimilarityImage) {
        (self.original, self.other) = (original, other)
        rows = SimilarityRows(width: original.width, count: Place.count)
    }

    /// Returns the memory that a comparison at this size takes besides the images, in bytes.
    static func memory(width: Int) -> Int { SimilarityRows.memory(width: width, count: Place.count) }

    /// The weighted sum of the differences.
    var weightedSum: Double {
        let pixels = Double(original.width) * Double(original.height)
        return original.channels.enumerated().reduce(0) { sum, channel in
            sum + differences(channel.offset).weighed(channel.element, pixels: pixels)
        }
    }

    private func differences(_ channel: Int) -> Sums {
        var sums = Sums()
        let height = original.height
        for y in 0..<height {
            makeWindows(y, channel)
            if y >= 4 { sums.add(compared(y - 4, channel)) }
        }
        for y in max(height - 4, 0)..<height { sums.add(compared(y, channel)) }
        return sums
    }

    private func makeWindows(_ y: Int, _ channel: Int) {
        let (one, other) = (original.row(y, channel: channel), other.row(y, channel: channel))
        let (squares, differences) = (rows[Place.squares], rows[Place.differences])
        let width = original.width
        for x in Swift.stride(from: 0, to: width, by: 8) {
            let (a, b) = (SimilarityRows.load(one + x), SimilarityRows.load(other + x))
            SimilarityRows.store(a * a + b * b, squares + x)
            SimilarityRows.store((a - b) * (a - b), differences + x)
        }
        for (plane, source) in [one, other, squares, differences].enumerated() {
            let target = rows[Place.ring(plane, row: y)]
            for x in Swift.stride(from: 0, to: width, by: 8) {
                let at = source + x
                SimilarityRows.store(
                    Self.windowed(
                        SimilarityRows.load(at),
                        sums: (
                            SimilarityRows.load(at - 1) + SimilarityRows.load(at + 1),
                            SimilarityRows.load(at - 2) + SimilarityRows.load(at + 2),
                            SimilarityRows.load(at - 3) + SimilarityRows.load(at + 3),
                            SimilarityRows.load(at - 4) + SimilarityRows.load(at + 4)
                        )), target + x)
            }
        }
    }

    /// A window's weighted sum, of the value in its middle and the sums of those at equal distances from it.
    @inline(__always)
    private static func windowed(_ middle: Lanes, sums: (Lanes, Lanes, Lanes, Lanes)) -> Lanes {
        0.2646211 * middle + 0.2129286 * sums.0 + 0.10933537 * sums.1 + 0.036011115 * sums.2 + 0.009414368 * sums.3
    }

    /// Returns the differences of a row.
    private func compared(_ y: Int, _ channel: Int) -> LaneSums {
        let (width, height) = (original.width, original.height)
        // The rows of the window over a plane; what lies outside of the image is zero.
        let window = { (plane: Int) in
            (y - 4...y + 4).map { rows[$0 < 0 || $0 >= height ? Place.zero : Place.ring(plane, row: $0)] }
        }
        let (ones, others, squares, differences) = (window(0), window(1), window(2), window(3))
        let (one, other) = (original.row(y, channel: channel), other.row(y, channel: channel))
        var sums = LaneSums()
        for x in Swift.stride(from: 0, to: width, by: 8) {
            let (mean, otherMean) = (Self.down(ones, x), Self.down(others, x))
            let difference = (mean - otherMean) * (mean - otherMean)
            let variances = Self.down(squares, x) - mean * mean - otherMean * otherMean + 0.0009
            // 1 - (1 - difference) * (twice the covariance + 0.0009) / variances, without the loss of digits by which equal
            // pixels would differ.
            let apart = Self.down(differences, x) - difference
            let structure = Self.positive((apart + difference * (variances - apart)) / variances)
            let edge = Self.magnitude(SimilarityRows.load(one + x) - mean)
            let otherEdge = Self.magnitude(SimilarityRows.load(other + x) - otherMean)
            let change = (otherEdge - edge) / (1 + edge)
            sums.add(structure, Self.positive(change), Self.positive(-change), count: width - x)
        }
        return sums
    }

    @inline(__always)
    private static func down(_ rows: [UnsafeMutablePointer<Float>], _ x: Int) -> Lanes {
        windowed(
            SimilarityRows.load(rows[4] + x),
            sums: (
                SimilarityRows.load(rows[3] + x) + SimilarityRows.load(rows[5] + x),
                SimilarityRows.load(rows[2] + x) + SimilarityRows.load(rows[6] + x),
                SimilarityRows.load(rows[1] + x) + SimilarityRows.load(rows[7] + x),
                SimilarityRows.load(rows[0] + x) + SimilarityRows.load(rows[8] + x)
            ))
    }

    @inline(__always)
    private static func magnitude(_ values: Lanes) -> Lanes {
        unsafeBitCast(unsafeBitCast(values, to: SIMD8<UInt32>.self) & 0x7fff_ffff, to: Lanes.self)
    }

    @inline(__always)
    private static func positive(_ values: Lanes) -> Lanes { 0.5 * (values + magnitude(values)) }

    private struct LaneSums {
        var (structure, added, lost) = (Lanes(), Lanes(), Lanes())
        var (structure4, added4, lost4) = (Lanes(), Lanes(), Lanes())

        /// - Parameter count: The pixels from here to the end of the row, of which eight at most count.
        @inline(__always)
        mutating func add(_ structure: Lanes, _ added: Lanes, _ lost: Lanes, count: Int) {
            var (s, a, l) = (structure, added, lost)
            if count < 8 { for lane in count..<8 { (s[lane], a[lane], l[lane]) = (0, 0, 0) } }
            self.structure += s
            self.added += a
            self.lost += l
            (s, a, l) = (s * s, a * a, l * l)
            structure4 += s * s
            added4 += a * a
            lost4 += l * l
        }
    }

    private struct Sums {
        var (mean, worst) = (SimilarityWeights.Differences(), SimilarityWeights.Differences())

        mutating func add(_ row: LaneSums) {
            mean.structure += Double(row.structure.sum())
            mean.added += Double(row.added.sum())
            mean.lost += Double(row.lost.sum())
            worst.structure += Double(row.structure4.sum())
            worst.added += Double(row.added4.sum())
            worst.lost += Double(row.lost4.sum())
        }

        func weighed(_ weights: SimilarityWeights, pixels: Double) -> Double {
            mean.weighed(weights.mean) { $0 / pixels }
                + worst.weighed(weights.worst) { ($0 / pixels).squareRoot().squareRoot() }
        }
    }
}
