import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
@testable import CalotypeURLs
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer

/// The failures of sources, which the server remembers for 10 seconds.
@Suite(.timeLimit(.minutes(1))) struct SourceFailureTests {
    private let web: WebServer
    private let time = ManualClock()
    private var origin: OriginServer { web.origin }

    init() throws {
        let time = time
        web = try WebServer { options, _ in
            options.clock = time
            options.wallClock = time.wall
        }
    }

    private static let damaged = SamplePhotos.jpeg(width: 640, height: 480).prefix(3000)

    @Test(arguments: [("missing", 404), ("empty", 422), ("text", 422), ("damaged", 422)])
    func `all sizes of a source that fails ask its origin once in 10 seconds`(kind: String, status: Int) async throws {
        var reply: OriginReply =
            switch kind {
            case "missing": .status(404)
            case "empty": .ok(Data())
            case "text": .html("no image")
            default: .ok(Self.damaged)
            }
        reply.fields["Cache-Control"] = "max-age=5"
        origin.on("/images/a.jpg", reply)
        #expect(try await web.get().status == status)
        let (asked, decoded) = (origin.requestCount(), web.work.decodes)
        for width in 65..<85 { #expect(try await web.get(width: width).status == status) }
        #expect(origin.requestCount() == asked && web.work.decodes == decoded)
        origin.on("/images/a.jpg", WebServer.reply())
        time.advance(by: .seconds(11))
        #expect(try await web.get(width: 85).status == 200)
        #expect(try await web.get(width: 84).status == 200)
    }

    @Test func `all sizes of a silent source fail for 10 seconds after its deadline`() async throws {
        let (time, gate) = (time, Gate())
        defer { gate.open() }
        // The loader's own deadline does not pass: the transport, which has another clock, ends the exchange.
        let web = try WebServer { options, _ in
            options.clock = time
            options.wallClock = time.wall
            options.fetchDeadline = .seconds(2)
        }
        let origin = web.origin
        origin.on("/images/a.jpg", WebServer.reply().held(by: gate))
        #expect(try await web.get().status == 504)
        for width in 65..<85 { #expect(try await web.get(width: width).status == 504) }
        #expect(origin.requestCount() == 1)
        origin.on("/images/a.jpg", WebServer.reply())
        time.advance(by: .seconds(11))
        #expect(try await web.get().status == 200)
    }

    @Test func `an origin that fails or asks to wait is asked again at once`() async throws {
        origin.on("/images/a.jpg", .status(429))
        #expect(try await web.get().status == 503)
        origin.on("/images/a.jpg", WebServer.reply())
        #expect(try await web.get(width: 65).status == 200)
    }

    @Test func `a damaged file is decoded once, and a mended one at once`() async throws {
        try web.server.write(Self.damaged, "a.jpg")
        for width in 10..<20 {
            #expect(try await web.server.get("/_/w:\(width)/f:png/plain/local:///a.jpg").status == 422)
        }
        #expect(web.work.decodes == 1)
        try web.server.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
        #expect(try await web.server.get("/_/w:20/f:png/plain/local:///a.jpg").status == 200)
    }

    @Test func `a damaged source is sent unchanged where its URL asks for that`() async throws {
        try web.server.write(Self.damaged, "a.jpg")
        #expect(try await web.server.get("/_/w:10/plain/local:///a.jpg").status == 422)
        let raw = try await web.server.get("/_/raw:1/plain/local:///a.jpg")
        #expect(raw.status == 200 && raw.body == Self.damaged)
    }

    @Test func `a limit of one URL fails no other`() async throws {
        try web.server.write(SamplePhotos.jpeg(width: 640, height: 480), "a.jpg")
        #expect(try await web.server.get("/_/w:10/msr:0.1/plain/local:///a.jpg").status == 422)
        #expect(try await web.server.get("/_/w:10/msfs:100/plain/local:///a.jpg").status == 422)
        #expect(try await web.server.get("/_/w:10/plain/local:///a.jpg").status == 200)
    }

    @Test func `failures are forgotten if the clock is set back, and beyond 1,024 of them`() async throws {
        let clock = Locked(1000.0)
        let wall = WallClock { clock.withLock { $0 } }
        let failures = SourceFailures(lifetime: .seconds(10), wallClock: wall, purges: PurgeList())
        let options = try RenditionRequest(path: "/w:10/plain/a").options
        func fails(_ name: ByteString) -> Bool { (try? failures.check(name, for: options)) == nil }
        for number in 0..<10_000 {
            _ = try? await failures.noting([.source], of: "\(number)") { () async throws(ServerError) in
                throw ServerError(ImageError(.dataIsEmpty, "no bytes"))
            }
        }
        #expect((0..<10_000).count { fails("\($0)") } == 1_024 && fails("9999") && !fails("0"))
        clock.withLock { $0 -= 3600 }
        #expect(!fails("9999"))
    }

    @Test func `a source that is mended and purged is asked for at once`() async throws {
        origin.on("/images/a.jpg", .status(404))
        #expect(try await web.get().status == 404)
        origin.on("/images/a.jpg", WebServer.reply())
        let source = ByteString(origin.url("/images/a.jpg").absoluteString)
        _ = try await web.server.server.purging.purge(.source(source), isHard: true)
        time.advance(by: .seconds(2))
        for width in [64, 65] { #expect(try await web.get(width: width).status == 200) }
    }

    @Test func `a purge ends the failures of work that began before it`() async throws {
        let purges = PurgeList()
        let failures = SourceFailures(lifetime: .seconds(10), wallClock: time.wall, purges: purges)
        let options = try RenditionRequest(path: "/w:10/plain/a").options
        func fails() -> Bool { (try? failures.check("a", for: options)) == nil }
        func fail(_ meanwhile: @escaping @Sendable () -> Void) async {
            _ = try? await failures.noting([.source], of: "a") { () async throws(ServerError) in
                meanwhile()
                throw ServerError(ImageError(.dataIsEmpty, "no bytes"))
            }
        }
        await fail {}
        #expect(fails())
        let purge = Purge(.all, isHard: true, at: time.wall.now)
        await fail { _ = purges.set([purge]) }
        #expect(!fails())
        await fail {}
        #expect(fails())
    }
}
