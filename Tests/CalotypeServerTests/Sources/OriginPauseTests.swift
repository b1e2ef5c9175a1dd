import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing

@testable import CalotypeServer
@testable import CalotypeURLs

/// Origins that ask to try again later.
@Suite(.requirement("V37")) struct OriginPauseTests {
    private let web: WebServer

    init() throws { web = try WebServer() }

    private func reply(_ status: Int, _ retryAfter: String? = nil) -> OriginReply {
        var reply = OriginReply.status(status)
        reply.fields["Retry-After"] = retryAfter.map { ByteString($0) }
        return reply
    }

    @Test(
        arguments: [
            (429, "7", "7"), (429, "60", "60"), (429, "3600", "60"), (429, nil, "1"), (408, "5", "5"), (408, nil, "1"),
            (425, "0", "1"), (425, "soon", "1"),
        ] as [(Int, String?, ByteString)])
    func `a request to wait is passed on at once, for a minute at most`(
        status: Int, retryAfter: String?, expected: ByteString
    ) async throws {
        web.origin.on("/images/a.jpg", reply(status, retryAfter))
        let answer = try await web.get()
        #expect(answer.status == 503)
        #expect(answer.fields["Retry-After"] == expected)
        #expect(answer.fields["Cache-Control"] == "no-store")
        #expect(web.origin.requestCount() == 1)
    }

    @Test func `a date is passed on as seconds`() async throws {
        let date = HTTPDate.format(web.clock.wall.now + 30)
        web.origin.on("/images/a.jpg", reply(429, date.string))
        #expect(try await web.get().fields["Retry-After"] == "30")
    }

    @Test func `a server that is unavailable for a time is asked once`() async throws {
        web.origin.on("/images/a.jpg", reply(503, "30"))
        #expect(try await web.get().status == 502)
        #expect(web.origin.requestCount() == 1)
    }

    @Test(arguments: [408, 425, 429]) func `a stale result is sent instead`(status: Int) async throws {
        web.origin.on("/images/a.jpg", WebServer.reply())
        let first = try await web.get()
        web.origin.on("/images/a.jpg", reply(status, "7"))
        web.clock.advance(by: .seconds(101 + 3600))
        let stale = try await web.get()
        #expect(stale.status == 200 && stale.body == first.body)
        #expect(web.origin.requestCount() == 2)
    }

    @Test func `a fallback image is sent with the time to wait`() async throws {
        web.origin.on("/images/a.jpg", reply(429, "7"))
        try web.server.write(SamplePhotos.jpeg(width: 64, height: 48), "b.jpg")
        let fallback = ByteString(base64: "local:///b.jpg".utf8)
        let source = ByteString(base64: ByteString(web.origin.url("/images/a.jpg").absoluteString).bytes)
        let answer = try await web.server.get("/_/w:10/f:png/fiu:\(fallback)/\(source)")
        #expect(answer.status == 503 && answer.size?.width == 10)
        #expect(answer.fields["Retry-After"] == "7")
        #expect(answer.fields["Cache-Control"] == "no-store")
    }

    @Test func `a refusal is asked for again after 10 seconds`() async throws {
        web.origin.on("/images/a.jpg", .status(403))
        #expect(try await web.get().status == 404)
        web.origin.on("/images/a.jpg", WebServer.reply())
        #expect(try await web.get().status == 404)
        web.clock.advance(by: .seconds(11))
        #expect(try await web.get().status == 200)
    }
}
