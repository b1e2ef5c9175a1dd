import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing

@testable import CalotypeTransport

struct BodyLimitTests {
    let origin: OriginServer
    let transport: any Transport
    let gate = Gate()

    init() throws {
        origin = try OriginServer()
        transport = CurlTransport().limitingBody(to: 1000)
    }

    @Test(.requirement("B52"))
    func `a body above the limit is refused by its Content-Length, before a byte of it is read`() async {
        origin.on("/a", .ok(noise(1001)).bodyHeld(by: gate, after: 0))
        let error = await transport.failure(origin.url("/a"))
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.message.contains("1000") == true)
        await origin.waitForDisconnects(1)
        gate.open()
    }

    @Test(.requirement("B52")) func `a body without a length is refused in mid-stream`() async {
        origin.on("/a", .ok(noise(1001)).chunked())
        #expect(await transport.failure(origin.url("/a"))?.code == .bodyTooLarge)
    }

    @Test func `a body of exactly the limit passes`() async throws {
        origin.on("/a", .ok(noise(1000)))
        origin.on("/b", .ok(noise(1000)).chunked())
        #expect(try await transport.body(origin.url("/a")).count == 1000)
        #expect(try await transport.body(origin.url("/b")).count == 1000)
    }

    @Test func `a HEAD may announce any length`() async throws {
        origin.on("/a", .ok(noise(5000)))
        #expect(try await transport.send(HTTPRequest(origin.url("/a"), method: .head)).contentLength == 5000)
    }

    @Test func `the default is the smaller of 200 MB and a tenth of the memory`() {
        #expect(HTTPBody.standardLimit(memory: 1_000_000_000) == 100_000_000)
        #expect(HTTPBody.standardLimit(memory: 64_000_000_000) == 200_000_000)
        #expect(HTTPBody.standardLimit > 0)
    }
}
