/// One axis of a resampling: the source places that make up each place of the result, and how much of each.
///
/// Shrinking averages the area that a result's pixel covers; enlarging interpolates between the two nearest centres.
/// The weights of a place add up to exactly `one`, so that a plain area keeps its value and opaque stays opaque.
/// (libyuv's horizontal filter weighs in 128ths that add up to 127: opaque white comes out as 253.)
struct AxisWeights {
    static let shift: Int32 = 14
    static let one: Int32 = 1 << shift

    /// For each place of the result, the first source place.
    private(set) var firsts: [Int] = []
    /// For each place of the result, where its weights start in `weights`; one more entry marks the end.
    private(set) var starts: [Int] = [0]
    private(set) var weights: [Int16] = []

    /// - Parameters: lengths in pixels, 1 to `Int32.max`, so that their products fit.
    init(from source: Int, to target: Int) {
        firsts.reserveCapacity(target)
        starts.reserveCapacity(target + 1)
        for place in 0..<target {
            if target < source {
                appendArea(place, source, target)
            } else {
                appendNeighbours(place, source, target)
            }
            starts.append(weights.count)
        }
    }

    /// In units of 1/target of a source pixel, a source pixel is `target` long and a result's pixel `source` long.
    private mutating func appendArea(_ place: Int, _ source: Int, _ target: Int) {
        let area = (place * source)..<((place + 1) * source)
        let first = area.lowerBound / target
        let last = (area.upperBound - 1) / target
        firsts.append(first)
        var given: Int32 = 0
        for pixel in first...last {
            let covered = min((pixel + 1) * target, area.upperBound) - area.lowerBound
            // Rounding the sums, not the parts, makes the parts add up.
            let sum = Int32((covered * Int(Self.one) + source / 2) / source)
            weights.append(Int16(sum - given))
            given = sum
        }
    }

    private mutating func appendNeighbours(_ place: Int, _ source: Int, _ target: Int) {
        let position = max((2 * place + 1) * source - target, 0)
        let left = min(position / (2 * target), source - 1)
        let remainder = position - left * 2 * target
        let right = Int32((remainder * Int(Self.one) + target) / (2 * target))
        firsts.append(left)
        guard right > 0, left + 1 < source else { return weights.append(Int16(Self.one)) }
        weights.append(Int16(Self.one - right))
        weights.append(Int16(right))
    }
}
