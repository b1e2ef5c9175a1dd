import CalotypeBase
import Dispatch

/// Writes lines in order, on a separate thread: a reader that stalls delays nothing else. While it stalls, 1,024 lines
/// wait. Further lines are lost, and a line such as `{"lost":7}` counts them.
///
/// Lines that come within four milliseconds are written together, because each call of the system costs more than a line.
final class LineWriter: Sendable {
    static let limit = 1024
    private static let pause = DispatchTimeInterval.milliseconds(4)

    private struct State {
        /// The lines that wait, each with its line feed.
        var bytes: [UInt8] = []
        /// The number of lines that wait.
        var waiting = 0
        /// The number of lines being written.
        var writing = 0
        /// The number of lines lost since the last count was written.
        var lost = 0
        var isScheduled = false
    }

    private let queue = DispatchQueue(label: "calotype.lines")
    private let state = Locked(State())
    private let lost = AtomicInteger(0)
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameter write: Writes lines in UTF-8, each with its line feed.
    init(_ write: @escaping @Sendable ([UInt8]) -> Void) { self.write = write }

    /// The number of lines lost so far.
    var lostLines: Int { lost.load() }

    func add(_ line: String) { add(Array(line.utf8)) }

    /// - Parameter line: A line in UTF-8, without a line feed.
    func add(_ line: [UInt8]) {
        let (hasRoom, wakes) = state.withLock { state in
            guard state.waiting + state.writing < Self.limit else {
                state.lost += 1
                return (false, false)
            }
            // One array for all, which the other thread releases at once.
            state.bytes += line
            state.bytes.append(UInt8(ascii: "\n"))
            state.waiting += 1
            defer { state.isScheduled = true }
            return (true, !state.isScheduled)
        }
        if !hasRoom { _ = lost.add(1) }
        if wakes { queue.asyncAfter(deadline: .now() + Self.pause) { [self] in writeAll() } }
    }

    private func writeAll() {
        while true {
            let batch = state.withLock { state in
                let batch = state.bytes
                state.bytes = []
                (state.writing, state.waiting) = (state.waiting, 0)
                state.isScheduled = !batch.isEmpty
                return batch
            }
            if batch.isEmpty { return }
            write(batch)
            let lost = state.withLock { state in
                state.writing = 0
                defer { state.lost = 0 }
                return state.lost
            }
            if lost > 0 { write(Array("\(JSON.line(["lost": lost]))\n".utf8)) }
        }
    }

    /// Waits until all lines are written, or for a second.
    func end() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let once = Locked<CheckedContinuation<Void, Never>?>(continuation)
            let resume: @Sendable () -> Void = { once.withLock { $0.take() }?.resume() }
            queue.async { [self] in
                writeAll()
                resume()
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + 1, execute: resume)
        }
    }
}
