import CalotypeCodecs
import Foundation

/// A search for the best quality whose file fits into a number of bytes.
///
/// The logarithm of a file's size grows almost linearly with the quality. So two files predict the quality of the third, and
/// the search usually ends with it or with the next one.
struct QualitySearch {
    private let limit: Int
    /// The highest quality whose file fits, and the size of that file.
    private var low: (quality: Int, bytes: Int)
    /// The lowest quality whose file is too large, and the size of that file.
    private var high: (quality: Int, bytes: Int)

    /// The number of attempts in a row that fit, or that do not if it is negative.
    private var run = 0

    /// A file of at least this part of the limit is good enough.
    private static let goal = 0.95

    /// - Parameter lowest: The lowest quality to try, at most `quality`.
    init(limit: Int, tooLarge bytes: Int, at quality: Int, lowest: Int = 1) {
        self.limit = limit
        low = (lowest, 0)
        high = (quality, bytes)
    }

    /// Returns the best file found. The file of the lowest quality is returned even if it is too large.
    ///
    /// - Parameters:
    ///   - encode: Makes the file of a quality.
    ///   - hasTime: Called after each file but the first. If it returns `false`, the search ends.
    func best<Failure: Error>(
        _ encode: (Int) throws(Failure) -> Data, while hasTime: () -> Bool
    ) throws(Failure) -> Data {
        var search = self
        var best = try encode(low.quality)
        guard high.quality > low.quality, best.count <= limit else { return best }
        search.low.bytes = best.count
        while let quality = search.next, hasTime() {
            let file = try encode(quality)
            if file.count <= limit {
                search.low = (quality, file.count)
                search.run = max(search.run, 0) + 1
                best = file
            } else {
                search.high = (quality, file.count)
                search.run = min(search.run, 0) - 1
            }
        }
        return best
    }

    /// The quality to try next, or `nil` if the best file found is good enough.
    private var next: Int? {
        guard high.quality - low.quality > 1, Double(low.bytes) < Self.goal * Double(limit) else { return nil }
        // Aim between the goal and the limit, so that an error in either direction may still hit.
        let aim = log(Double(limit) * (1 + Self.goal) / 2)
        let (least, most) = (log(Double(max(low.bytes, 1))), log(Double(high.bytes)))
        // Two predictions that err on the same side have shown that the sizes of this image do not follow the rule.
        let isPredictable = most > least && abs(run) < 2
        let share = isPredictable ? (aim - least) / (most - least) : 0.5
        let quality = Double(low.quality) + share * Double(high.quality - low.quality)
        return min(max(Int(quality.rounded()), low.quality + 1), high.quality - 1)
    }
}
