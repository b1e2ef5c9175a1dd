import CalotypeBase

/// The weights of a filter along one axis: for each pixel of the result, the weights of the samples it averages.
///
/// The weights of a pixel add up to exactly `one`, so that uniform areas keep their value and opacity.
struct AxisWeights: Hashable {
    static let shift = 14
    static let one = 1 << shift

    /// The number of weights per pixel of the result: the same for all, a multiple of four, or of two in pairs.
    private(set) var taps = 4
    /// For each pixel of the result, the index of the sample that its first weight multiplies: in pairs an even one,
    /// never less than that of the pixel before. Otherwise the `taps` samples from this index are within the source, unless the source has fewer samples.
    private(set) var firsts: [Int32] = []
    /// The weights, `taps` per pixel of the result.
    private(set) var weights: [Int16] = []

    /// - Parameter inPairs: Whether the weights apply to pairs of samples, the first of which has an even index.
    init(_ axis: AxisScaling, inPairs: Bool = false) {
        var windows: [Range<Int>] = []
        var packed: [Int16] = []
        var exact: [Double] = []
        windows.reserveCapacity(axis.window.count)
        packed.reserveCapacity(axis.window.count * axis.tapLimit)
        for pixel in axis.window {
            windows.append(Self.weigh(pixel, axis, into: &exact))
            Self.append(exact, to: &packed)
        }
        var starts = windows.map(\.lowerBound)
        if inPairs { starts = Self.rising(starts.map { $0 & ~1 }) }
        let longest = zip(windows, starts).reduce(1) { max($0, $1.0.upperBound - $1.1) }
        taps = inPairs ? (longest + 1) & ~1 : (longest + 3) & ~3
        // A range of samples that would end beyond the source, once it is padded, starts earlier.
        if !inPairs { starts = starts.map { [taps] in max(min($0, axis.halvedCount - taps), 0) } }
        spread(packed, windows, from: starts)
    }

    /// Lowers each start to the least of those after it. A pixel on the center of a sample needs no sample before that
    /// one, but the next pixel does: rows of which a scaler keeps a few must not be needed again once later ones were.
    private static func rising(_ starts: [Int]) -> [Int] {
        var (starts, least) = (starts, Int.max)
        for pixel in starts.indices.reversed() {
            least = min(least, starts[pixel])
            starts[pixel] = least
        }
        return starts
    }

    /// Returns the range of samples that contribute to a pixel, and writes their unnormalized weights to `exact`.
    private static func weigh(_ pixel: Int, _ axis: AxisScaling, into exact: inout [Double]) -> Range<Int> {
        let center = axis.center(of: pixel)
        let lower = min(max(Int((center - axis.reach).rounded(.down)), 0), axis.halvedCount - 1)
        let upper = max(min(Int((center + axis.reach).rounded(.up)), axis.halvedCount), lower + 1)
        exact.removeAll(keepingCapacity: true)
        var first = lower
        for sample in lower..<upper {
            let weight = Self.weight(of: sample, center, axis)
            if exact.isEmpty, weight == 0, sample < upper - 1 { first += 1 } else { exact.append(weight) }
        }
        while exact.count > 1, exact.last == 0 { exact.removeLast() }
        return first..<first + exact.count
    }

    /// Appends the weights, normalized to a sum of `one`. Rounds the running sum rather than each weight: the total is
    /// then exact, and many small weights are not all rounded to 0.
    private static func append(_ exact: [Double], to packed: inout [Int16]) {
        let scale = Double(one) / exact.reduce(0, +)
        var (sum, given) = (0.0, 0)
        for weight in exact.dropLast() {
            sum += weight
            let rounded = Int((sum * scale).rounded())
            packed.append(Int16(rounded - given))
            given = rounded
        }
        packed.append(Int16(one - given))
    }

    private static func weight(of sample: Int, _ center: Double, _ axis: AxisScaling) -> Double {
        guard axis.kernel == .box else {
            // Reduce the weight of a sample that extends beyond the image's edge to the fraction inside.
            let inside = min(axis.halvedLength - Double(sample), 1)
            return inside * axis.kernel.weight(at: (Double(sample) + 0.5 - center) / max(axis.ratio, 1))
        }
        // The fraction of the sample that the pixel covers.
        return max(min(Double(sample + 1), center + axis.reach) - max(Double(sample), center - axis.reach), 0)
    }

    /// Pads the weights of every pixel with zeros to the same number, from its start on.
    private mutating func spread(_ packed: [Int16], _ windows: [Range<Int>], from starts: [Int]) {
        firsts = starts.map(Int32.init)
        weights = [Int16](repeating: 0, count: windows.count * taps)
        var next = 0
        for (pixel, window) in windows.enumerated() {
            let start = pixel * taps + window.lowerBound - starts[pixel]
            for place in start..<start + window.count {
                weights[place] = packed[next]
                next += 1
            }
        }
    }

    private static let known = KnownWeights()

    /// Returns the weights of an axis, cached because computing them takes as long as filtering a small image.
    static func shared(_ axis: AxisScaling, inPairs: Bool = false) -> AxisWeights {
        known.weights(of: axis, inPairs: inPairs)
    }
}

/// The weights of the axes that were filtered last.
struct KnownWeights: Sendable {
    static let limit = 16
    /// Axes with more weights than this (32 KB) are not cached.
    static let longest = 16_384

    private struct Key: Hashable {
        let axis: AxisScaling
        let inPairs: Bool
    }

    private let known = Locked<[Key: AxisWeights]>([:])

    var count: Int { known.withLock { $0.count } }

    func weights(of axis: AxisScaling, inPairs: Bool = false) -> AxisWeights {
        let key = Key(axis: axis, inPairs: inPairs)
        if let weights = known.withLock({ $0[key] }) { return weights }
        let weights = AxisWeights(axis, inPairs: inPairs)
        guard weights.weights.count <= Self.longest else { return weights }
        known.withLock { known in
            // At the limit, drop all weights. Those still needed are computed again.
            if known.count >= Self.limit { known.removeAll() }
            known[key] = weights
        }
        return weights
    }
}
