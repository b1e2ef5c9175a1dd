import CalotypeBase
import Foundation

/// Requests for thumbnails that no cache has.
final class MissLoad: Sendable {
    /// The outcome of a time of load.
    struct Outcome {
        /// The number of thumbnails per second.
        let rate: Double
        /// The number of answers with each other status.
        let failures: [Int: Int]
    }

    private let server: String
    private let sources: [String]
    private let client: ThumbnailClient
    private let number = Locked(0)

    /// - Parameters:
    ///   - server: The URL of the server.
    ///   - sources: The sources to take in turn.
    ///   - connections: The maximum number of requests in flight.
    init(_ server: String, sources: [String], connections: Int) {
        (self.server, self.sources) = (server, sources)
        client = ThumbnailClient(connections: connections)
    }

    /// Keeps `count` requests in flight.
    func closed(_ count: Int, for time: Duration) async throws -> Outcome {
        let tally = Locked<[Int: Int]>([:])
        let end = ContinuousClock.now + time
        try await inTasks(count, Array(0..<count)) { [self] _ in
            while ContinuousClock.now < end { try await request(until: end, tally) }
        }
        return Outcome(tally, time)
    }

    /// Sends requests at a rate per second, however long the answers take. Later answers do not count.
    func open(rate: Double, for time: Duration) async throws -> Outcome {
        let tally = Locked<[Int: Int]>([:])
        let start = ContinuousClock.now
        var requests: [Task<Void, any Error>] = []
        for index in 0..<Int(rate * (time / .seconds(1))) {
            try await Task.sleep(until: start + .seconds(Double(index) / rate))
            requests.append(Task { [self] in try await request(until: start + time, tally) })
        }
        for request in requests { try await request.value }
        return Outcome(tally, time)
    }

    private func request(until end: ContinuousClock.Instant, _ tally: Locked<[Int: Int]>) async throws {
        let index = number.withLock { number in
            number += 1
            return number
        }
        let url = try server + ThumbnailURL.path(sources[index % sources.count], width: 400, buster: "m\(index)")
        let status = try await client.answer(url).status
        if ContinuousClock.now < end { tally.withLock { $0[status, default: 0] += 1 } }
    }
}

extension MissLoad.Outcome {
    fileprivate init(_ tally: Locked<[Int: Int]>, _ time: Duration) {
        var statuses = tally.withLock { $0 }
        rate = Double(statuses.removeValue(forKey: 200) ?? 0) / (time / .seconds(1))
        failures = statuses
    }
}
