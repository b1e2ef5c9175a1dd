import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
@testable import CalotypeURLs
import Foundation
import Requirements
import Testing

@testable import CalotypeServer

/// Sources of an origin on loopback.
struct WebSourceTests {
    private let web: WebServer
    private var origin: OriginServer { web.origin }
    private var server: TestServer { web.server }

    init() throws { web = try WebServer() }

    @Test func `an allowed source is loaded`() async throws {
        origin.on("/images/a.jpg", WebServer.reply())
        let answer = try await server.get(web.thumbnail("/images/a.jpg"))
        #expect(answer.status == 200)
        #expect(answer.size?.width == 64)
        #expect(try await server.get("/_/w:64/plain/\(origin.url.absoluteString)/images/a.jpg@png").body == answer.body)
    }

    @Test(
        .requirement("V12"),
        arguments: [
            "/other/a.jpg", "/imagesque/a.jpg", "/images/../other/a.jpg", "/images/%2e%2e/other/a.jpg",
            "/images/..%5cother/a.jpg", "/images/..;a=1/other/a.jpg",
        ])
    func `a path outside of the prefix is refused, and nothing is loaded`(path: String) async throws {
        #expect([400, 403].contains(try await server.get(web.thumbnail(path)).status))
        #expect(origin.requestCount() == 0)
    }

    @Test(
        .requirement("V12"),
        arguments: [
            ("http://example.com.evil.example/images/a", 403), ("http://example.com@evil.example/images/a", 400),
            ("http://user:word@example.com/images/a", 400), (#"http://evil.example\@example.com/images/a"#, 400),
            ("https://example.com/images/a", 403), ("http://example.com:81/images/a", 403),
            ("http:/example.com/images", 400),
            ("//example.com/images", 400), (#"http://example.com\images/a"#, 400),
            ("http://example.com b/images/a", 400), ("http://example.com#@evil.example/images/a", 403),
            ("http://ex\u{e4}mple.com/images/a", 400), ("http://[::1]/images/a", 400), ("http:///images/a", 400),
            ("http://example.com:99999/images/a", 400), ("http://example%2Ecom/images/a", 400),
        ])
    func `hosts are compared by the strict syntax of URLs`(url: String, status: Int) async throws {
        let server = try TestServer { try $0.allowed.allow("http://example.com/images") }
        #expect(try await server.get("/_/w:1/\(ByteString(base64: url.utf8))").status == status)
    }

    @Test(arguments: [
        ("https://*", "https://example.com/a", true), ("https://*", "https://a.b.example/", true),
        ("https://*", "http://example.com/a", false), ("https://*", "https://example.com:8443/a", false),
        ("https://*:8443", "https://example.com:8443/a", true),
        ("https://*:*", "https://example.com:8443/a", true), ("https://*:*", "https://example.com/a", true),
        ("http://*:*", "https://example.com/a", false),
        ("http://minio:*/photos", "http://minio:9000/photos/a", true),
        ("http://minio:*/photos", "http://minio:9000/a", false),
        ("https://*.example.com/photos", "https://a.example.com/photos/1", true),
        ("https://*.EXAMPLE.com/photos", "https://a.b.example.com/photos", true),
        ("https://*.example.com/photos", "https://example.com/photos/1", false),
        ("https://*.example.com/photos", "https://a.example.com/photos2", false),
        ("https://*.example.com", "https://evilexample.com/", false),
        ("https://*.example.com", "https://a.example.com.evil.example/", false),
        ("https://*.example.com", "https://.example.com/", false),
    ])
    func `a host with an asterisk stands for others`(pattern: String, url: String, isAllowed: Bool) throws {
        var allowed = AllowedSources()
        try allowed.allow(ByteString(pattern))
        #expect(try allowed.contains(SourceURL(ByteString(url))) == isAllowed)
    }

    @Test(arguments: [
        ("https://*", true), ("https://*.com", true), ("https://*.example.com", false), ("https://example.com", false),
    ])
    func `a pattern that covers anybody's hosts is known`(pattern: String, isAny: Bool) throws {
        var allowed = AllowedSources()
        try allowed.allow(ByteString(pattern))
        #expect(allowed.includesAnyHost == isAny)
    }

    @Test func `a check refuses an address that the server would refuse`() throws {
        let server = try TestServer {
            try $0.allowed.allow("http://*")
            $0.addresses = .internet
        }
        for host in ["10.0.0.1", "127.1", "localhost"] {
            let target = ByteString("/_/plain/http://\(host)/a.jpg")
            let error = #expect(throws: RenditionError.self) { try server.options.check(target) }
            #expect(error?.status == 403)
        }
        try server.options.check("/_/plain/http://example.com/a.jpg")
    }

    @Test(arguments: [
        "https://*./a", "https://*.", "https://a.*.example", "https://**", "https://*a", "ftp://*", "https://a:*1",
        "https://a:",
    ])
    func `other patterns are refused, and URLs have none`(_ pattern: String) {
        var allowed = AllowedSources()
        #expect(throws: RenditionError.self) { try allowed.allow(ByteString(pattern)) }
        #expect(throws: RenditionError.self) { try SourceURL("https://*.example.com/a") }
    }

    @Test(.requirement("V10")) func `a redirect to another place is refused before it is followed`() async throws {
        origin.on("/images/away", .redirect(to: "/other/a.jpg"))
        origin.on("/images/near", .redirect(to: "/images/a.jpg"))
        origin.on("/images/a.jpg", WebServer.reply())
        origin.on("/other/a.jpg", WebServer.reply())
        #expect(try await server.get(web.thumbnail("/images/away")).status == 403)
        #expect(origin.requestCount("/other/a.jpg") == 0)
        #expect(try await server.get(web.thumbnail("/images/near")).status == 200)
    }

    @Test(.requirement("V10")) func `a redirect to a refused address is not followed`() async throws {
        let web = try WebServer { options, origin in
            let port = origin.url.port ?? 0
            try options.allowed.allow("http://localhost:\(port)/images")
            try options.allowed.allow("http://127.0.0.2:\(port)/images")
            options.addresses = .internet
            options.addresses.exceptions = [AddressBlock("127.0.0.1")].compactMap(\.self)
            origin.on("/images/far", .redirect(to: "http://127.0.0.2:\(port)/images/a.jpg"))
            origin.on("/images/near", .redirect(to: "http://localhost:\(port)/images/a.jpg"))
        }
        web.origin.on("/images/a.jpg", WebServer.reply())
        #expect(try await web.get("/images/far").status == 403)
        #expect(web.origin.requestCount("/images/a.jpg") == 0)
        #expect(try await web.get("/images/near").status == 200)
    }

    @Test(
        .requirement("V37"),
        arguments: [
            (404, 404), (410, 404), (400, 404), (401, 404), (403, 404), (407, 404), (451, 404), (500, 502), (503, 502),
        ])
    func `an origin's failure becomes a failure of this server`(status: Int, expected: Int) async throws {
        origin.on("/images/a.jpg", .status(status))
        let answer = try await server.get(web.thumbnail("/images/a.jpg"))
        #expect(answer.status == expected)
        #expect(answer.fields["Cache-Control"] == (expected == 404 ? "public, max-age=10" : "no-store"))
        #expect(answer.fields["WWW-Authenticate"] == nil)
        #expect(!answer.text.contains("127.0.0.1"))
    }

    @Test(.requirement("V19")) func `HTML sent as an image is 422`() async throws {
        origin.on("/images/a.jpg", .html("<p>Not here</p>"))
        #expect(try await server.get(web.thumbnail("/images/a.jpg")).status == 422)
    }

    @Test(.requirement("V42")) func `a result is as fresh as its source`() async throws {
        origin.on("/images/a.jpg", WebServer.reply("max-age=100"))
        _ = try await server.get(web.thumbnail("/images/a.jpg"))
        server.clock.advance(by: .seconds(30))
        // Another size, later.
        let later = try await server.get(web.thumbnail("/images/a.jpg", width: 65))
        #expect(
            later.fields["Cache-Control"] == "public, max-age=70, stale-while-revalidate=3600, stale-if-error=86400")
    }

    @Test func `a result of a source that is fresh for part of a second is sent stale afterwards`() async throws {
        origin.on("/images/a.jpg", WebServer.reply("max-age=2"))
        _ = try await server.get(web.thumbnail("/images/a.jpg"))
        server.clock.advance(by: .milliseconds(1500))
        let other = try await server.get(web.thumbnail("/images/a.jpg", width: 65))
        #expect(other.fields["Cache-Control"] == "public, max-age=0, stale-while-revalidate=3600, stale-if-error=86400")
        server.clock.advance(by: .seconds(10))
        #expect(try await server.get(web.thumbnail("/images/a.jpg", width: 65)).outcome == "stale")
    }

    @Test func `a lifetime for all caches stays one in the middle of a second, and the result is sent stale`()
        async throws
    {
        let tail: ByteString = "stale-while-revalidate=3600, stale-if-error=86400"
        origin.on("/images/a.jpg", WebServer.reply("max-age=100"))
        _ = try await server.get(web.thumbnail("/images/a.jpg"))
        server.clock.advance(by: .milliseconds(500))
        let other = try await server.get(web.thumbnail("/images/a.jpg", width: 65))
        #expect(other.fields["Cache-Control"] == "public, max-age=99, \(tail)")
        server.clock.advance(by: .seconds(100))
        #expect(try await server.get(web.thumbnail("/images/a.jpg", width: 65)).outcome == "stale")
    }

    /// RFC 9111 §4.2.4, §5.2.2.2, §5.2.2.8, §5.2.2.10, and RFC 9213. The source has been in the cache for 2 s.
    @Test(
        .requirement("V42"),
        arguments: [
            ("max-age=5, s-maxage=3600", nil, "public, max-age=3, s-maxage=3598"),
            ("max-age=3600, s-maxage=5", nil, "public, max-age=3598, s-maxage=3"),
            ("s-maxage=100", nil, "public, max-age=98, s-maxage=98"),
            (
                "max-age=5", "max-age=3600",
                "public, max-age=3, s-maxage=3598, stale-while-revalidate=3600, stale-if-error=86400"
            ),
            (
                "no-cache", "max-age=3600",
                "public, max-age=0, s-maxage=3598, stale-while-revalidate=3600, stale-if-error=86400"
            ),
            (
                "max-age=100, immutable", nil,
                "public, max-age=98, immutable, stale-while-revalidate=3600, stale-if-error=86400"
            ),
            ("max-age=100, must-revalidate", nil, "public, max-age=98, must-revalidate"),
            ("max-age=100, proxy-revalidate", nil, "public, max-age=98, proxy-revalidate"),
            ("max-age=100, Must-Revalidate, s-maxage=50", nil, "public, max-age=98, s-maxage=48, must-revalidate"),
            (#"max-age="100""#, nil, "public, max-age=98, stale-while-revalidate=3600, stale-if-error=86400"),
        ] as [(String, String?, ByteString)])
    func `a result has the lifetimes of its source, and its bans on stale responses`(
        cacheControl: String, targeted: String?, expected: ByteString
    ) async throws {
        var reply = WebServer.reply(cacheControl)
        reply.fields["CDN-Cache-Control"] = targeted.map { ByteString($0) }
        origin.on("/images/a.jpg", reply)
        _ = try await server.get(web.thumbnail("/images/a.jpg"))
        server.clock.advance(by: .seconds(2))
        #expect(try await server.get(web.thumbnail("/images/a.jpg", width: 65)).fields["Cache-Control"] == expected)
        #expect(origin.requestCount() == 1)
    }

    /// Results had the lifetime of the redirect's target alone.
    @Test(
        .requirement("V42"),
        arguments: [
            (nil, "public, max-age=50"), ("max-age=60", "public, max-age=60"), ("max-age=600", "public, max-age=100"),
            ("no-store", "public, no-cache"), ("no-cache", "public, no-cache"),
            ("private, max-age=60", "public, no-cache"),
        ] as [(String?, ByteString)])
    func `a result is no longer fresh than the redirects to its source`(
        cacheControl: String?, expected: ByteString
    ) async throws {
        let web = try WebServer { options, _ in options.defaultLifetime = 50 }
        var redirect = OriginReply.redirect(to: "/images/a.jpg")
        redirect.fields["Cache-Control"] = cacheControl.map { ByteString($0) }
        web.origin.on("/images/moved.jpg", redirect)
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=100"))
        let tail: ByteString =
            expected.hasSuffix("no-cache") ? "" : ", stale-while-revalidate=3600, stale-if-error=86400"
        for _ in 0..<2 {
            #expect(try await web.get("/images/moved.jpg").fields["Cache-Control"] == "\(expected)\(tail)")
        }
        // A stale redirect is asked for again; its target is fresh, and its result is not made again.
        #expect(web.origin.requestCount("/images/moved.jpg") == (tail.isEmpty ? 2 : 1))
        #expect(web.origin.requestCount("/images/a.jpg") == 1 && web.work.decodes == 1)
    }

    @Test(arguments: [("must-revalidate, ", 502), ("", 200)])
    func `a result is not served stale if its source may not be`(directive: String, status: Int) async throws {
        origin.on("/images/a.jpg", WebServer.reply("\(directive)max-age=100"))
        #expect(try await server.get(web.thumbnail("/images/a.jpg")).status == 200)
        origin.on("/images/a.jpg", .status(500))
        server.clock.advance(by: .seconds(200))
        #expect(try await server.get(web.thumbnail("/images/a.jpg")).status == status)
    }

    @Test(arguments: ["no-store", "private, max-age=100"])
    func `the rendition of a private source is not stored`(cacheControl: String) async throws {
        origin.on("/images/a.jpg", WebServer.reply(cacheControl))
        for _ in 0..<2 {
            let answer = try await server.get(web.thumbnail("/images/a.jpg"))
            #expect(answer.status == 200)
            #expect(answer.fields["Cache-Control"] == "no-store")
        }
        #expect(origin.requestCount() == 2)
    }

    @Test(.requirement("V38")) func `no field of a client reaches the origin, and none of the origin a client`()
        async throws
    {
        var reply = WebServer.reply()
        reply.fields["Set-Cookie"] = "a=b"
        reply.fields["X-Secret"] = "c"
        origin.on("/images/a.jpg", reply)
        let answer = try await server.get(
            web.thumbnail("/images/a.jpg"), ["Cookie": "d=e", "Authorization": "Basic f", "X-Own": "g"])
        #expect(answer.fields["Set-Cookie"] == nil && answer.fields["X-Secret"] == nil)
        let fields = try #require(origin.requests.first).fields
        for name: CaselessString in ["Cookie", "Authorization", "X-Own"] { #expect(fields[name] == nil) }
    }

    @Test(.requirement("V43"), arguments: [false, true])
    func `ten stale sizes of an unchanged source ask the origin once`(isStored: Bool) async throws {
        let web = try WebServer(isStored: isStored)
        web.serveRevalidatable()
        for width in 50..<60 { _ = try await web.get(width: width) }
        web.clock.advance(by: .seconds(101 + 3600))
        for width in 50..<60 {
            let answer = try await web.get(width: width)
            #expect(answer.status == 200 && answer.outcome == "revalidated")
        }
        #expect(web.origin.requestCount() == 2)
        #expect(web.work.decodes == 10 && web.work.encodes == 10)
    }

    @Test(.requirement("V1", "V2")) func `no origin is asked before the signature has been verified`() async throws {
        let signer = try URLSigner(keys: "736563726574", salts: "68656C6C6F")
        let web = try WebServer { options, _ in options.signer = signer }
        web.origin.on("/images/a.jpg", WebServer.reply())
        let path = web.thumbnail().dropFirst(2)
        let right = signer.signed(path)
        for index in stride(from: 1, to: right.count, by: 5) {
            var changed = right.bytes
            changed[index] = changed[index] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
            #expect(try await web.server.get(ByteString(bytes: changed)).status == 403, "byte \(index)")
        }
        #expect(web.origin.requestCount() == 0)
        #expect(try await web.server.get(right).status == 200)
        #expect(web.origin.requestCount() == 1)
    }

    @Test(.requirement("V6")) func `an encoded percent sign reaches the origin unchanged`() async throws {
        origin.on("/images/100%25.jpg", WebServer.reply())
        #expect(try await web.get("/images/100%25.jpg").status == 200)
        #expect(origin.requests.map(\.target) == ["/images/100%25.jpg"])
    }
}
