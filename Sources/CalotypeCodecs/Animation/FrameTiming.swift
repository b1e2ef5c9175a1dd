/// The timing of frames as reported by a system library, which may omit it or lengthen short durations.
enum FrameTiming {
    /// Returns the duration stored in the file (`unclamped`) if the library reports it, otherwise the lengthened one
    /// (`clamped`), both in seconds. Unknown durations, and those of 10 ms or less, become 100 ms, as in browsers.
    static func duration(unclamped: Double?, clamped: Double?) -> Duration {
        let told = [unclamped, clamped].compactMap { $0 }.first { $0.isFinite && $0 > 0 } ?? 0
        // Limit to one day, which is longer than any real frame, because larger values may overflow.
        return ImageHeader.shownDuration(milliseconds: Int((min(told, 86_400) * 1000).rounded()))
    }

    /// Returns how many times an animation plays: 1 by default, `nil` if it repeats forever (0 in the file).
    static func loopCount(told: Int?) -> Int? {
        guard let told else { return 1 }
        return told <= 0 ? nil : told
    }
}
