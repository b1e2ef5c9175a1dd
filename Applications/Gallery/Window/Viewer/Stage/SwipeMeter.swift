/// A meter that turns sideways motion into one step per gesture.
struct SwipeMeter: Equatable, Sendable {
    /// The distance that a finger moves before the next image appears, in points.
    static let threshold = 60.0

    private var sum = 0.0
    private var hasStepped = false

    mutating func begin() { self = SwipeMeter() }

    /// Adds a distance in points, which is negative for a motion to the left.
    ///
    /// - Returns: 1 for the next image, -1 for the previous one, or `nil` below the threshold and after a step.
    mutating func move(_ distance: Double) -> Int? {
        guard !hasStepped else { return nil }
        sum += distance
        guard abs(sum) >= SwipeMeter.threshold else { return nil }
        hasStepped = true
        return sum < 0 ? 1 : -1
    }
}
