import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Requirements
import ResourceProvider
import ResourceProviderParts
import TestFiles
import Testing

/// S3.4, without the defects D3.9 and D3.10.
struct NetworkDataSourceTests {
    let origin: OriginServer

    init() throws {
        origin = try OriginServer()
    }

    @Test(.requirement("S3.4")) func `it gets the data for a URL, through redirects`() async throws {
        origin.on("/moved", .redirect(to: "/a"))
        origin.on("/a", .ok(sampleBytes(100_000)))
        #expect(try await Provider.networkDataSource().value(for: origin.url("/moved")) == sampleBytes(100_000))
    }

    @Test func `the target of a redirect is escaped once`() async throws {
        origin.on("/moved", .redirect(to: "/a?sig=a%2Bb%3D&n=[1]"))
        origin.on("/a", .ok(sampleBytes(10)))
        #expect(try await Provider.networkDataSource().value(for: origin.url("/moved")) == sampleBytes(10))
        #expect(origin.requests.last?.target == "/a?sig=a%2Bb%3D&n=%5B1%5D")
    }

    @Test(.requirement("S3.4")) func `it throws when the download fails`() async throws {
        origin.on("/cut", .ok(sampleBytes(5000)).droppedAfter(bytes: 100))
        let source = Provider.networkDataSource()
        let error = await #expect(throws: TransportError.self) { try await source.value(for: origin.url("/cut")) }
        #expect(error?.code == .truncatedBody)
    }

    @Test(.requirement("B51", "D3.10"), arguments: [302, 404, 410, 501])
    func `a status that is no success is an error with its number`(_ status: Int) async throws {
        origin.on("/a", .status(status))
        let source = Provider.networkDataSource()
        let error = await #expect(throws: TransportError.self) { try await source.value(for: origin.url("/a")) }
        #expect(error?.code == .badStatus)
        #expect(error?.status == status)
    }

    @Test(.requirement("D3.10"), arguments: [206, 304])
    func `a part or a 304 that was not asked for is malformed`(_ status: Int) async throws {
        origin.on("/a", OriginReply(status: status, body: status == 206 ? sampleBytes(10) : Data()))
        let error = await #expect(throws: TransportError.self) {
            try await Provider.networkDataSource().value(for: origin.url("/a"))
        }
        #expect(error?.code == .malformedResponse)
    }

    @Test(.requirement("D3.9")) func `a body above the limit is refused`() async throws {
        origin.on("/a", .ok(sampleBytes(1001)))
        let source = Provider.networkDataSource(limit: 1000)
        let error = await #expect(throws: TransportError.self) { try await source.value(for: origin.url("/a")) }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test(.requirement("D3.10")) func `it takes whole requests, by a transport of the caller's`() async throws {
        let fake = FakeTransport(body: Data("a".utf8))
        let source = Provider.networkDataSource(over: fake)
        let request = HTTPRequest(origin.url("/a"), fields: ["Accept": "image/webp"])
        #expect(try await source.value(for: request) == Data("a".utf8))
        #expect(fake.requests == [request])
    }

    @Test(.requirement("D3.9")) func `it hands bytes on while the rest is still to come`() async throws {
        let gate = Gate()
        origin.on("/a", .ok(sampleBytes(5000)).bodyHeld(by: gate, after: 1000))
        let parts = Watched(Data())
        let source = Provider.networkDataSource { part, _ in parts.update { $0.append(part) } }
        let load = Task { [url = origin.url("/a")] in try await source.value(for: url) }
        // The server holds the other 4000 bytes.
        await parts.wait { $0.count == 1000 }
        gate.open()
        #expect(try await load.value == sampleBytes(5000))
        #expect(parts.read { $0 } == sampleBytes(5000))
    }

    @Test(.requirement("D3.9")) func `a response is read part by part, and let go of it ends the transfer`()
        async throws
    {
        let gate = Gate()
        origin.on("/a", .ok(sampleBytes(5000)).bodyHeld(by: gate, after: 1000))
        origin.on("/gone", .status(404))
        let source = Provider.networkResponseSource(over: CurlTransport())
        let gone = HTTPRequest(origin.url("/gone"))
        let error = await #expect(throws: TransportError.self) { try await source.value(for: gone) }
        #expect(error?.code == .badStatus)
        try await read(1000, of: source.value(for: HTTPRequest(origin.url("/a"))))
        await origin.waitForDisconnects(1)
        gate.open()
    }

    private func read(_ count: Int, of response: HTTPResponse) async throws {
        var received = Data()
        for try await part in response.body {
            received.append(part)
            if received.count >= count { break }
        }
        #expect(received == sampleBytes(5000).prefix(count))
        #expect(response.contentLength == 5000)
    }
}
