import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer
@testable import CalotypeURLs

/// Origins that accept requests and send nothing.
@Suite(.requirement("V47"), .timeLimit(.minutes(1))) struct SilentSourceTests {
    private let silent: OriginServer
    private let web: WebServer
    private let gate = Gate()

    init() throws {
        let silent = try OriginServer(host: "127.0.0.2")
        self.silent = silent
        // Nothing but the rules under test ends or passes over a silent request.
        web = try WebServer { options, _ in
            (options.fetchDeadline, options.requestDeadline) = (.seconds(600), .seconds(600))
            options.queueLimit = 4
            options.silentLimit = 512
            try options.allowed.allow(ByteString(silent.url.absoluteString))
        }
        let reply = WebServer.reply()
        silent.onAny { [gate] in $0.path.hasPrefix("/silent") ? reply.held(by: gate) : reply }
        web.origin.onAny { _ in reply }
    }

    private func get(_ path: String) async throws -> TestServer.Answer {
        let source = ByteString(base64: ByteString(silent.url(path).absoluteString).bytes)
        return try await web.server.get("/_/w:64/f:png/\(source)")
    }

    // Their client has 128 connections.
    @Test func `100 silent sources delay neither another origin nor a good source of their own`() async throws {
        let loads = (0..<100).map { number in Task { try await get("/silent\(number)") } }
        await silent.waitForRequests(1)
        #expect(try await web.get().status == 200)
        #expect(try await get("/good").status == 200)
        #expect(silent.disconnects == 0 && web.server.server.renditions.queue.count == 0)
        gate.open()
        for load in loads { _ = try await load.value }
    }

    @Test func `behind 150 silent sources the loader asks for a good one of the same origin`() async throws {
        let loads = try (0..<150).map { number in
            let client = try RawClient(port: web.server.port)
            let source = ByteString(base64: ByteString(silent.url("/silent\(number)").absoluteString).bytes)
            try client.get("/_/w:64/f:png/\(source.string)", lines: ["Connection: close"])
            return client
        }
        await waitUntil { web.work.inProgress >= 150 }
        #expect(try await get("/good").status == 200)
        // No silent request has ended meanwhile.
        #expect(silent.disconnects == 0 && silent.inFlight >= 128)
        gate.open()
        withExtendedLifetime(loads) {}
    }
}
