/// An image at the sizes that are compared, in the colors of XYB. Receives rows in linear light, and gives rows of half the size to
/// the next.
final class SimilarityImage {
    let width: Int
    let height: Int
    let channels: [SimilarityWeights]
    let next: SimilarityImage?
    /// Red, green and blue of the row that arrives.
    private let light: SimilarityRows
    /// All rows of each channel.
    private let colors: SimilarityRows
    private var count = 0

    init(width: Int, height: Int, sizes: ArraySlice<[SimilarityWeights]> = SimilarityWeights.sizes[...]) {
        (self.width, self.height) = (width, height)
        channels = sizes.first ?? []
        let smaller = sizes.dropFirst()
        next =
            smaller.isEmpty
            ? nil : SimilarityImage(width: (width + 1) / 2, height: (height + 1) / 2, sizes: smaller)
        light = SimilarityRows(width: width, count: 3)
        colors = SimilarityRows(width: width, count: channels.count * height)
    }

    /// Returns the memory of an image of this size in bytes.
    static func memory(width: Int, height: Int) -> Int {
        var (width, height, sum) = (width, height, 0)
        for channels in SimilarityWeights.sizes {
            sum += SimilarityRows.memory(width: width, count: 3 + channels.count * height)
            (width, height) = ((width + 1) / 2, (height + 1) / 2)
        }
        return sum
    }

    func row(_ y: Int, channel: Int) -> UnsafeMutablePointer<Float> { colors[channel * height + y] }

    /// Where the next row is to be written: red, green or blue.
    func light(_ plane: Int) -> UnsafeMutablePointer<Float> { light[plane] }

    /// Takes the row that has been written.
    func addRow() {
        makeColors()
        if let next { halve(into: next) }
        count += 1
        guard count == height, height % 2 == 1, let next else { return }
        // The last row of an odd number stands for both.
        halve(into: next, isSecond: true)
        next.addRow()
    }

    /// Adds pairs of pixels to the next size's row, which is complete after two rows.
    private func halve(into next: SimilarityImage) {
        halve(into: next, isSecond: count % 2 == 1)
        if count % 2 == 1 { next.addRow() }
    }

    private func halve(into next: SimilarityImage, isSecond: Bool) {
        for plane in 0..<3 {
            let (from, to) = (light(plane), next.light(plane))
            for x in 0..<next.width {
                let mean = (from[2 * x] + from[min(2 * x + 1, width - 1)]) * 0.25
                to[x] = isSecond ? to[x] + mean : mean
            }
        }
    }

    /// Computes XYB (ISO/IEC 18181-1), with scales and offsets that make all channels positive.
    private func makeColors() {
        let (red, green, blue) = (light(0), light(1), light(2))
        let bias: Float = 0.0037930732552754493, offset: Float = 0.155954200549248620
        let targets = channels.enumerated().map { ($1.channel, row(count, channel: $0)) }
        for x in Swift.stride(from: 0, to: width, by: 8) {
            let (r, g, b) = (
                SimilarityRows.load(red + x), SimilarityRows.load(green + x), SimilarityRows.load(blue + x)
            )
            let long = Self.cubeRoot(0.3 * r + 0.622 * g + 0.078 * b + bias) - offset
            let middle = Self.cubeRoot(0.23 * r + 0.692 * g + 0.078 * b + bias) - offset
            let light = 0.5 * (long + middle)
            for (channel, target) in targets {
                switch channel {
                case .x: SimilarityRows.store(7 * (long - middle) + 0.42, target + x)
                case .y: SimilarityRows.store(light + 0.01, target + x)
                case .b:
                    let mix = 0.24342268924547819 * r + 0.20476744424496821 * g + 0.55180986650955360 * b + bias
                    SimilarityRows.store(Self.cubeRoot(mix) - offset - light + 0.55, target + x)
                }
            }
        }
        let end = (width + 7) / 8 * 8
        for (_, target) in targets { for x in width..<end { target[x] = 0 } }
    }

    /// A third of the exponent, then two of Halley's steps: exact to the last bits.
    @inline(__always)
    private static func cubeRoot(_ values: SimilarityRows.Lanes) -> SimilarityRows.Lanes {
        var bits = unsafeBitCast(values, to: SIMD8<UInt32>.self)
        bits = (bits &>> 2) &+ (bits &>> 4)
        bits = bits &+ (bits &>> 4)
        bits = bits &+ (bits &>> 8)
        var root = unsafeBitCast(bits &+ 0x2a51_37a0, to: SimilarityRows.Lanes.self)
        for _ in 0..<2 {
            let cube = root * root * root
            root = root * (cube + values + values) / (cube + cube + values)
        }
        return root
    }
}

/// Rows of numbers, with zeros on both sides of each.
final class SimilarityRows {
    typealias Lanes = SIMD8<Float>

    /// The numbers from the start of one row to that of the next.
    private let stride: Int
    private let memory: UnsafeMutablePointer<Float>

    private static let margin = 8

    private static func stride(width: Int) -> Int { margin + (width + 7) / 8 * 8 + margin }

    init(width: Int, count: Int) {
        stride = Self.stride(width: width)
        memory = .allocate(capacity: stride * count)
        memory.initialize(repeating: 0, count: stride * count)
    }

    deinit { memory.deallocate() }

    static func memory(width: Int, count: Int) -> Int { 4 * stride(width: width) * count }

    subscript(row: Int) -> UnsafeMutablePointer<Float> { memory + row * stride + Self.margin }

    @inline(__always)
    static func load(_ place: UnsafeMutablePointer<Float>) -> Lanes {
        UnsafeRawPointer(place).loadUnaligned(as: Lanes.self)
    }

    @inline(__always)
    static func store(_ values: Lanes, _ place: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(place).storeBytes(of: values, as: Lanes.self)
    }
}
