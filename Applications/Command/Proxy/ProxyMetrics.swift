import CalotypeBase
import CalotypeListener

final class ProxyMetrics: Sendable {
    struct Counts: Sendable {
        /// The number of responses by status class (1 to 9) and cache use.
        var answers = [[Int]](repeating: [Int](repeating: 0, count: CacheUse.allCases.count), count: 10)
        var inFlight: Int { traffic.inFlight }
        fileprivate var traffic = TrafficPeak(least: 16)
        var bytesSent = 0
        var clientsLeft = 0
        var dropped = 0
    }

    let started = ContinuousClock.now
    private let state = Locked(Counts())

    var counts: Counts { state.withLock { $0 } }

    func requestBegan() {
        state.withLock { $0.traffic.begin() }
    }

    /// Returns `true` once each time the requests in flight have dropped from 16 or more to a quarter of their maximum.
    func hasCalmedDown() -> Bool {
        state.withLock { $0.traffic.hasCalmedDown() }
    }

    func requestEnded(_ outcome: Listener.Outcome) {
        state.withLock { state in
            state.traffic.end()
            if outcome == .clientLeft { state.clientsLeft += 1 }
            if outcome == .dropped { state.dropped += 1 }
        }
    }

    /// - Parameter bytes: The size of a body that is sent as a whole; 0 for a body in chunks, which `sent` counts.
    func answered(_ status: Int, _ use: CacheUse, bytes: Int = 0) {
        state.withLock { state in
            state.answers[min(max(status / 100, 0), 9)][use.rawValue] += 1
            state.bytesSent += bytes
        }
    }

    func sent(_ bytes: Int) { state.withLock { $0.bytesSent += bytes } }
}
