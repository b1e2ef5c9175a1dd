import CalotypeTesting
import Foundation

extension Scenario {
    /// The time until a purge on one node is in force on another, and its effect on one that was away.
    static let fleetPurge = Scenario(
        name: "fleet-purge",
        summary: "calotype serve: a purge on one of three nodes, one of which is away for a minute"
    ) { bench in
        guard let haproxy = Haproxy.executable else {
            return bench.printer.note("fleet-purge: skipped, haproxy is not installed")
        }
        let store = try ObjectStoreProcess()
        let fleet = try await NodeFleet(haproxy: haproxy, photo: Photographs.small, options: store.results("purge"))
        var times: [(ours: Double, baseline: Double)] = []
        var old = 0
        for round in 0..<(bench.isQuick ? 1 : 3) {
            let image = PurgedImage(fleet, "/purged-\(round).jpg")
            let seconds = try await image.secondsUntilPurged(away: bench.isQuick ? .seconds(15) : .seconds(60))
            times.append((seconds, 2))
            if try await image.isOldOnNodeThatReturns() { old += 1 }
        }
        bench.report("fleet-purge-others", with: "limit, 2 s", unit: "s", bar: .atMost(1), times)
        bench.report(
            "fleet-purge-third", with: "none; one is added", unit: "old images", bar: .exactly(1),
            [(Double(old + 1), 1)])
    }
}

/// An image that all three nodes have, and that is purged while the last of them is away.
private struct PurgedImage {
    private let fleet: NodeFleet
    private let path: String
    private let client = ThumbnailClient()
    private let old = Photographs.small
    private let new = Photographs.medium

    init(_ fleet: NodeFleet, _ path: String) {
        (self.fleet, self.path) = (fleet, path)
    }

    private var source: String { fleet.origin.url(path).absoluteString }

    /// Returns the body of the source, as a node sends it unchanged; `nil` if it sends none.
    private func body(on node: Int) async throws -> Data? {
        let url = try fleet.url(of: node) + ThumbnailURL.unchanged(source, buster: "purge")
        let answer = try await client.answer(url)
        return answer.status == 200 ? answer.body : nil
    }

    /// Purges the image on the first node, and waits until the last one has been away long enough.
    ///
    /// - Returns: The time until the first two nodes send the new image.
    func secondsUntilPurged(away: Duration) async throws -> Double {
        fleet.origin.on(path, NodeFleet.reply(old))
        for node in 0..<3 {
            guard try await body(on: node) == old else { throw BenchError("node \(node) does not send the image") }
        }
        fleet.end(2)
        let end = ContinuousClock.now + away
        fleet.origin.on(path, NodeFleet.reply(new))
        let time = try await seconds {
            try await fleet.purger(0).purge(.source(source), isHard: true)
            for node in 0..<2 {
                // Asks again as a client would, until the other process has the purge.
                while try await body(on: node) != new { try await Task.sleep(for: .milliseconds(10)) }
            }
        }
        // The third node is away for the whole time of the scenario.
        try await Task.sleep(until: end)
        return time
    }

    /// Starts the last node again. Returns whether its first answer with an image is the old one.
    func isOldOnNodeThatReturns() async throws -> Bool {
        try fleet.launch(2)
        for _ in 0..<600 {
            // Clients that do not wait until it is ready.
            if let body = try? await body(on: 2) {
                try await fleet.process(2).becomeReady()
                return body != new
            }
            // A process that starts does not report when it listens.
            try await Task.sleep(for: .milliseconds(50))
        }
        throw BenchError("the node that returns sends no image")
    }
}
