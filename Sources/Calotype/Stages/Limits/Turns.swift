import CalotypeConcurrency
import ResourceProvider

/// Lets one task at a time work on what belongs to a key, in the order in which they came.
final class Turns: Sendable {
    /// For each key that is worked on, those who wait.
    private let queues = Locked([ByteString: [UnsafeContinuation<Void, Never>]]())

    func take<Value, Failure: Error>(
        _ key: ByteString, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        await withUnsafeContinuation { continuation in
            let isFree = queues.withLock { queues in
                guard queues[key] != nil else {
                    queues[key] = []
                    return true
                }
                queues[key]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
        defer { pass(key) }
        return try await body()
    }

    private func pass(_ key: ByteString) {
        let next: UnsafeContinuation<Void, Never>? = queues.withLock { queues in
            guard var queue = queues[key], !queue.isEmpty else {
                queues[key] = nil
                return nil
            }
            let next = queue.removeFirst()
            queues[key] = queue
            return next
        }
        next?.resume()
    }
}
