import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing

@Suite struct CoalescingLayerTests {
    private let url: URL

    init() throws { url = try #require(URL(string: "http://a.test/")) }

    private func request(_ key: String) -> HTTPRequest {
        HTTPRequest(url, fields: ["Key": ByteString(key)])
    }

    @Test func `a hundred equal requests become one, and all read its body`() async throws {
        let gate = Gate()
        let fake = FakeTransport { request in
            await gate.wait()
            return HTTPResponse(url: request.url, status: 200, body: HTTPBody(Pieces(["made ", "once"])))
        }
        let arrived = Log<ByteString>()
        let transport = fake.coalesced { request in
            let key = request.fields["Key"] ?? ""
            arrived.add(key)
            return key
        }
        let tasks = (0..<100).map { _ in
            Task { try await transport.send(request("1")).body.collect() }
        }
        let other = Task { try await transport.send(request("2")).body.collect() }
        await fake.waitForRequests(2)
        await reaches { arrived.count == 101 }
        gate.open()
        for task in tasks + [other] { #expect(try await task.value == Data("made once".utf8)) }
        #expect(fake.requestCount < 10)
    }

    @Test func `a failure reaches all, and the next request tries again`() async throws {
        let gate = Gate()
        let fake = FakeTransport { _ throws(TransportError) in
            await gate.wait()
            throw TransportError(.other, "broken")
        }
        let transport = fake.coalesced { $0.fields["Key"] ?? "" }
        let tasks = (0..<3).map { _ in Task { await transport.failure(url)?.message } }
        await gate.waitForWaiters(1)
        gate.open()
        for task in tasks { #expect(await task.value == "broken") }
        let before = fake.requestCount
        #expect(await transport.failure(url)?.message == "broken")
        #expect(fake.requestCount == before + 1)
    }
}

/// A body in pieces.
private final class Pieces: HTTPBodySource {
    private let pieces: Locked<[String]>

    init(_ pieces: [String]) { self.pieces = Locked(pieces) }

    func next() async throws(TransportError) -> Data? {
        pieces.withLock { $0.isEmpty ? nil : Data($0.removeFirst().utf8) }
    }
}
