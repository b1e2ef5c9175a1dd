import CalotypeHTTP
import CalotypeTesting
import Foundation

extension Scenario {
    /// The work of a server when many clients request the same thumbnail, or several sizes of one source, at once.
    static let serveHerd = Scenario(
        name: "serve-herd",
        summary: "calotype serve: fetches, decodes and encodes of 100 equal requests, and of 10 sizes of a source"
    ) { bench in
        let photo = Photographs.medium
        let broken = photo.prefix(photo.count / 2)
        let shared: HTTPFields = ["Cache-Control": "max-age=600", "Content-Type": "image/jpeg"]
        try await Herd(of: 100, OriginReply(fields: shared, body: photo)).report(
            bench, "serve-herd", fetches: 1, decodes: 1, encodes: 1)
        try await Herd(of: 100, expecting: 422, OriginReply(fields: shared, body: broken)).report(
            bench, "serve-herd-broken", fetches: 2, decodes: 2)
        let unshared: HTTPFields = ["Cache-Control": "no-store", "Content-Type": "image/jpeg"]
        try await Herd(of: 100, OriginReply(fields: unshared, body: photo)).report(
            bench, "serve-herd-no-store", fetches: 2, decodes: 2, encodes: 2)
        try await Herd(of: 10, OriginReply(fields: shared, body: photo)) { 100 + 50 * $0 }.report(
            bench, "serve-herd-sizes", fetches: 1)
    }
}

/// Simultaneous requests for a source that the server does not have, and the work that they caused.
private struct Herd {
    private let fetches: Int
    private let decodes: Int
    private let encodes: Int

    /// - Parameter width: Returns the width that a client requests, in pixels.
    init(
        of count: Int, expecting status: Int = 200, _ reply: OriginReply,
        width: @escaping @Sendable (_ client: Int) -> Int = { _ in 400 }
    ) async throws {
        let origin = try OriginServer()
        let gate = Gate()
        origin.on("/photo.jpg", reply.held(by: gate))
        let server = try CountedServer(allowed: origin.url.absoluteString)
        let client = ThumbnailClient(connections: count)
        let source = origin.url("/photo.jpg").absoluteString
        let clients = (0..<count).map { number in
            Task { [root = server.url] in
                let url = root + (try ThumbnailURL.path(source, width: width(number)))
                let answer = try await client.answer(url)
                guard answer.status == status else { throw BenchError("\(answer.status) instead of \(status)") }
            }
        }
        await origin.waitForRequests(1)
        // Give every client the time to send its request before the origin answers.
        try await Task.sleep(for: .milliseconds(500))
        gate.open()
        for client in clients { try await client.value }
        (fetches, decodes, encodes) = (origin.requestCount(), server.decodes, server.encodes)
    }

    /// Reports the counts for which the caller gives a limit.
    func report(_ bench: Bench, _ name: String, fetches: Double, decodes: Double? = nil, encodes: Double? = nil) {
        for (work, count, limit) in [
            ("fetches", self.fetches, fetches), ("decodes", self.decodes, decodes), ("encodes", self.encodes, encodes),
        ] {
            guard let limit else { continue }
            bench.report(
                "\(name)-\(work)", with: "limit", unit: work, bar: .atMost(1), [(Double(count), limit)])
        }
    }
}
