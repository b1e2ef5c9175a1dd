import CalotypeBase
import Foundation

/// Reads the memory of a process and its descendants on its own thread, and keeps the peak.
final class MemoryWatch: Sendable {
    private struct State {
        var peak = 0.0
        var isEnding = false
    }

    private let state = Locked(State())

    init(_ tree: ProcessTree, every pause: TimeInterval = 0.05) {
        Thread { [state] in
            while !state.withLock({ $0.isEnding }) {
                let bytes = (try? tree.proportionalBytes()) ?? 0
                state.withLock { $0.peak = max($0.peak, bytes) }
                Thread.sleep(forTimeInterval: pause)
            }
        }.start()
    }

    deinit { state.withLock { $0.isEnding = true } }

    /// The largest memory so far (PSS), in bytes.
    var peak: Double { state.withLock { $0.peak } }
}
