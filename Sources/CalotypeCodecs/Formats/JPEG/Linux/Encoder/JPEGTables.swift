/// The quantization tables of a quality: steps that grow with the distance of a frequency from 0.
///
/// A search found the weights, by SSIMULACRA2 and with a third of the weight by butteraugli; `Scripts/tune-jpeg` continues it.
struct JPEGTables {
    /// Two or three tables in zigzag order, for luma and chroma or for luma, Cb and Cr: in 4:2:0 and in 4:4:4.
    let subsampled: [[UInt8]], full: [[UInt8]]

    func tables(isSubsampled: Bool) -> [[UInt8]] { isSubsampled ? subsampled : full }
}

extension JPEGTables {
    /// - Parameter isSmall: Whether Cb and Cr share a table, because a small file has no use for 65 bytes more.
    init(quality: Int, isSmall: Bool) {
        let components = isSmall ? [Self.luma, Self.chroma] : [Self.luma, Self.cb, Self.cr]
        let (subsampled, full) = (Self.scale(quality, Self.subsampledScales), Self.scale(quality, Self.fullScales))
        self.subsampled = components.map { $0.table(subsampled) }
        self.full = components.enumerated().map { $1.table($0 == 0 ? full : full * Self.fullChroma / 256) }
    }

    /// Interpolates between the qualities in a list of scales.
    private static func scale(_ quality: Int, _ scales: [(quality: Int, scale: Int)]) -> Int {
        let next = scales.firstIndex { $0.quality >= quality } ?? scales.count - 1
        let (low, high) = (scales[max(next - 1, 0)], scales[next])
        guard high.quality > low.quality else { return high.scale }
        return low.scale + (high.scale - low.scale) * (quality - low.quality) / (high.quality - low.quality)
    }

    // MARK: - Tuned constants

    /// Steps in 1/256, for a scale of 1: at distances of 0, 1, 2, 4, 7 and 10, and how much more on the diagonal.
    private static let luma = StepWeights([139, 179, 262, 497, 906, 2383], diagonal: 57)
    private static let cb = StepWeights([132, 345, 386, 794, 1187, 2505], diagonal: 0)
    private static let cr = StepWeights([155, 216, 276, 470, 616, 958], diagonal: 0)
    private static let chroma = StepWeights([143, 273, 326, 611, 855, 1549], diagonal: 0)
    /// How much larger the steps of chroma are in 4:4:4, where more samples carry it, in 1/256.
    private static let fullChroma = 614

    /// Scales in 1/256 for qualities in 4:2:0, chosen so that photographs have about the mean score that libjpeg gives them.
    private static let subsampledScales = [
        (quality: 1, scale: 60_000), (5, 43_000), (10, 23_700), (20, 10_270), (30, 6660), (40, 5030), (50, 4100),
        (60, 3430), (70, 2710), (80, 1920), (85, 1555), (90, 1100), (95, 655), (100, 0),
    ]
    /// The same in 4:4:4.
    private static let fullScales = [
        (quality: 1, scale: 60_000), (5, 40_000), (10, 19_400), (20, 8360), (30, 5400), (40, 4030), (50, 3230),
        (60, 2620), (70, 1960), (80, 1340), (85, 1015), (90, 665), (95, 335), (100, 0),
    ]
}

/// Steps of a component by the distance of a frequency from 0.
private struct StepWeights {
    private static let distances = [0, 1, 2, 4, 7, 10]
    private let weights: [Int]
    private let diagonal: Int

    init(_ weights: [Int], diagonal: Int) { (self.weights, self.diagonal) = (weights, diagonal) }

    /// Returns the table for a scale in 1/256.
    func table(_ scale: Int) -> [UInt8] {
        Zigzag.places.map { place in
            let step = (scale * at(Int(place) / 8, Int(place) % 8) + 1 << 15) >> 16
            return UInt8(min(max(step, 1), 255))
        }
    }

    /// Returns the step of two frequencies from 0 to 7 in 1/256.
    private func at(_ u: Int, _ v: Int) -> Int {
        let square = u * u + v * v
        // An exact root, rounded down, is the same on each processor.
        let distance = Int(Double(square << 16).squareRoot())
        let next = min(max(Self.distances.firstIndex { $0 << 8 >= distance } ?? 5, 1), 5)
        let (near, far) = (Self.distances[next - 1] << 8, Self.distances[next] << 8)
        let weight = weights[next - 1] + (weights[next] - weights[next - 1]) * (distance - near) / (far - near)
        return weight + (square > 1 ? weight * diagonal * 2 * u * v / (square << 8) : 0)
    }
}
