import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing

@testable import CalotypeServer

/// Sources of an origin on loopback.
struct WebSourceTests {
    private let origin: OriginServer
    private let server: TestServer

    init() throws {
        let origin = try OriginServer()
        self.origin = origin
        server = try TestServer { try $0.allowed.allow(ByteString("\(origin.url.absoluteString)/images")) }
    }

    /// A server with a folder for results and sources.
    private func stored() throws -> TestServer {
        try TestServer {
            try $0.allowed.allow(ByteString("\(origin.url.absoluteString)/images"))
            $0.store = "\($0.root)-store"
        }
    }

    private func reply(_ cacheControl: String? = "max-age=100", tag: String? = "\"v1\"", seed: Int = 1) -> OriginReply {
        var reply = OriginReply.ok(SamplePhotos.jpeg(width: 640, height: 480, seed: seed))
        reply.fields["Cache-Control"] = cacheControl.map { ByteString($0) }
        reply.fields["ETag"] = tag.map { ByteString($0) }
        return reply
    }

    private func thumbnail(_ path: String, width: Int = 64) -> ByteString {
        let url = ByteString("\(origin.url.absoluteString)\(path)")
        return "/_/w:\(width)/f:png/\(ByteString(base64: url.bytes))"
    }

    @Test func `an allowed source is loaded`() async throws {
        origin.on("/images/a.jpg", reply())
        let answer = try await server.get(thumbnail("/images/a.jpg"))
        #expect(answer.status == 200)
        #expect(answer.size?.width == 64)
        #expect(try await server.get("/_/w:64/plain/\(origin.url.absoluteString)/images/a.jpg@png").body == answer.body)
    }

    @Test(
        .requirement("V12"),
        arguments: [
            "/other/a.jpg", "/imagesque/a.jpg", "/images/../other/a.jpg", "/images/%2e%2e/other/a.jpg",
        ])
    func `a path outside of the prefix is refused, and nothing is loaded`(path: String) async throws {
        #expect([400, 403].contains(try await server.get(thumbnail(path)).status))
        #expect(origin.requestCount() == 0)
    }

    @Test(
        .requirement("V12"),
        arguments: [
            ("http://example.com.evil.example/images/a", 403), ("http://example.com@evil.example/images/a", 400),
            ("http://user:word@example.com/images/a", 400), (#"http://evil.example\@example.com/images/a"#, 400),
            ("https://example.com/images/a", 403), ("http://example.com:81/images/a", 403),
            ("http:/example.com/images", 403),
            ("//example.com/images", 403), ("http://example.com/images/a#b", 400),
            ("http://example.com/images/a b", 400),
            ("http://ex\u{e4}mple.com/images/a", 400), ("http://[::1]/images/a", 400), ("http:///images/a", 400),
            ("http://example.com:99999/images/a", 400), ("http://example.com/images/%zz", 400),
        ])
    func `hosts are compared by the strict syntax of URLs`(url: String, status: Int) async throws {
        let server = try TestServer { try $0.allowed.allow("http://example.com/images") }
        #expect(try await server.get("/_/w:1/\(ByteString(base64: url.utf8))").status == status)
    }

    @Test(.requirement("V13")) func `a redirect to another place is refused before it is followed`() async throws {
        origin.on("/images/away", .redirect(to: "/other/a.jpg"))
        origin.on("/images/near", .redirect(to: "/images/a.jpg"))
        origin.on("/images/a.jpg", reply())
        origin.on("/other/a.jpg", reply())
        #expect(try await server.get(thumbnail("/images/away")).status == 403)
        #expect(origin.requestCount("/other/a.jpg") == 0)
        #expect(try await server.get(thumbnail("/images/near")).status == 200)
    }

    @Test(.requirement("V37"), arguments: [(404, 404), (410, 404), (500, 502), (503, 502), (403, 502)])
    func `an origin's failure becomes a failure of this server`(status: Int, expected: Int) async throws {
        origin.on("/images/a.jpg", .status(status))
        let answer = try await server.get(thumbnail("/images/a.jpg"))
        #expect(answer.status == expected)
        #expect(answer.fields["Cache-Control"] == (expected == 404 ? "public, max-age=10" : "no-store"))
        #expect(!answer.text.contains("127.0.0.1"))
    }

    @Test(.requirement("V19")) func `HTML sent as an image is 422`() async throws {
        origin.on("/images/a.jpg", .html("<p>Not here</p>"))
        #expect(try await server.get(thumbnail("/images/a.jpg")).status == 422)
    }

    @Test(.requirement("V23")) func `ten sizes at once load the source once`() async throws {
        origin.on("/images/a.jpg", reply())
        let widths = try await withThrowingTaskGroup(of: Int?.self) { group in
            for width in 50..<60 {
                group.addTask { try await server.get(thumbnail("/images/a.jpg", width: width)).size?.width }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(widths) == Set(50..<60))
        #expect(origin.requestCount() == 1)
    }

    @Test(.requirement("V42")) func `a result is as fresh as its source`() async throws {
        origin.on("/images/a.jpg", reply("max-age=100"))
        _ = try await server.get(thumbnail("/images/a.jpg"))
        server.clock.advance(by: .seconds(30))
        // Another size, later.
        let later = try await server.get(thumbnail("/images/a.jpg", width: 65))
        #expect(
            later.fields["Cache-Control"] == "public, max-age=70, stale-while-revalidate=3600, stale-if-error=86400")
    }

    @Test(arguments: ["no-store", "private, max-age=100"])
    func `the rendition of a private source is not stored`(cacheControl: String) async throws {
        origin.on("/images/a.jpg", reply(cacheControl))
        for _ in 0..<2 {
            let answer = try await server.get(thumbnail("/images/a.jpg"))
            #expect(answer.status == 200)
            #expect(answer.fields["Cache-Control"] == "no-store")
        }
        #expect(origin.requestCount() == 2)
    }

    @Test(.requirement("V38")) func `no field of a client reaches the origin, and none of the origin a client`()
        async throws
    {
        var reply = reply()
        reply.fields["Set-Cookie"] = "a=b"
        reply.fields["X-Secret"] = "c"
        origin.on("/images/a.jpg", reply)
        let answer = try await server.get(
            thumbnail("/images/a.jpg"), ["Cookie": "d=e", "Authorization": "Basic f", "X-Own": "g"])
        #expect(answer.fields["Set-Cookie"] == nil && answer.fields["X-Secret"] == nil)
        let fields = try #require(origin.requests.first).fields
        for name: CaselessString in ["Cookie", "Authorization", "X-Own"] { #expect(fields[name] == nil) }
    }

    @Test(.requirement("V43"), arguments: [false, true])
    func `ten stale sizes of an unchanged source ask the origin once`(onDisk: Bool) async throws {
        let server = onDisk ? try stored() : server
        let (first, confirmed) = (
            reply(), OriginReply(status: 304, fields: ["ETag": "\"v1\"", "Cache-Control": "max-age=100"])
        )
        origin.on("/images/a.jpg") { $0.fields["If-None-Match"] == nil ? first : confirmed }
        for width in 50..<60 { _ = try await server.get(thumbnail("/images/a.jpg", width: width)) }
        server.clock.advance(by: .seconds(101 + 3600))
        for width in 50..<60 {
            let answer = try await server.get(thumbnail("/images/a.jpg", width: width))
            #expect(answer.status == 200)
            #expect(answer.fields["Cache-Status"]?.contains("fwd-status=304") == true)
        }
        #expect(origin.requestCount() == 2)
    }
}
