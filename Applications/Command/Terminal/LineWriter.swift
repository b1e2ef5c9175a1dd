import CalotypeBase
import Dispatch

/// Writes lines in order, on a separate thread: a reader that stalls delays nothing else. While it stalls, 1,024 lines
/// wait. Further lines are lost, and a line such as `{"lost":7}` counts them.
final class LineWriter: Sendable {
    static let limit = 1024

    private struct State {
        var waiting = 0
        var lost = 0
    }

    private let queue = DispatchQueue(label: "calotype.lines")
    private let state = Locked(State())
    private let write: @Sendable (String) -> Void

    init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

    func add(_ line: String) {
        let hasRoom = state.withLock { state in
            guard state.waiting < Self.limit else {
                state.lost += 1
                return false
            }
            state.waiting += 1
            return true
        }
        guard hasRoom else { return }
        queue.async { [self] in
            write(line)
            let lost = state.withLock { state in
                state.waiting -= 1
                defer { state.lost = 0 }
                return state.lost
            }
            if lost > 0 { write(JSON.line(["lost": lost])) }
        }
    }

    /// Waits until all lines are written, or for a second.
    func end() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let once = Locked<CheckedContinuation<Void, Never>?>(continuation)
            let resume: @Sendable () -> Void = { once.withLock { $0.take() }?.resume() }
            queue.async(execute: resume)
            DispatchQueue.global().asyncAfter(deadline: .now() + 1, execute: resume)
        }
    }
}
