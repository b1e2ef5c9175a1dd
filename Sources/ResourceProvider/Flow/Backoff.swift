/// How long to wait before each further try.
public struct Backoff: Sendable {
    private let delayBefore: @Sendable (Int) -> Duration

    /// - Parameter delayBefore: the wait before the first, second, third … further try, counted from 1.
    public init(_ delayBefore: @escaping @Sendable (Int) -> Duration) {
        self.delayBefore = delayBefore
    }

    /// Returns the delay before a try. The first repetition has number 1.
    public func delay(before retry: Int) -> Duration { delayBefore(retry) }

    /// No wait at all.
    public static let none = constant(.zero)

    /// The same delay before every try.
    public static func constant(_ delay: Duration) -> Backoff { Backoff { _ in delay } }

    /// Waits `first`, then `factor` times as long each time, up to `limit`, each wait shortened at random.
    ///
    /// The randomness keeps a thousand clients of a server that stumbled from coming back in the same moment.
    ///
    /// - Parameters:
    ///   - first: the wait before the first further try. Half a second by default.
    ///   - factor: 2 by default.
    ///   - limit: no wait is longer. 30 seconds by default.
    ///   - jitter: what part of each wait is left to chance, 0 to 1. Half of it by default.
    ///   - random: a number from 0 to 1, replaced in tests.
    public static func exponential(
        first: Duration = .milliseconds(500), factor: Double = 2, limit: Duration = .seconds(30), jitter: Double = 0.5,
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) -> Backoff {
        Backoff { retry in
            var delay = first
            // Step by step, and no further than the limit: a power would overflow `Duration` after some sixty tries.
            var step = 1
            while step < retry, delay < limit {
                delay = delay * factor
                step += 1
            }
            return min(delay, limit) * (1 - min(max(jitter, 0), 1) * random())
        }
    }
}
