import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer

/// Origins and decoders that do not finish in time.
@Suite(.timeLimit(.minutes(1))) struct DeadlineTests {
    private let web: WebServer
    private let time = ManualClock()
    private let gate = Gate()
    private var origin: OriginServer { web.origin }
    private var renditions: RenditionTransport { web.server.server.renditions }

    init() throws {
        let (time, gate) = (time, gate)
        web = try WebServer { options, _ in
            options.clock = time
            options.wallClock = time.wall
            options.decoders.register(HeldDecoder(gate: gate))
        }
    }

    @Test(.requirement("V17")) func `an origin that drips is 504 after 10 seconds, and holds no decoder`() async throws
    {
        defer { gate.open() }
        origin.on("/images/drip.jpg", WebServer.reply().dripping(bytes: 1, gate: gate))
        origin.on("/images/a.jpg", WebServer.reply())
        let drip = Task { try await web.get("/images/drip.jpg") }
        await origin.waitForRequests(1)
        gate.open(count: 3)
        // The deadlines of the rendition and of the download.
        await time.waitForSleepers(TestServer.idleSleepers + 2)
        #expect(try await web.get().status == 200)
        #expect(renditions.queue.count == 0 && renditions.work.decodes == 1)
        time.advance(by: .seconds(10))
        #expect(try await drip.value.status == 504)
        await origin.waitForDisconnects(1)
        #expect(renditions.work.decodes == 1)
    }

    @Test func `all hops of a download share its 10 seconds`() async throws {
        defer { gate.open() }
        origin.on("/images/1", OriginReply.redirect(to: "/images/2").held(by: gate))
        origin.on("/images/2", WebServer.reply().held(by: gate))
        let answer = Task { try await web.get("/images/1") }
        await origin.waitForRequests(1)
        await time.waitForSleepers(TestServer.idleSleepers + 2)
        time.advance(by: .seconds(9))
        gate.open(count: 1)
        await origin.waitForRequests(2)
        time.advance(by: .seconds(1))
        #expect(try await answer.value.status == 504)
        #expect(origin.requestCount() == 2)
    }

    @Test func `a stale result is sent in place of a late one`() async throws {
        defer { gate.open() }
        web.serveRevalidatable(WebServer.reply("max-age=100"), WebServer.confirmation.held(by: gate))
        let first = try await web.get()
        time.advance(by: .seconds(101 + 3600))
        let answer = Task { try await web.get() }
        await origin.waitForRequests(2)
        await time.waitForSleepers(TestServer.idleSleepers + 2)
        time.advance(by: .seconds(10))
        let stale = try await answer.value
        #expect(stale.status == 200 && stale.body == first.body)
    }

    @Test func `a decode that takes longer ends its rendition after 15 seconds, which gives its place back`()
        async throws
    {
        try web.server.write(HeldDecoder.file(), "held")
        let answer = Task { try await web.server.get("/_/w:10/f:png/plain/local:///held") }
        await gate.waitForWaiters(1)
        await time.waitForSleepers(TestServer.idleSleepers + 1)
        time.advance(by: .seconds(15))
        let late = try await answer.value
        #expect(late.status == 504 && late.text == "the rendition took too long\n")
        await waitUntil { renditions.queue.count == 0 }
        gate.open()
        #expect(try await web.server.get("/_/w:10/f:png/plain/local:///held").status == 200)
    }

    @Test func `100 renditions that wait for a decoder end at their deadline together`() async throws {
        for number in 0..<100 { try web.server.write(HeldDecoder.file(number), "held\(number)") }
        let answers = (0..<100).map { number in
            Task { try await web.server.get("/_/w:10/f:png/plain/local:///held\(number)") }
        }
        await waitUntil { renditions.queue.count == 100 }
        await time.waitForSleepers(TestServer.idleSleepers + 100)
        time.advance(by: .seconds(15))
        for answer in answers { #expect(try await answer.value.status == 504) }
        await waitUntil { renditions.queue.count == 0 && time.sleepers == TestServer.idleSleepers }
        gate.open()
    }
}
