package import Testing

/// Yields to other tasks until `condition` is `true`. Use it for a state that another task is about to reach, and of which
/// nothing notifies the test.
///
/// After a minute, the function records an issue and cancels the test's task. The other waits of the test then return at
/// once, so that the test ends. In a cancelled task, the function returns at once.
package func waitUntil(
    within limit: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation, _ condition: () -> Bool
) async {
    let patience = Patience(limit, sourceLocation)
    while !condition() {
        guard patience.lasts else { return }
        await Task.yield()
    }
}

/// Calls `attempt` until it returns `true`, and yields to other tasks in between. Ends like
/// ``waitUntil(within:sourceLocation:_:)`` after a minute.
package func repeatUntil(
    within limit: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation,
    _ attempt: () async throws -> Bool
) async rethrows {
    let patience = Patience(limit, sourceLocation)
    while try await !attempt() {
        guard patience.lasts else { return }
        await Task.yield()
    }
}

private struct Patience {
    private let limit: Duration
    private let end: ContinuousClock.Instant
    private let sourceLocation: SourceLocation

    init(_ limit: Duration, _ sourceLocation: SourceLocation) {
        self.limit = limit
        self.sourceLocation = sourceLocation
        end = .now + limit
    }

    /// `false` in a cancelled task. Records an issue and cancels the task if the time is over.
    var lasts: Bool {
        if Task.isCancelled { return false }
        if .now < end { return true }
        Issue.record("the state was not reached within \(limit)", sourceLocation: sourceLocation)
        withUnsafeCurrentTask { $0?.cancel() }
        return false
    }
}
