import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
@testable import CalotypeURLs
import Foundation
import Testing
import TestSupport
import Waiting

@testable import CalotypeServer

/// Answers to URLs that ask what an image is.
struct FactsServingTests {
    private let server: TestServer
    private let photo = SamplePhotos.jpeg(width: 640, height: 480)
    private let target: ByteString = "/info/_/bh:4:3/plain/local:///a.jpg"

    init() throws {
        server = try TestServer()
        try server.write(photo, "a.jpg")
    }

    private func text(_ options: ByteString, of file: Data) throws -> Data {
        let options = try InfoOptions().adding(options)
        var facts = try ImageFacts(of: file, options, by: .standard)
        if options.needsPixels {
            let small = try DecoderRegistry.standard.decode(file, target: ColorFacts.layout)
            facts.colors = try ColorFacts(of: small, options)
        }
        return Data(facts.json)
    }

    @Test func `the answer is the object as JSON, for everyone`() async throws {
        let answer = try await server.get(target)
        #expect(answer.status == 200 && answer.outcome == "made")
        #expect(answer.body == (try text("bh:4:3", of: photo)))
        #expect(answer.fields["Content-Type"] == "application/json")
        #expect(answer.fields["Content-Length"] == "\(answer.body.count)")
        #expect(answer.fields["X-Content-Type-Options"] == "nosniff" && answer.fields["Vary"] == nil)
        #expect(answer.fields["Cache-Control"]?.hasPrefix("public, max-age=60") == true)
        let other = try await server.get(
            "/info/_/bh:4:3/\(ByteString(base64: "local:///a.jpg".utf8))", ["Accept": "image/webp"])
        #expect(other.body == answer.body && other.outcome == "hit")
    }

    @Test func `the header suffices for facts without pixels`() async throws {
        let work = server.server.renditions.work
        let answer = try await server.get("/info/_/chs:sha256/cod:1/hdr:1/plain/local:///a.jpg")
        #expect(answer.status == 200 && work.decodes == 0 && work.encodes == 0)
        #expect(try await server.get(target).status == 200)
        #expect(work.decodes == 1 && work.encodes == 0)
        await waitUntil { server.server.reservedBytes == 0 && server.server.sources.held.bytes == 0 }
    }

    @Test func `facts are cached and revalidated as renditions are`() async throws {
        let first = try await server.get(target), second = try await server.get(target)
        #expect(first.outcome == "made" && second.outcome == "hit" && first.body == second.body)
        let tag = try #require(first.fields["ETag"])
        let same = try await server.get(target, ["If-None-Match": tag])
        #expect(same.status == 304 && same.body.isEmpty)
        let head = try await server.get(target, method: .head)
        #expect(head.status == 200 && head.body.isEmpty && head.fields["Content-Length"] == "\(first.body.count)")
        let part = try await server.get(target, ["Range": "bytes=0-7"])
        #expect(part.status == 206 && part.body == first.body.prefix(8))
        server.clock.advance(by: .seconds(4000))
        #expect(try await server.get(target).outcome == "revalidated")
        try server.write(SamplePhotos.jpeg(width: 320, height: 200), "a.jpg")
        server.clock.advance(by: .seconds(4000))
        let changed = try await server.get(target)
        #expect(changed.outcome == "made" && changed.fields["ETag"] != tag && changed.text.contains("\"width\":320"))
    }

    @Test func `entity tags and keys differ by the facts`() async throws {
        let targets: [ByteString] = [
            "/info/_/plain/local:///a.jpg", "/info/_/bh:4:3/plain/local:///a.jpg", "/_/plain/local:///a.jpg@jpg",
        ]
        var tags: Set<ByteString> = []
        for target in targets { tags.insert(try #require(try await server.get(target).fields["ETag"])) }
        #expect(tags.count == 3)
    }

    @Test func `failures are those of renditions`() async throws {
        try server.write(Data("plain text".utf8), "text.jpg")
        try server.write(photo.prefix(100), "cut.jpg")
        for file in ["text.jpg", "none.jpg"] {
            let facts = try await server.get("/info/_/plain/local:///\(file)")
            let rendition = try await server.get("/_/w:10/plain/local:///\(file)@png")
            #expect(facts.status == rendition.status && facts.text == rendition.text && facts.status >= 404)
        }
        #expect(try await server.get("/info/_/plain/local:///cut.jpg").status == 422)
        #expect(try await server.get("/info/_/bh:10:3/plain/local:///a.jpg").status == 400)
        let unsupported = try await server.get("/info/_/xmp:1/plain/local:///a.jpg")
        #expect(unsupported.status == 400 && unsupported.text.contains("xmp"))
        #expect(try await server.get("/info/_/exp:1/plain/local:///a.jpg").status == 404)
        #expect(
            try await server.get("/info/_/hs:md5:\(String(repeating: "0", count: 32))/plain/local:///a.jpg").status
                == 422)
        #expect(try await server.get("/info/_/msr:0.01/plain/local:///a.jpg").status == 422)
    }

    @Test func `a file name has the extension of JSON`() async throws {
        let answer = try await server.get("/info/_/att:1/plain/local:///a.jpg")
        #expect(answer.fields["Content-Disposition"]?.contains("filename=\"a.json\"") == true)
    }

    @Test func `a signature of a rendition holds for no facts, nor the reverse`() async throws {
        let signer = try URLSigner(keys: "736563726574", salts: "68656C6C6F")
        let server = try TestServer { $0.signer = signer }
        try server.write(photo, "a.jpg")
        let rest: ByteString = "/cb:1/plain/local:///a.jpg"
        let (ofRendition, ofFacts) = (signer.signature(of: rest), signer.signature(of: "/info\(rest)"))
        #expect(try await server.get("/info/\(ofFacts)\(rest)").status == 200)
        #expect(try await server.get("/info/\(ofRendition)\(rest)").status == 403)
        #expect(try await server.get("/\(ofFacts)\(rest)").status == 403)
        #expect(try await server.get("/\(ofRendition)\(rest)").status == 200)
        #expect(try await server.get("/\(ofFacts)/info\(rest)").status == 400)
        #expect(try await server.get(signer.signed("/info\(rest)")).fields["Content-Type"] == "application/json")
    }

    @Test func `a rendition may have the word as its signature`() async throws {
        let answer = try await server.get("/info/w:10/plain/local:///a.jpg@png")
        #expect(answer.status == 200 && answer.format == .png)
        #expect(try await server.get("/info/plain/local:///a.jpg@png").format == .png)
    }

    @Test func `trusted signatures, prefixes and permitted options apply`() async throws {
        let server = try TestServer {
            $0.signer = try URLSigner(keys: "736563726574", salts: "68656C6C6F")
            $0.trustedSignatures = ["trusted"]
            $0.pathPrefix = "/img"
            $0.grammar.allowedInfoOptions = ["bh"]
        }
        try server.write(photo, "a.jpg")
        #expect(try await server.get("/img/info/trusted/bh:4:3/plain/local:///a.jpg").status == 200)
        #expect(try await server.get("/img/info/trusted/dc:1/plain/local:///a.jpg").status == 403)
        #expect(try await server.get("/img/info/_/bh:4:3/plain/local:///a.jpg").status == 403)
        #expect(try await server.get("/info/trusted/bh:4:3/plain/local:///a.jpg").status == 404)
    }

    @Test func `the place is told by permission alone`() async throws {
        let block = SampleEXIF.place(latitude: [(48, 1), (51, 1), (0, 1)], longitude: [(2, 1), (17, 1), (0, 1)])
        let file = SampleEXIF.jpeg(photo, with: block)
        let asking: ByteString = "/info/_/gps:1/plain/local:///a.jpg"
        try server.write(file, "a.jpg")
        let refused = try await server.get(asking)
        #expect(refused.status == 403 && refused.text.contains("gps"))
        #expect(try await !server.get("/info/_/plain/local:///a.jpg").text.contains("48.85"))
        let open = try TestServer { $0.grammar.permitsPlaces = true }
        try open.write(file, "a.jpg")
        #expect(try await open.get(asking).text.contains(#""place":{"latitude":48.85,"#))
        #expect(try await !open.get("/info/_/plain/local:///a.jpg").text.contains("48.85"))
        // A reload without the permission refuses also what is cached.
        open.server.reload(server.options)
        #expect(try await open.get(asking).status == 403)
    }

    @Test func `a fallback image is described with the status of the failure`() async throws {
        let server = try TestServer { $0.fallback.status = 200 }
        try server.write(photo, "a.jpg")
        let fallback = ByteString(base64: "local:///a.jpg".utf8)
        let target: ByteString = "/info/_/fiu:\(fallback)/plain/local:///none.jpg"
        #expect(try await server.get(target).status == 200)
        let plain = try await self.server.get(target)
        #expect(plain.status == 404 && plain.fields["Content-Type"] == "application/json")
        #expect(plain.text.contains("\"width\":640"))
    }

    @Test func `200 requests at once for many images are answered`() async throws {
        // On a busy machine, the last ones wait longer than clients do.
        let server = try TestServer { $0.requestDeadline = .seconds(600) }
        for number in 0..<20 { try server.write(SamplePhotos.jpeg(width: 64 + number, height: 48), "\(number).jpg") }
        let tasks = (0..<200).map { number in
            Task { [server] in
                try await server.get("/info/_/bh:\(number / 50 + 1):3/plain/local:///\(number % 20).jpg")
            }
        }
        for (number, task) in tasks.enumerated() {
            let answer = try await task.value
            #expect(answer.status == 200 && answer.text.contains("\"width\":\(64 + number % 20),"))
        }
        await waitUntil { server.server.reservedBytes == 0 && server.server.sources.held.bytes == 0 }
    }

    @Test func `facts of all kinds of files are valid JSON`() async throws {
        let files: [String: Data] = [
            "a.gif": SampleAnimations.gif(width: 9, height: 7, colors: [0xFF0000, 0xFF00, 0xFF]),
            "a.png": SamplePhotos.png(width: 30, height: 20, hasAlpha: true),
            "a.webp": SamplePhotos.webp(width: 30, height: 20),
            "a.avif": try SamplePhotos.bitmap(width: 32, height: 32).encoded(as: .avif(speed: 10)),
        ]
        let options: ByteString =
            "pn:1/a:1/du:1/bi:1/cod:1/prof:1/hdr:1/c2pa:1/dmg:1/p:8/avg:1/dc:1:1/bh:3:3/th:1/chs:md5"
        for (name, file) in files {
            try server.write(file, name)
            let answer = try await server.get("/info/_/\(options)/plain/local:///\(name)")
            let expected = try text(options, of: file)
            #expect(answer.status == 200 && answer.body == expected, "\(name)")
            let object = try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
            #expect(object["size"] as? Int == file.count && object.count == 22, "\(object.keys.sorted())")
        }
    }

    @Test(arguments: ["jpg", "png", "webp", "avif"]) func `no rendition has credentials`(format: String) async throws {
        let png = SamplePhotos.png(width: 40, height: 30)
        let sources = [
            SampleCredentials.jpeg(photo), SampleCredentials.png(png),
            SampleCredentials.webp(SamplePhotos.webp(width: 40, height: 30)),
        ]
        for source in sources {
            try server.write(source, "signed")
            let info = try await server.get("/info/_/c2pa:1/cb:\(source.count)/plain/local:///signed")
            #expect(info.text.contains("\"c2pa\":true"))
            let result = try await server.get("/_/w:30/cb:\(source.count)/plain/local:///signed@\(format)")
            #expect(result.status == 200 && !ContentCredentials.arePresent(in: result.body))
            #expect(result.body.range(of: SampleCredentials.mark) == nil)
            let raw = try await server.get("/_/raw:1/cb:\(source.count)/plain/local:///signed")
            #expect(raw.body == source)
        }
    }

    // MARK: The web, purges and the log

    @Test func `facts of a source on the web have its lifetime, and are purged with it`() async throws {
        let web = try WebServer()
        web.origin.on("/images/a.jpg", WebServer.reply("max-age=10000"))
        let source = ByteString(web.origin.url("/images/a.jpg").absoluteString)
        let target: ByteString = "/info/_/plain/\(source)"
        let first = try await web.server.get(target)
        #expect(first.fields["Cache-Control"]?.contains("max-age=10000") == true)
        #expect(try await web.server.get(target).outcome == "hit")
        // The rendition has the same source, which is loaded once.
        #expect(try await web.get().status == 200 && web.origin.requestCount() == 1)
        web.origin.on("/images/a.jpg", .ok(SamplePhotos.jpeg(width: 320, height: 200)))
        _ = try await web.server.server.purging.purge(.source(source), isHard: true)
        web.clock.advance(by: .seconds(2))
        let second = try await web.server.get(target)
        #expect(second.outcome == "made" && second.text.contains("\"width\":320"))
    }

    @Test func `the key of facts has its source, for purges`() throws {
        let request = try RenditionRequest(
            path: "/info/bh:4:3/fiu:\(ByteString(base64: "http://b/x".utf8))/plain/http://a/y")
        let key: ByteString = "key \(request.resultKey(mark: nil))"
        #expect(PurgedKey.source(of: key) == "http://a/y")
        #expect(PurgedKey(key).sources == [try SourceName("http://a/y"), try SourceName("http://b/x")])
    }

    @Test func `facts are an answer that a far store may have`() {
        var fields: HTTPFields = ["Content-Type": "application/json", "ETag": "\"a\"", "Content-Length": "2"]
        fields.protect()
        #expect(fields.areOfResult)
        fields["Content-Type"] = "text/html"
        #expect(!fields.areOfResult)
    }

    @Test func `the log has the URL as its text, and the format of the source`() async throws {
        let records = Log<AnswerRecord>()
        let server = try TestServer {
            $0.log = { records.add($0) }
            $0.logLevel = .all
            $0.options.log.fields = [.sourceFormat]
        }
        try server.write(photo, "a.jpg")
        _ = try await server.get("/info/_/blurhash:4:3/plain/local:///a.jpg")
        let record = try #require(records.entries.first)
        #expect(record.rendition == "info/bh:4:3/plain/local:///a.jpg" && record.source == "local:///a.jpg")
        #expect(record.status == 200 && record.outcome == .made && record.sourceFormat == "jpeg")
        _ = try await server.get("/info/_/xmp:1/plain/local:///a.jpg")
        let refused = try #require(records.entries.last)
        #expect(refused.status == 400 && refused.rendition == "info/xmp:1/plain/local:///a.jpg")
        #expect(refused.source == "local:///a.jpg")
    }

    @Test func `--explain tells what the answer is`() async throws {
        let lines = try await server.options.explanation(of: "/info/_/bh:4:3/plain/local:///a.jpg")
        #expect(lines.contains("canonical text  info/bh:4:3/plain/local:///a.jpg"))
        #expect(lines.contains { $0.hasPrefix("answer          facts as JSON") })
    }
}
