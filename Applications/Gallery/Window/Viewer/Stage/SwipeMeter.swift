/// Turns motion to the side into one step for each gesture.
struct SwipeMeter: Equatable, Sendable {
    /// The points that a finger moves before the next image comes.
    static let threshold = 60.0

    private var sum = 0.0
    private var hasStepped = false

    /// Begins a gesture.
    mutating func begin() { self = SwipeMeter() }

    /// Adds motion; to the left is negative, as the finger goes.
    ///
    /// - Returns: 1 for the next image, -1 for the one before, or `nil` as long as it is not far enough, and after a step.
    mutating func move(_ distance: Double) -> Int? {
        guard !hasStepped else { return nil }
        sum += distance
        guard abs(sum) >= SwipeMeter.threshold else { return nil }
        hasStepped = true
        return sum < 0 ? 1 : -1
    }
}
