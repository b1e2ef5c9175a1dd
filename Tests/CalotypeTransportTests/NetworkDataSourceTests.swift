import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Requirements
import ResourceProvider
import Testing

/// S3.4, without the defects D3.9 and D3.10.
struct NetworkDataSourceTests {
    let origin: OriginServer

    init() throws {
        origin = try OriginServer()
    }

    @Test(.requirement("S3.4")) func `it gets the data for a URL, through redirects`() async throws {
        origin.on("/moved", .redirect(to: "/a"))
        origin.on("/a", .ok(noise(100_000)))
        #expect(try await Provider.networkDataSource().value(for: origin.url("/moved")) == noise(100_000))
    }

    @Test(.requirement("S3.4")) func `it throws when the download fails`() async throws {
        origin.on("/cut", .ok(noise(5000)).droppedAfter(bytes: 100))
        let source = Provider.networkDataSource()
        let error = await #expect(throws: TransportError.self) { try await source.value(for: origin.url("/cut")) }
        #expect(error?.code == .truncatedBody)
    }

    @Test(.requirement("B51", "D3.10"), arguments: [304, 404, 410, 501])
    func `a status that is no success is an error with its number`(_ status: Int) async throws {
        origin.on("/a", .status(status))
        let source = Provider.networkDataSource()
        let error = await #expect(throws: TransportError.self) { try await source.value(for: origin.url("/a")) }
        #expect(error?.code == .badStatus)
        #expect(error?.status == status)
    }

    @Test(.requirement("D3.9")) func `a body above the limit is refused`() async throws {
        origin.on("/a", .ok(noise(1001)))
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
}
