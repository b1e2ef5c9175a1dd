package import CalotypeCodecs

/// The difference between two images of the same size on a display with some headroom: of their bases with the gain maps applied.
///
/// In steps of PQ with 8 bits, of which each is about as visible as any other: 1 is 1/255 of the range from 0 to 10,000 cd/m².
package struct RangeComparison: Sendable {
    /// The headroom of the display in stops.
    package let headroom: Double
    /// The mean of all pixels' red, green and blue.
    package let mean: Double
    /// The largest difference of a pixel's red, green or blue.
    package let max: Double

    /// Compares two images, or returns `nil` if their sizes differ, or memory is exhausted.
    ///
    /// - Parameter headroom: If `nil`, that from which on a map applies as a whole: the larger of both images', 0 without a map.
    package init?(_ first: Bitmap, _ second: Bitmap, headroom: Double? = nil) {
        let most = [first, second].compactMap { $0.gainMap?.numbers.alternateHeadroom }.max()
        let headroom = headroom ?? most ?? 0
        guard first.width == second.width, first.height == second.height,
            let one = GainMapRendition(first, headroom: headroom),
            let other = GainMapRendition(second, headroom: headroom)
        else { return nil }
        var (sum, largest) = (0.0, 0.0)
        for y in 0..<first.height {
            for (signal, second) in zip(one.signals(ofRow: y), other.signals(ofRow: y)) {
                let difference = signal - second
                for channel in 0..<3 {
                    sum += abs(difference[channel])
                    largest = Swift.max(largest, abs(difference[channel]))
                }
            }
        }
        self.headroom = headroom
        mean = 255 * sum / Double(3 * first.width * first.height)
        max = 255 * largest
    }
}
