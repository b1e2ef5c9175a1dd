import CalotypeHTTP
import CalotypeTesting
@testable import CalotypeTransport
import Foundation
import Requirements
import Testing

/// The transport's promises, kept by Foundation.
struct URLSessionTransportTests {
    let origin: OriginServer
    let transport = URLSessionTransport()
    let gate = Gate()

    init() throws {
        origin = try OriginServer()
    }

    @Test func `a body arrives as it was sent`() async throws {
        for size in [0, 1, 20_000, 3_000_000] {
            origin.on("/\(size)", .ok(noise(size)))
            let response = try await transport.get(origin.url("/\(size)"))
            #expect(response.status == 200)
            #expect(response.contentLength == size)
            #expect(try await response.body.collect() == noise(size))
        }
        #expect(origin.requests[0].fields["Accept-Encoding"] == "identity")
    }

    @Test func `redirects and errors are answers, and nothing is cached`() async throws {
        origin.on("/moved", .redirect(to: "/elsewhere"))
        origin.on("/kept", OriginReply(fields: ["Cache-Control": "max-age=3600"], body: Data("a".utf8)))
        #expect(try await transport.get(origin.url("/moved")).status == 302)
        #expect(try await transport.get(origin.url("/none")).status == 404)
        for _ in 0..<2 { #expect(try await transport.body(origin.url("/kept")) == Data("a".utf8)) }
        #expect(origin.requestCount("/elsewhere") == 0)
        #expect(origin.requestCount("/kept") == 2)
    }

    @Test func `the head comes before the body is complete`() async throws {
        origin.on("/a", .ok(noise(1000)).bodyHeld(by: gate, after: 10))
        let response = try await transport.get(origin.url("/a"))
        #expect(response.status == 200)
        gate.open()
        #expect(try await response.body.collect() == noise(1000))
    }

    @Test(.requirement("B13")) func `cancelling ends the download`() async {
        origin.on("/a", .ok(noise(100_000)).bodyHeld(by: gate, after: 10))
        let load = start(transport, HTTPRequest(origin.url("/a")))
        await origin.waitForRequests(1)
        load.cancel()
        #expect(await load.value.error?.code == .cancelled)
        await origin.waitForDisconnects(1)
        gate.open()
    }

    @Test func `a reader that is slow gets everything all the same`() async throws {
        origin.on("/a", .ok(noise(8 << 20)))
        let response = try await transport.get(origin.url("/a"))
        var body = Data()
        for try await chunk in response.body {
            body.append(chunk)
            for _ in 0..<10 { await Task.yield() }
        }
        #expect(body == noise(8 << 20))
    }

    @Test func `errors are typed`() async throws {
        origin.on("/lost", .status(200).resetImmediately())
        origin.on("/held", .ok(Data()).held(by: gate))
        #expect(await transport.failure(origin.url("/lost"))?.code == .connectionLost)
        #expect(await transport.failure(try #require(URL(string: "ftp://a/b")))?.code == .unsupportedScheme)
        var request = HTTPRequest(origin.url("/held"))
        request.timeouts.total = .milliseconds(50)
        #expect(await transport.failure(request)?.code == .timedOut)
        gate.open()
        origin.stop()
        // The code depends on whether URLSession knows by then that the kept connection is closed.
        let code = await transport.failure(origin.url("/a"))?.code
        #expect(code == .cannotConnect || code == .connectionLost)
    }
}

@Suite struct URLSessionErrorTests {
    @Test func `a system that refuses plain http is told from a failed handshake`() {
        let refused = URLError(.appTransportSecurityRequiresSecureConnection)
        let error = TransportError(session: refused, host: "photos.example")
        #expect(error.code == .insecureConnectionRefused)
        #expect(error.message.contains("https"))
        let failed = URLError(.secureConnectionFailed)
        #expect(TransportError(session: failed, host: "photos.example").code == .tlsFailed)
    }
}
