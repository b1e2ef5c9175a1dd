import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
@testable import CalotypeURLs
import Foundation
import Requirements
import Testing

@testable import CalotypeServer

/// Sources on the web whose URLs are written as people write them.
@Suite(.requirement("V6")) struct EscapedSourceTests {
    private let web: WebServer

    init() throws { web = try WebServer() }

    private func target(_ source: String) -> ByteString {
        "/_/w:10/f:png/\(ByteString(base64: "\(web.origin.url.absoluteString)\(source)".utf8))"
    }

    @Test(
        arguments: [
            ("/images/\u{fc}.png", "/images/%C3%BC.png"), ("/images/a b.png", "/images/a%20b.png"),
            ("/images/[1].png", "/images/%5B1%5D.png"), ("/images/a|b.png", "/images/a%7Cb.png"),
            (#"/images/"a"\{b}^`<c>"#, "/images/%22a%22%5C%7Bb%7D%5E%60%3Cc%3E"),
            ("/images/%zz.png", "/images/%25zz.png"),
            ("/images/%c3%bc.png", "/images/%c3%bc.png"), ("/images/a%20b.png", "/images/a%20b.png"),
            ("/images/a.png#part", "/images/a.png"),
            ("/images/a.png?q=\u{fc} [1]#x?y", "/images/a.png?q=%C3%BC%20%5B1%5D"),
            ("/images/me@home:1.png", "/images/me@home:1.png"),
        ])
    func `bytes that a URL may not have are escaped, and a fragment is cut off`(
        source: String, expected: String
    ) async throws {
        web.origin.on(String(expected.prefix { $0 != "?" }), WebServer.reply())
        try web.server.options.check(target(source))
        #expect(try await web.server.get(target(source)).status == 200)
        #expect(web.origin.requests.map(\.target) == [expected])
        // A plain source is decoded once, and is the same then.
        let plain = ByteString("\(web.origin.url.absoluteString)\(source)").escapedInPath
        #expect(try await web.server.get("/_/w:10/plain/\(plain)@png").outcome == "hit")
    }

    @Test func `different spellings of a URL share their result`() async throws {
        web.origin.on("/images/%C3%BC.png", WebServer.reply())
        for source in ["/images/\u{fc}.png", "/images/%C3%BC.png", "/images/\u{fc}.png#a", "/images/%C3%BC.png#b"] {
            #expect(try await web.server.get(target(source)).status == 200)
        }
        #expect(web.work.encodes == 1 && web.origin.requestCount() == 1)
    }

    @Test(
        arguments: [
            ("http://h/b/../a", "the path"), ("http://h/%2e%2e/a", "the path"), ("http://me@h/a", "a user"),
            ("http://me:word@h/a", "a user"), ("http://[::1]/a", "IPv6"), ("http://[::1]:80/a", "IPv6"),
            ("http://\u{fc}.example/a", "xn--"), ("http:///a", "no host"), ("http://#a", "no host"),
            ("http://h:x/a", "the port of the source"),
        ])
    func `each fault of a source has its own text`(source: String, text: String) async throws {
        let answer = try await web.server.get("/_/w:10/\(ByteString(base64: source.utf8))")
        #expect(answer.status == 400)
        #expect(answer.text.contains(text), "\(answer.text)")
        #expect(!answer.text.contains("word"))
    }

    @Test func `a redirect may have a fragment`() async throws {
        web.origin.on("/images/near.png", .redirect(to: "/images/a b.png#part"))
        web.origin.on("/images/a%20b.png", WebServer.reply())
        #expect(try await web.server.get(target("/images/near.png")).status == 200)
    }

    @Test func `a fallback image's URL is escaped, too`() async throws {
        web.origin.on("/images/%5B1%5D.png", WebServer.reply())
        let fallback = ByteString(base64: "\(web.origin.url.absoluteString)/images/[1].png#a".utf8)
        let answer = try await web.server.get("/_/w:10/fiu:\(fallback)/plain/local:///none.png@png")
        #expect(answer.status == 404 && answer.size?.width == 10)
    }

    @Test func `an allowed prefix is escaped like a source`() throws {
        var allowed = AllowedSources()
        try allowed.allow("http://h/my photos")
        func isAllowed(_ url: ByteString) throws -> Bool { allowed.contains(try SourceURL(url.normalizedSource)) }
        #expect(try isAllowed("http://h/my photos/a.png") && isAllowed("http://h/my%20photos/a.png"))
        #expect(try !isAllowed("http://h/my photosque/a.png"))
        #expect(throws: RenditionError.self) { try allowed.allow("http://h/photos#a") }
        let reasons = ["local://photos", "s3://ab", "s3:///x"].map { prefix in
            #expect(throws: RenditionError.self) { try allowed.allow(prefix) }?.message ?? ""
        }
        for (reason, part) in zip(reasons, ["local:///path", "\"ab\" is no bucket", "names no bucket"]) {
            #expect(reason.contains(part), "\(reason)")
        }
    }
}
