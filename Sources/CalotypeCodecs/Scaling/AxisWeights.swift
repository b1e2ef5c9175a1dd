/// One axis of a filter: the samples that make up each pixel of the result, and how much of each.
///
/// The weights of a pixel add up to exactly `one`, so that a plain area keeps its value and opaque stays opaque.
struct AxisWeights {
    static let shift = 14
    static let one = 1 << shift

    /// Weights for each pixel of the result: the same number for all, a multiple of four.
    private(set) var taps = 4
    /// For each pixel of the result, the sample of its first weight. Its samples lie in the source, unless that has fewer
    /// than `taps`.
    private(set) var firsts: [Int32] = []
    /// `taps` for each pixel of the result.
    private(set) var weights: [Int16] = []

    init(_ axis: AxisScaling) {
        var windows: [Range<Int>] = []
        var packed: [Int16] = []
        var exact: [Double] = []
        windows.reserveCapacity(axis.window.count)
        packed.reserveCapacity(axis.window.count * axis.tapLimit)
        for pixel in axis.window {
            windows.append(Self.weigh(pixel, axis, into: &exact))
            Self.append(exact, to: &packed)
        }
        spread(packed, windows, over: axis.halvedCount)
    }

    /// The samples that count for one pixel, and their weights, of any sum.
    private static func weigh(_ pixel: Int, _ axis: AxisScaling, into exact: inout [Double]) -> Range<Int> {
        let center = (Double(pixel) + 0.5) * axis.ratio
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

    /// Rounds the running sum, not its parts: these then add up, and thousands of small ones do not vanish.
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
            // A sample that reaches beyond the image's edge counts by what of it lies inside.
            let inside = min(axis.halvedLength - Double(sample), 1)
            return inside * axis.kernel.weight(at: (Double(sample) + 0.5 - center) / max(axis.ratio, 1))
        }
        // The part of the sample that the pixel covers.
        return max(min(Double(sample + 1), center + axis.reach) - max(Double(sample), center - axis.reach), 0)
    }

    /// Gives all pixels equally many weights. Where the last samples would lie beyond the source, a window starts earlier.
    private mutating func spread(_ packed: [Int16], _ windows: [Range<Int>], over count: Int) {
        taps = ((windows.lazy.map(\.count).max() ?? 1) + 3) & ~3
        firsts.reserveCapacity(windows.count)
        weights = [Int16](repeating: 0, count: windows.count * taps)
        var next = 0
        for (pixel, window) in windows.enumerated() {
            let first = max(min(window.lowerBound, count - taps), 0)
            let start = pixel * taps + window.lowerBound - first
            for place in start..<start + window.count {
                weights[place] = packed[next]
                next += 1
            }
            firsts.append(Int32(first))
        }
    }
}
