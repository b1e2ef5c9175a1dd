/// The delays between retries.
public struct Backoff: Sendable {
    private let delayBefore: @Sendable (Int) -> Duration

    /// - Parameter delayBefore: Returns the delay before a retry. Retries are numbered from 1.
    public init(_ delayBefore: @escaping @Sendable (Int) -> Duration) {
        self.delayBefore = delayBefore
    }

    /// Returns the delay before a retry. Retries are numbered from 1.
    public func delay(before retry: Int) -> Duration { delayBefore(retry) }

    /// No delay.
    public static let none = constant(.zero)

    /// The same delay before every retry.
    public static func constant(_ delay: Duration) -> Backoff { Backoff { _ in delay } }

    /// Waits `first`, then `factor` times as long before each further retry, up to `limit`, with random jitter: without
    /// jitter, all clients of a server that failed would retry at the same moment.
    ///
    /// - Parameters:
    ///   - first: The delay before the first retry. The default is half a second.
    ///   - factor: The factor between consecutive delays. The default is 2.
    ///   - limit: The longest delay. The default is 30 seconds.
    ///   - jitter: The largest fraction of a delay, from 0 to 1, that is subtracted at random. The default is 0.5.
    ///   - random: Returns a number from 0 to 1. Tests replace it.
    public static func exponential(
        first: Duration = .milliseconds(500), factor: Double = 2, limit: Duration = .seconds(30), jitter: Double = 0.5,
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) -> Backoff {
        Backoff { retry in
            var delay = first
            // Multiply step by step, and stop at the limit: a power would overflow `Duration` after some sixty retries.
            var step = 1
            while step < retry, delay < limit {
                delay = delay * factor
                step += 1
            }
            return min(delay, limit) * (1 - min(max(jitter, 0), 1) * random())
        }
    }
}
