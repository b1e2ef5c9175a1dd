/// Runs a closure of the program in a task of its own, which is cancelled with the current one.
///
/// A flight runs on its first caller's thread until it suspends, and until then cannot be cancelled. A closure that
/// computes for long would keep that thread. `Task.yield()` does not prevent it: it goes on without suspending if another
/// thread has been quick enough to resume it.
func inOwnTask<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = Task { try await body() }
    return try await withTaskCancellationHandler {
        try await task.value
    } onCancel: {
        task.cancel()
    }
}
