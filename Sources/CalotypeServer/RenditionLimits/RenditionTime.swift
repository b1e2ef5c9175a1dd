import CalotypeBase
import CalotypeHTTP

/// The time that a rendition may take, for all clients that wait for it: from the first request to the finished file.
struct RenditionTime: Sendable {
    private let deadline: RequestDeadline
    private let clock: any Clock<Duration>

    init(_ limit: Duration, clock: any Clock<Duration>) {
        self.clock = clock
        deadline = RequestDeadline(limit, clock: clock)
    }

    /// The time until the deadline; zero or less after it.
    var left: Duration { deadline.left }

    /// Returns the result of `work`, or throws `late` at the deadline. Work that ignores its cancellation goes on.
    func limited<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(ServerError) -> Value
    ) async throws(ServerError) -> Value {
        try await withTimeout(left, clock: clock, timedOut: .late, cancelled: .cancelled, work: work)
    }
}
