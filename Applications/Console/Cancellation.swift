package import Calotype

// What commands do when Ctrl-C cancels their task.

extension Task where Success == Never, Failure == Never {
    package static func untilCancelled() async {
        let (never, continuation) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        continuation.finish()
    }
}

extension DiskStore {
    /// Completes writes and closes the store, even in a cancelled task: the cache keeps images loaded before Ctrl-C.
    package func closeForGood() async {
        // Ignores errors, because the store has already reported failed writes.
        await Task { try? await close() }.value
    }
}
