/// A caller's turn to have work done on the codec threads.
package protocol WorkTurn: Sendable {
    /// Waits for the turn, which lasts until the caller ends it; returns at once if it has begun.
    func take() async throws(Interruption)
}
