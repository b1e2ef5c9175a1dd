/// A flag that passes the cancellation of a task to its work on another thread.
package struct Cancellation: Sendable {
    private let flag = Locked(false)

    package init() {}

    package var isCancelled: Bool { flag.withLock { $0 } }

    /// Calls `body`, and sets the flag when the calling task is cancelled.
    package func observed<Value: Sendable, Failure: Error>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withTaskCancellationHandler {
            do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
        } onCancel: {
            flag.withLock { $0 = true }
        }
        return try result.get()
    }
}
