/// Both images at one size. Receives rows in linear light, compares the rows around which a whole window has arrived, and gives
/// rows of half the size to the next.
///
/// Means and variances are those of a window of nine rows and columns that is nearly a Gaussian of 1.5 pixels. What lies
/// outside of the image is zero in it.
final class SimilaritySize {
    private typealias Lanes = SIMD8<Float>

    private let width: Int
    private let height: Int
    private let channels: [SimilarityWeights]
    private let next: SimilaritySize?
    /// The numbers from the start of one row in memory to that of the next. Zeros stand on both sides of the pixels.
    private let stride: Int
    private let memory: UnsafeMutablePointer<Float>
    private var count = 0
    private var sums: [Sums]

    /// Where rows stand in the memory.
    private enum Place {
        /// Linear light of the row that arrives: red, green and blue of each image.
        static let light = 0
        static let zero = 6
        static let squares = 7
        static let differences = 8
        /// Nine rows for each plane of each channel: the colors of both images, then the windows over them, over the squares of
        /// both and of their difference.
        static func ring(_ channel: Int, _ plane: Int, row: Int) -> Int { 9 + (channel * 6 + plane) * 9 + row % 9 }
        static func count(_ channels: Int) -> Int { 9 + channels * 6 * 9 }
    }

    private static let margin = 8

    init(width: Int, height: Int, sizes: ArraySlice<[SimilarityWeights]> = SimilarityWeights.sizes[...]) {
        (self.width, self.height) = (width, height)
        channels = sizes.first ?? []
        let smaller = sizes.dropFirst()
        next =
            smaller.isEmpty
            ? nil
            : SimilaritySize(width: (width + 1) / 2, height: (height + 1) / 2, sizes: smaller)
        stride = Self.margin + (width + 7) / 8 * 8 + Self.margin
        let total = stride * Place.count(channels.count)
        memory = .allocate(capacity: total)
        memory.initialize(repeating: 0, count: total)
        sums = Array(repeating: Sums(), count: channels.count)
    }

    deinit { memory.deallocate() }

    private func row(_ place: Int) -> UnsafeMutablePointer<Float> { memory + place * stride + Self.margin }

    /// Where the next row of an image is to be written: red, green or blue.
    func light(image: Int, plane: Int) -> UnsafeMutablePointer<Float> { row(Place.light + 3 * image + plane) }

    /// Takes the row that has been written.
    func addRow() {
        for image in 0..<2 { makeColors(image) }
        for channel in channels.indices { makeWindows(channel) }
        if let next { halve(into: next) }
        count += 1
        if count > 4 { compare(count - 5) }
        if count == height { finish() }
    }

    private func finish() {
        for row in max(count - 4, 0)..<height { compare(row) }
        // The last row of an odd number stands for both.
        if let next, height % 2 == 1 {
            halve(into: next, isSecond: true)
            next.addRow()
        }
    }

    /// Adds pairs of pixels to the next size's row, which is complete after two rows.
    private func halve(into next: SimilaritySize) {
        halve(into: next, isSecond: count % 2 == 1)
        if count % 2 == 1 { next.addRow() }
    }

    private func halve(into next: SimilaritySize, isSecond: Bool) {
        for image in 0..<2 {
            for plane in 0..<3 {
                let (from, to) = (light(image: image, plane: plane), next.light(image: image, plane: plane))
                for x in 0..<next.width {
                    let mean = (from[2 * x] + from[min(2 * x + 1, width - 1)]) * 0.25
                    to[x] = isSecond ? to[x] + mean : mean
                }
            }
        }
    }

    /// Computes XYB (ISO/IEC 18181-1), with scales and offsets that make all channels positive.
    private func makeColors(_ image: Int) {
        let (red, green, blue) = (
            light(image: image, plane: 0), light(image: image, plane: 1), light(image: image, plane: 2)
        )
        let bias: Float = 0.0037930732552754493, offset: Float = 0.155954200549248620
        let targets = channels.enumerated().map { ($1.channel, row(Place.ring($0, image, row: count))) }
        for x in Swift.stride(from: 0, to: width, by: 8) {
            let (r, g, b) = (Self.load(red + x), Self.load(green + x), Self.load(blue + x))
            let long = Self.cubeRoot(0.3 * r + 0.622 * g + 0.078 * b + bias) - offset
            let middle = Self.cubeRoot(0.23 * r + 0.692 * g + 0.078 * b + bias) - offset
            let light = 0.5 * (long + middle)
            for (channel, target) in targets {
                switch channel {
                case .x: Self.store(7 * (long - middle) + 0.42, target + x)
                case .y: Self.store(light + 0.01, target + x)
                case .b:
                    let mix = 0.24342268924547819 * r + 0.20476744424496821 * g + 0.55180986650955360 * b + bias
                    Self.store(Self.cubeRoot(mix) - offset - light + 0.55, target + x)
                }
            }
        }
        let end = (width + 7) / 8 * 8
        for (_, target) in targets { for x in width..<end { target[x] = 0 } }
    }

    private func makeWindows(_ channel: Int) {
        let place = { [count] plane in Place.ring(channel, plane, row: count) }
        let (one, other) = (row(place(0)), row(place(1)))
        let (squares, differences) = (row(Place.squares), row(Place.differences))
        for x in Swift.stride(from: 0, to: width, by: 8) {
            let (a, b) = (Self.load(one + x), Self.load(other + x))
            Self.store(a * a + b * b, squares + x)
            Self.store((a - b) * (a - b), differences + x)
        }
        for (source, plane) in [(one, 2), (other, 3), (squares, 4), (differences, 5)] {
            let target = row(place(plane))
            for x in Swift.stride(from: 0, to: width, by: 8) {
                let at = source + x
                Self.store(
                    Self.windowed(
                        Self.load(at),
                        sums: (
                            Self.load(at - 1) + Self.load(at + 1), Self.load(at - 2) + Self.load(at + 2),
                            Self.load(at - 3) + Self.load(at + 3), Self.load(at - 4) + Self.load(at + 4)
                        )), target + x)
            }
        }
    }

    /// A window's weighted sum, of the value in its middle and the sums of those at equal distances from it.
    @inline(__always)
    private static func windowed(_ middle: Lanes, sums: (Lanes, Lanes, Lanes, Lanes)) -> Lanes {
        0.2646211 * middle + 0.2129286 * sums.0 + 0.10933537 * sums.1 + 0.036011115 * sums.2 + 0.009414368 * sums.3
    }

    /// Adds the differences of a row.
    private func compare(_ y: Int) {
        for channel in channels.indices {
            // The rows of the window over a plane; what lies outside of the image is zero.
            let window = { [self] (plane: Int) in
                (y - 4...y + 4).map { row($0 < 0 || $0 >= height ? Place.zero : Place.ring(channel, plane, row: $0)) }
            }
            let (ones, others, squares, differences) = (window(2), window(3), window(4), window(5))
            let (one, other) = (row(Place.ring(channel, 0, row: y)), row(Place.ring(channel, 1, row: y)))
            var sums = LaneSums()
            for x in Swift.stride(from: 0, to: width, by: 8) {
                let (mean, otherMean) = (Self.down(ones, x), Self.down(others, x))
                let difference = (mean - otherMean) * (mean - otherMean)
                let variances = Self.down(squares, x) - mean * mean - otherMean * otherMean + 0.0009
                // 1 - (1 - difference) * (twice the covariance + 0.0009) / variances, without the loss of digits by which equal
                // pixels would differ.
                let apart = Self.down(differences, x) - difference
                let structure = Self.positive((apart + difference * (variances - apart)) / variances)
                let edge = Self.magnitude(Self.load(one + x) - mean)
                let otherEdge = Self.magnitude(Self.load(other + x) - otherMean)
                let change = (otherEdge - edge) / (1 + edge)
                sums.add(structure, Self.positive(change), Self.positive(-change), count: width - x)
            }
            self.sums[channel].add(sums)
        }
    }

    @inline(__always)
    private static func down(_ rows: [UnsafeMutablePointer<Float>], _ x: Int) -> Lanes {
        windowed(
            load(rows[4] + x),
            sums: (
                load(rows[3] + x) + load(rows[5] + x), load(rows[2] + x) + load(rows[6] + x),
                load(rows[1] + x) + load(rows[7] + x), load(rows[0] + x) + load(rows[8] + x)
            ))
    }

    @inline(__always)
    private static func load(_ place: UnsafeMutablePointer<Float>) -> Lanes {
        UnsafeRawPointer(place).loadUnaligned(as: Lanes.self)
    }

    @inline(__always)
    private static func store(_ values: Lanes, _ place: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(place).storeBytes(of: values, as: Lanes.self)
    }

    @inline(__always)
    private static func magnitude(_ values: Lanes) -> Lanes {
        unsafeBitCast(unsafeBitCast(values, to: SIMD8<UInt32>.self) & 0x7fff_ffff, to: Lanes.self)
    }

    @inline(__always)
    private static func positive(_ values: Lanes) -> Lanes { 0.5 * (values + magnitude(values)) }

    /// A third of the exponent, then two of Halley's steps: exact to the last bits.
    @inline(__always)
    private static func cubeRoot(_ values: Lanes) -> Lanes {
        var bits = unsafeBitCast(values, to: SIMD8<UInt32>.self)
        bits = (bits &>> 2) &+ (bits &>> 4)
        bits = bits &+ (bits &>> 4)
        bits = bits &+ (bits &>> 8)
        var root = unsafeBitCast(bits &+ 0x2a51_37a0, to: Lanes.self)
        for _ in 0..<2 {
            let cube = root * root * root
            root = root * (cube + values + values) / (cube + cube + values)
        }
        return root
    }

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

    /// The weighted sum of the differences of this size and the smaller ones.
    var weightedSum: Double {
        let pixels = Double(width) * Double(height)
        return zip(channels, sums).reduce(0) { $0 + $1.1.weighed($1.0, pixels: pixels) } + (next?.weightedSum ?? 0)
    }
}
