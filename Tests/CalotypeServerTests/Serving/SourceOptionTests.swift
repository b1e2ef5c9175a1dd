import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import TestSupport
@testable import CalotypeURLs
import Foundation
import Requirements
import Testing

@testable import CalotypeServer

/// Options about the source: its credits, its digest, and the image in its place.
struct SourceOptionTests {
    private let origin: OriginServer
    private let server: TestServer

    init() throws {
        let origin = try OriginServer()
        self.origin = origin
        server = try TestServer { try $0.allowed.allow(ByteString("\(origin.url.absoluteString)/images")) }
        try server.write(SamplePhotos.jpeg(width: 320, height: 240), "a.jpg")
        try server.write(SamplePhotos.png(width: 40, height: 30, seed: 2), "fallback.png")
    }

    // MARK: Credits

    /// Decodes a result with its credits.
    private func credits(of answer: TestServer.Answer) throws -> ImageCredits? {
        let layout = RenditionLayout(RenditionOptions(), longestSide: 8192)
        return try DecoderRegistry.standard.plan(for: answer.body, target: layout).decode().credits
    }

    @Test(
        .requirement("V39"),
        arguments: [
            ("w:64", "jpg", true), ("w:64/kcr:1", "webp", true), ("w:64/sm:1", "webp", true),
            ("w:64/kcr:0", "jpg", false),
            ("w:64/kcr:0", "webp", false), ("w:64", "png", true), ("w:64", "avif", true),
            ("w:64/kcr:0", "png", false), ("w:64/kcr:0", "avif", false),
            ("w:64/t:10", "jpg", true), ("rs:fill:64:64/g:sm", "jpg", true), ("w:64/mb:2000", "jpg", true),
        ] as [(ByteString, ByteString, Bool)])
    func `artist and copyright stay in every format, the place never`(
        options: ByteString, format: ByteString, isKept: Bool
    ) async throws {
        let block = SampleEXIF.block(artist: "Ann Lee", copyright: "(c) Ann Lee", orientation: 6)
        try server.write(SampleEXIF.jpeg(SamplePhotos.jpeg(width: 320, height: 240), with: block), "b.jpg")
        let answer = try await server.get("/_/\(options)/plain/local:///b.jpg@\(format)")
        #expect(answer.status == 200)
        let wanted = ImageCredits(artist: Array("Ann Lee".utf8), copyright: Array("(c) Ann Lee".utf8))
        #expect(try credits(of: answer) == (isKept ? wanted : nil))
        #expect(answer.body.range(of: Data("N12345".utf8)) == nil)
        #expect((answer.body.range(of: Data("Ann Lee".utf8)) != nil) == isKept)
        // Upright: the orientation is not written.
        #expect(answer.size?.width == 64)
    }

    @Test func `the limit of bytes includes the credits`() async throws {
        let block = SampleEXIF.block(artist: String(repeating: "x", count: 1500), copyright: nil)
        try server.write(SampleEXIF.jpeg(SamplePhotos.jpeg(width: 320, height: 240), with: block), "b.jpg")
        let answer = try await server.get("/_/w:160/mb:4000/plain/local:///b.jpg@jpg")
        #expect(answer.body.count <= 4000)
        #expect(try credits(of: answer) != nil)
    }

    // MARK: Digest

    @Test(
        arguments: [
            // FIPS 180-4 and RFC 1321: the digests of "abc" are not those of the image.
            ("md5", "900150983cd24fb0d6963f7d28e17f72"), ("sha1", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            ("sha256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "sha512",
                """
                ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
                2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
                """
            ),
        ] as [(String, ByteString)])
    func `a source needs the digest of its URL`(kind: String, digest: ByteString) async throws {
        let kind = try #require(SourceDigest(rawValue: kind))
        #expect(kind.hexadecimal(of: Data("abc".utf8)) == digest)
        let wrong = try await server.get("/_/w:10/hs:\(kind.rawValue):\(digest)/plain/local:///a.jpg@png")
        #expect(wrong.status == 422)
        #expect(wrong.text.contains("digest"))
        let source = SamplePhotos.jpeg(width: 320, height: 240)
        let own = try #require(kind.hexadecimal(of: source)).string.uppercased()
        #expect(try await server.get("/_/w:10/hs:\(kind.rawValue):\(own)/plain/local:///a.jpg@png").status == 200)
    }

    // MARK: Fallback

    private var fallback: ByteString { "fiu:\(ByteString(base64: "local:///fallback.png".utf8))" }

    @Test(.requirement("V37", "V49"))
    func `a fallback image keeps status and lifetime of its error`() async throws {
        try server.write(Data("text".utf8), "bad.jpg")
        for (source, status): (ByteString, Int) in [("none.jpg", 404), ("bad.jpg", 422)] {
            let target: ByteString = "/_/w:20/\(fallback)/plain/local:///\(source)@png"
            let answer = try await server.get(target)
            #expect(answer.status == status)
            #expect(answer.size == PixelSize(width: 20, height: 15))
            #expect(answer.fields["Content-Type"] == "image/png")
            #expect(answer.fields["Cache-Control"] == "public, max-age=10")
            #expect(answer.fields["ETag"] == nil)
        }
        try server.write(SamplePhotos.jpeg(width: 320, height: 240), "none.jpg")
        let target: ByteString = "/_/w:20/\(fallback)/plain/local:///none.jpg@png"
        #expect(try await server.get(target).status == 404)
        server.clock.advance(by: .seconds(11))
        #expect(try await server.get(target).status == 200)
    }

    @Test(.requirement("V37", "V49")) func `the failure of an origin is not kept, with its fallback image`()
        async throws
    {
        origin.on("/images/a.jpg", OriginReply(status: 500))
        let url = ByteString("\(origin.url.absoluteString)/images/a.jpg")
        let answer = try await server.get("/_/w:20/\(fallback)/plain/\(url)@png")
        #expect(answer.status == 502)
        #expect(answer.size == PixelSize(width: 20, height: 15))
        #expect(answer.fields["Cache-Control"] == "no-store")
    }

    @Test(.requirement("V42")) func `a stale result is better than a fallback image`() async throws {
        let url = ByteString("\(origin.url.absoluteString)/images/a.jpg")
        let target: ByteString = "/_/w:20/\(fallback)/plain/\(url)@png"
        var reply = OriginReply.ok(SamplePhotos.jpeg(width: 320, height: 240))
        reply.fields["Cache-Control"] = "max-age=5"
        origin.on("/images/a.jpg", reply)
        let made = try await server.get(target)
        origin.on("/images/a.jpg", OriginReply(status: 500))
        server.clock.advance(by: .seconds(3700))
        let stale = try await server.get(target)
        #expect(stale.status == 200)
        #expect(stale.body == made.body)
    }

    @Test func `a fallback image is loaded by the rules of a source`() async throws {
        let other: ByteString = "fiu:\(ByteString(base64: "http://evil.example/a.png".utf8))"
        #expect(try await server.get("/_/\(other)/plain/local:///a.jpg@png").status == 403)
        let outside: ByteString = "fiu:\(ByteString(base64: "local:///../a.png".utf8))"
        #expect(try await server.get("/_/\(outside)/plain/local:///a.jpg@png").status == 400)
        let missing: ByteString = "fiu:\(ByteString(base64: "local:///other.png".utf8))"
        let answer = try await server.get("/_/\(missing)/plain/local:///none.jpg@png")
        #expect(answer.status == 404)
        #expect(answer.fields["Content-Type"]?.hasPrefix("text/plain") == true)
    }

    @Test func `the digest is that of the source, not of its fallback image`() async throws {
        let digest: ByteString = "hs:md5:900150983cd24fb0d6963f7d28e17f72"
        let answer = try await server.get("/_/w:20/\(digest)/\(fallback)/plain/local:///a.jpg@png")
        #expect(answer.status == 422)
        #expect(answer.size == PixelSize(width: 20, height: 15))
    }
}
