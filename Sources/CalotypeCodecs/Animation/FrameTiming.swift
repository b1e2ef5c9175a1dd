/// The timing of frames as a system library tells it: in seconds, perhaps with a shortest delay of that library's, or not at all.
package enum FrameTiming {
    /// How long a frame is shown.
    ///
    /// - Parameters:
    ///   - unclamped: The seconds that the file asks for.
    ///   - clamped: The same after the library has lengthened what it takes for too short.
    /// - Returns: What the file asks for where the library tells. 10 ms and less are 100 ms, as in browsers, and so is nothing.
    package static func duration(unclamped: Double?, clamped: Double?) -> Duration {
        let told = [unclamped, clamped].compactMap { $0 }.first { $0.isFinite && $0 > 0 } ?? 0
        // A day is more than any frame takes, and less than what does not fit.
        return ImageHeader.shownDuration(milliseconds: Int((min(told, 86_400) * 1000).rounded()))
    }

    /// How often an animation plays; `nil` for an endless one, which is 0. Once where nothing is told.
    package static func loopCount(told: Int?) -> Int? {
        guard let told else { return 1 }
        return told <= 0 ? nil : told
    }
}
