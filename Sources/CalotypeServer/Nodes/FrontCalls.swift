package import CalotypeBase
import CalotypeHTTP
import CalotypeTransport
import Foundation

/// The calls to the cache in front, one for each purge that this node has taken.
package struct FrontCalls: Sendable {
    /// The maximum number of calls for one purge, and the time for all of them.
    static let attempts = 5
    static let limit = Duration.seconds(30)
    /// The pause before the second call; each further one is twice as long.
    static let pause = Duration.milliseconds(500)
    /// The maximum size of an answer, in bytes.
    private static let answerLimit = 64 << 10

    private let front: FrontCache
    private let clock: any Clock<Duration>
    private let wallClock: WallClock
    private let transport: any Transport

    package init(
        _ front: FrontCache, clock: any Clock<Duration> = ContinuousClock(), wallClock: WallClock = .system
    ) {
        self.init(front, clock: clock, wallClock: wallClock, over: CurlTransport())
    }

    init(_ front: FrontCache, clock: any Clock<Duration>, wallClock: WallClock, over transport: any Transport) {
        (self.front, self.clock, self.wallClock, self.transport) = (front, clock, wallClock, transport)
    }

    /// Has the cache in front obey the purge. Call this once the purge is in force in the servers behind it: it waits for their
    /// other processes, so that the cache does not get old results again.
    package func purge(_ purge: Purge) async -> FrontResult {
        var result = FrontResult(name: front.name)
        let late = TransportError(.timedOut, "it did not take the purge within \(Self.limit.text)")
        do throws(TransportError) {
            guard let request = front.request(for: purge) else {
                throw TransportError(.malformedURL, "the URL of the call is malformed")
            }
            guard await clock.slept(for: .seconds(Purge.reach)) else { throw .cancelled }
            result.error = try await withTimeout(
                Self.limit, clock: clock, timedOut: late, cancelled: .cancelled
            ) { () throws(TransportError) in try await refusal(of: request) }
        } catch {
            result.error = error.message
        }
        return result
    }

    /// Sends the call until an answer is final, and returns the reason of a refusal. A purge may be repeated.
    private func refusal(of request: HTTPRequest) async throws(TransportError) -> String? {
        var pause = Self.pause
        for attempt in 1... {
            let isLast = attempt == Self.attempts
            do throws(TransportError) {
                let response = try await transport.send(request)
                let asked = response.retryAfter(now: wallClock.now)
                guard !isLast, response.status == 429 || response.status >= 500 else {
                    let body = try await response.body.collect(limit: Self.answerLimit)
                    return front.refusal(status: response.status, body: body)
                }
                pause = max(pause, asked ?? .zero)
            } catch {
                guard !isLast, error.code != .cancelled else { throw error }
            }
            guard await clock.slept(for: pause) else { throw .cancelled }
            pause *= 2
        }
        return nil
    }
}

/// The result of a purge in the cache in front. JSON leaves out the properties that are `nil`.
package struct FrontResult: Encodable, Hashable, Sendable {
    package let name: String
    /// The reason why the purge is not known to be in force there.
    package var error: String?

    var failure: String? { error.map { "the purge is not known to be in force in \(name): \($0)" } }
}
