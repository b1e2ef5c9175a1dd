import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing

@testable import CalotypeServer
@testable import CalotypeURLs

/// Stale results and their sources.
struct RevalidationTests {
    @Test(.requirement("V33"), arguments: [false, true])
    func `a stale result is sent at once, while one request confirms it`(isStored: Bool) async throws {
        let web = try WebServer(isStored: isStored)
        let gate = Gate()
        web.serveRevalidatable(WebServer.reply(), WebServer.confirmation.held(by: gate))
        let first = try await web.get()
        web.clock.advance(by: .seconds(101))
        for _ in 0..<10 {
            let stale = try await web.get()
            #expect(stale.outcome == "stale" && stale.body == first.body)
        }
        await web.origin.waitForRequests(2)
        gate.open()
        while try await web.get().outcome == "stale" {}
        #expect(try await web.get().outcome == "hit")
        #expect(web.origin.requestCount() == 2)
        #expect(web.work.decodes == 1 && web.work.encodes == 1)
    }

    // All results have one placeholder URL: its host was the group in which the revalidations of all origins shared.
    @Test(.requirement("V47"), .timeLimit(.minutes(1)))
    func `stale results of a silent origin do not stop the revalidations of another one`() async throws {
        let silent = try OriginServer(host: "127.0.0.2")
        let gate = Gate()
        defer { gate.open() }
        let web = try WebServer { options, _ in try options.allowed.allow(ByteString(silent.url.absoluteString)) }
        web.serveRevalidatable()
        silent.on("/b.jpg", WebServer.reply())
        let source = ByteString(base64: ByteString(silent.url("/b.jpg").absoluteString).bytes)
        _ = try await web.get()
        for width in 1...100 { _ = try await web.server.get("/_/w:\(width)/f:png/\(source)") }
        web.clock.advance(by: .seconds(101))
        silent.on("/b.jpg", WebServer.confirmation.held(by: gate))
        for width in 1...100 {
            #expect(try await web.server.get("/_/w:\(width)/f:png/\(source)").outcome == "stale")
        }
        #expect(try await web.get().outcome == "stale")
        await web.origin.waitForRequests(2)
    }

    @Test(.requirement("V33")) func `a source that has changed is decoded in the background`() async throws {
        let web = try WebServer()
        web.origin.on("/images/a.jpg", WebServer.reply())
        let first = try await web.get()
        web.origin.on("/images/a.jpg", WebServer.reply(tag: "\"v2\"", seed: 2))
        web.clock.advance(by: .seconds(101))
        #expect(try await web.get().body == first.body)
        while try await web.get().outcome == "stale" {}
        let second = try await web.get()
        #expect(second.body != first.body && second.fields["ETag"] != first.fields["ETag"])
        #expect(web.origin.requestCount() == 2 && web.work.decodes == 2)
    }

    @Test(.requirement("V33", "V42")) func `after the time for that, a client waits for the origin's 304`() async throws
    {
        let web = try WebServer()
        web.serveRevalidatable()
        let first = try await web.get()
        web.clock.advance(by: .seconds(101 + 3600))
        let second = try await web.get()
        #expect(second.outcome == "revalidated" && second.body == first.body)
        #expect(web.origin.requestCount() == 2 && web.work.decodes == 1)
    }

    @Test(.requirement("V42")) func `if the origin fails, a stale result is sent, and soon asked for again`()
        async throws
    {
        let web = try WebServer()
        web.origin.on("/images/a.jpg", WebServer.reply())
        let first = try await web.get()
        web.origin.on("/images/a.jpg", OriginReply.ok(Data()).resetImmediately())
        web.clock.advance(by: .seconds(101 + 3600))
        let stale = try await web.get()
        #expect(stale.status == 200 && stale.body == first.body)
        web.serveRevalidatable()
        web.clock.advance(by: .seconds(11))
        let before = web.origin.requestCount()
        _ = try await web.get()
        await web.origin.waitForRequests(before + 1)
    }
}
