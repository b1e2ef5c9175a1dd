import CalotypeBase
import CalotypeServer
import CalotypeTesting
import TestSupport
import Foundation
import ServeMix
import Testing
import Waiting

@testable import calotype_command

/// Random requests to `calotype serve` around its limits. `Scripts/soak` sends as many as it has time for.
@Suite(.timeLimit(.minutes(5))) struct ServeMixTests {
    private static let queue = 6
    private static let memory = 160_000_000
    private let calotype: Calotype

    init() throws {
        calotype = try Calotype()
        try ServeMix.writeFiles { try calotype.write($0, to: "photos/\($1)") }
    }

    /// - Parameter isTight: Whether descriptors are the smallest limit, instead of memory.
    private func server(isTight: Bool, _ more: [String]) throws -> ServerChild {
        try ServerChild(
            [
                "serve", "--root", calotype.directory.appending(path: "photos").path, "--insecure", "--no-isolate",
                "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--queue", "\(Self.queue)", "--memory",
                "\(Self.memory / 1_000_000)MB",
            ] + more, expectsAdmin: true, descriptors: isTight ? 160 : 2048)
    }

    private func metrics(_ server: ServerChild) async throws -> PrometheusText {
        let client = try RawClient(port: try #require(server.adminPort))
        try client.send("GET /.calotype/metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        return try PrometheusText(await client.receive().components(separatedBy: "\r\n\r\n").dropFirst().joined())
    }

    /// The limit on the connections of clients.
    private func connections(isTight: Bool, stores: Int) -> Int {
        var options = RenditionServer.Options(root: "/")
        options.memory.limit = Self.memory
        let limits = ServerLimits.ofThumbnails(descriptors: isTight ? 160 : 2048, stores: stores, others: 0)
        return min(limits.connections, options.shares.connectionLimit)
    }

    @Test(arguments: [(1, false, false), (2, true, false), (3, false, true)])
    func `random requests around each limit get whole answers, and everything is given back`(
        seed: UInt64, isTight: Bool, isStored: Bool
    ) async throws {
        let store = isStored ? ["--store", calotype.place.appending(path: "store").path] : []
        let server = try server(isTight: isTight, store)
        let mix = ServeMix(port: server.port, seed: seed)
        try mix.learn()
        let descriptors = server.descriptors
        let limit = connections(isTight: isTight, stores: isStored ? 2 : 0)
        for clients in [1, Self.queue - 1, Self.queue + 1, limit - 1, limit, limit + 1, 2 * limit] {
            try mix.run(150, clients: clients)
        }
        #expect(mix.wrong.isEmpty, "\(mix.wrong.prefix(5))")
        #expect(mix.statuses[200] ?? 0 > 300 && [304, 206, 400, 404, 422].allSatisfy { mix.statuses[$0] ?? 0 > 0 })
        // At rest: no connection, no request, no reservation, no descriptor.
        var last = try await metrics(server)
        func used(_ share: String) -> Double? { last.value("calotype_serve_memory_used_bytes", ["share": share]) }
        var isAtRest = false
        while !isAtRest, !Task.isCancelled {
            await waitUntil { server.descriptors <= descriptors + (isStored ? 64 : 8) }
            last = try await metrics(server)
            isAtRest =
                last.value("calotype_serve_in_flight") == 0
                && ["connections", "decodes", "undecoded"].allSatisfy { used($0) == 0 }
        }
        #expect(last.value("calotype_serve_dropped_total") == 0)
    }
}
