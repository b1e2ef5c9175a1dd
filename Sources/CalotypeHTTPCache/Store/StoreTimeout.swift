internal import CalotypeBase
internal import CalotypeHTTP

/// A limit on the time of a store's call.
struct StoreTimeout: Sendable {
    let duration: Duration
    let clock: any Clock<Duration>

    /// Returns the result of the call, or throws `timedOut` after the duration, even if the call never ends. The call
    /// goes on if the caller's task is cancelled, because it may be half of a change.
    func limit<Value: Sendable>(_ call: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await Task {
            try await withTimeout(
                duration, clock: clock, timedOut: Self.timedOut as any Error, cancelled: TransportError.cancelled
            ) { () async throws(any Error) in
                try await call()
            }
        }.value
    }

    private static let timedOut = TransportError(.timedOut, "the store did not answer in time")
}
