/// The number of requests in flight, and whether it has dropped far below its maximum. A value: its owner locks it.
package struct TrafficPeak: Sendable {
    /// The number of requests in flight.
    package private(set) var inFlight = 0
    /// The maximum number of requests in flight since they last calmed down.
    private var most = 0
    private let least: Int

    /// - Parameter least: The maximum from which a drop counts.
    package init(least: Int) { self.least = least }

    package mutating func begin() {
        inFlight += 1
        most = max(most, inFlight)
    }

    package mutating func end() { inFlight -= 1 }

    /// Returns `true` once each time the requests in flight have dropped from `least` or more to a quarter of their maximum.
    package mutating func hasCalmedDown() -> Bool {
        guard most >= least, inFlight <= most / 4 else { return false }
        most = inFlight
        return true
    }
}
