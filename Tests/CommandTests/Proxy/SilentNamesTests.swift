import CalotypeTesting
import TestSupport
import Foundation
import Testing
import Waiting

@testable import calotype_command

/// Names without an answering name server, requested by clients that leave at once.
@Suite(
    .enabled(if: SilentNameServer.isPossible, "a name server of the tests' own takes root and mount namespaces"),
    .timeLimit(.minutes(3)))
struct SilentNamesTests {
    // Each request used to keep a thread and two or three descriptors until the lookup ended: libdispatch ended the
    // process when it found no descriptor left.
    @Test(arguments: [64, 256], [true, false])
    func `lookups that nobody waits for leave a proxy its descriptors`(_ limit: Int, isForward: Bool) async throws {
        let names = try SilentNameServer()
        let origin = try OriginServer()
        origin.on("/a", .ok(Data("there".utf8)))
        let proxy = try ServerChild(
            ["proxy", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"]
                + (isForward ? [] : ["--origin", "http://silent.example"]),
            expectsAdmin: true, descriptors: limit, names: names)
        let admin = try #require(proxy.adminPort)
        for number in 0..<600 {
            try RawClient(port: proxy.port).get(isForward ? "http://n\(number).silent.example/" : "/\(number)")
        }
        await names.isAsked()
        try await repeatUntil {
            try await ask(admin, "/.calotype/metrics").contains("calotype_proxy_in_flight 0\n")
        }
        #expect(proxy.descriptors < limit / 2)
        #expect(try await ask(admin, "/.calotype/health").hasSuffix("ok\n"))
        if isForward { #expect(try await ask(proxy.port, origin.url("/a").absoluteString).hasSuffix("there")) }
        proxy.send(SIGTERM)
        #expect(await proxy.status == 0)
    }

    private func ask(_ port: Int, _ target: String) async throws -> String {
        let client = try RawClient(port: port)
        // The admin port answers only to its own name.
        try client.send("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
        return await client.receive()
    }
}
