import CalotypeBase
import CalotypeHTTP
import CalotypeTransport
import Foundation

/// A run that asks servers for renditions, some at a time.
struct WarmRun: Sendable {
    let targets: [WarmTarget]
    let accept: ByteString?
    let connections: Int
    let isVerbose: Bool
    let console: Console

    private struct Counts {
        var made = 0
        var stored = 0
        var failed = 0
        var bytes = 0
        /// Whether a server could not be reached, so that nothing more is asked for.
        var isOver = false

        var finished: Int { made + stored + failed }
    }

    private final class State: Sendable {
        let counts = Locked(Counts())
        /// The time until which all connections wait.
        let pause = Locked(ContinuousClock.now)
        let start = ContinuousClock.now
    }

    /// The number of times that a rendition may be answered with a 503.
    private static let attempts = 20

    func perform() async -> ExitStatus {
        guard !targets.isEmpty else { return .success }
        let state = State()
        var options = CurlTransport.Options()
        options.connectionsPerHost = connections
        let transport = CurlTransport(options: options)
        await shown(state) {
            await withTaskGroup(of: Void.self) { group in
                var waiting = targets[...]
                func next() {
                    guard !Task.isCancelled, !state.counts.withLock({ $0.isOver }), let target = waiting.popFirst()
                    else {
                        return
                    }
                    group.addTask { await ask(for: target, transport, state) }
                }
                for _ in 0..<connections { next() }
                while await group.next() != nil { next() }
            }
        }
        let counts = state.counts.withLock { $0 }
        let left = targets.count - counts.finished
        console.line(
            "\(counts.made) made, \(counts.stored) stored before, \(counts.failed) failed"
                + (left > 0 ? ", \(left) not asked for" : ""))
        return counts.failed == 0 && left == 0 ? .success : .failure
    }

    private func ask(for target: WarmTarget, _ transport: CurlTransport, _ state: State) async {
        var request = HTTPRequest(target.origin)
        request.rawTarget = target.target
        request.fields["Accept"] = accept
        for attempt in 1...Self.attempts {
            do throws(TransportError) {
                try await wait(state)
                let response = try await transport.send(request)
                let bytes = try await response.body.collect().count
                if response.status == 503, attempt < Self.attempts {
                    pause(state, for: response.fields["Retry-After"]?.asDigits)
                    continue
                }
                return note(response, of: bytes, target, state)
            } catch {
                guard error.code != .cancelled else { return }
                console.complain("warm: \(target.label): \(error)")
                return state.counts.withLock { counts in
                    counts.failed += 1
                    counts.isOver = counts.isOver || error.code == .cannotConnect
                }
            }
        }
    }

    // MARK: Waiting

    private func wait(_ state: State) async throws(TransportError) {
        while case let end = state.pause.withLock({ $0 }), end > ContinuousClock.now {
            // The server's Retry-After, which another answer may lengthen meanwhile.
            do { try await Task.sleep(until: end) } catch { throw .cancelled }
        }
    }

    /// - Parameter seconds: The server's Retry-After; `nil` if it names none.
    private func pause(_ state: State, for seconds: Int?) {
        let end = ContinuousClock.now + max(.seconds(min(seconds ?? 1, 3600)), .milliseconds(100))
        state.pause.withLock { $0 = max($0, end) }
    }

    // MARK: Outcomes

    private func note(_ response: HTTPResponse, of bytes: Int, _ target: WarmTarget, _ state: State) {
        let isMade = (200...299).contains(response.status)
        let status = response.fields.values(of: "Cache-Status").last ?? ""
        let isStored = isMade && status.split(separator: UInt8(ascii: ";")).contains { $0.trimmed == "hit" }
        state.counts.withLock { counts in
            counts.bytes += bytes
            if !isMade { counts.failed += 1 } else if isStored { counts.stored += 1 } else { counts.made += 1 }
        }
        if !isMade {
            console.complain("warm: \(target.label): \(response.status)")
        } else if isVerbose {
            console.line("\(isStored ? "stored" : "made")\t\(bytes)\t\(target.label)")
        }
    }

    private func shown(_ state: State, _ work: () async -> Void) async {
        guard console.showsStatus else { return await work() }
        let ticker = Task {
            while !Task.isCancelled {
                console.status(line(state).text(width: console.width))
                // Between two drawings of the progress line.
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
        await work()
        ticker.cancel()
        await ticker.value
        console.status(nil)
    }

    private func line(_ state: State) -> ProgressLine {
        let counts = state.counts.withLock { $0 }, now = ContinuousClock.now
        let pause = state.pause.withLock { $0 } - now
        return ProgressLine(
            total: targets.count, finished: counts.finished, failed: counts.failed, bytes: counts.bytes,
            seconds: (now - state.start) / .seconds(1), wait: pause > .zero ? pause / .seconds(1) : nil)
    }
}
