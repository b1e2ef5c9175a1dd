import CalotypeConcurrency

/// Several may settle it, the first one counts. One waits for it.
final class FirstResult<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(UnsafeContinuation<Value, Never>)
        case settled(Value)
    }

    private let state = Locked(State.open)

    func settle(_ value: Value) {
        let waiting: UnsafeContinuation<Value, Never>? = state.withLock { state in
            if case .settled = state { return nil }
            defer { state = .settled(value) }
            if case .awaited(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(returning: value)
    }

    var value: Value {
        get async {
            await withUnsafeContinuation { continuation in
                let settled: Value? = state.withLock { state in
                    if case .settled(let value) = state { return value }
                    state = .awaited(continuation)
                    return nil
                }
                if let settled { continuation.resume(returning: settled) }
            }
        }
    }
}
