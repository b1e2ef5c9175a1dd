import CalotypeBase
import Requirements
import Testing

@testable import CalotypeURLs

struct CanonicalTextTests {
    private static let everything: [ByteString] = [
        "rs:fill-down:300:400:1:1:no:5:0.25", "mw:10", "mh:20", "z:1.5:2", "dpr:2", "g:soea:1:-2", "c:0.5:100:sm",
        "t:12:ff8000:1:0", "exar:1:fp:0.5:0.25", "pd:1:2:3:4", "ar:0", "rot:270", "fl:1:0", "bg:ff8000", "bga:0.5",
        "a:-10:1.5:0.5", "bl:0.001", "sh:1.5", "pix:4", "wm:0.5:sowe:10:-0.25:0.125", "wm:1:re:5:6", "kcr:0",
        "hs:sha1:a9993e364706816aba3e25717850c26c9cd0d89d", "fiu:aHR0cDovL2EvYg", "q:50", "fq:avif:40:webp:60",
        "mb:5000", "aq:size:5000:40:80", "aq:ssimulacra2:72.5:30:90:0.5",
        "jpgo:1:1", "pngo:1:1:64", "webpo:lossless", "da:1", "skp:gif:jpg", "cb:v1", "msr:0.5", "msfs:1000", "maf:3",
        "mafr:1.25",
        "mrd:2000",
    ]

    @Test(arguments: everything) func `each option survives the canonical text`(option: ByteString) throws {
        let request = try RenditionRequest(path: "/\(option)/plain/local:///a%20b%40c%3F%2525.jpg")
        let again = try RenditionRequest(canonicalText: request.canonicalText)
        #expect(again == request)
        #expect(again.canonicalText == request.canonicalText)
        #expect(request.options != RenditionOptions())
    }

    @Test func `all options together survive the canonical text`() throws {
        let request = try RenditionRequest(path: "/\(Self.everything.joined(separator: "/"))/plain/local:///a@webp")
        #expect(try RenditionRequest(canonicalText: request.canonicalText) == request)
    }

    @Test(.requirement("V7")) func `order, names and encoding of a URL do not change the text`() throws {
        let texts = try Set(
            [
                "/w:100/h:50/q:80/plain/http://a/b%20c@png", "/quality:80/size:100:50/f:png/plain/http://a/b%20c",
                "/q:1/h:50/q:80/width:100/aHR0cDovL2EvYiBj.png", "/rs::100:50/q:80/ext:png/plain/http%3A//a/b%20c",
            ].map { try RenditionRequest(path: $0).canonicalText })
        #expect(texts.count == 1)
    }

    @Test(.requirement("V32")) func `expiry, file name and disposition are not part of the text`() throws {
        let plain = try RenditionRequest(path: "/w:100/plain/a@png")
        let delivered = try RenditionRequest(path: "/w:100/exp:4102444800/fn:cat/att:1/plain/a@png")
        #expect(plain.canonicalText == delivered.canonicalText)
        #expect(plain != delivered)
    }

    @Test func `cachebuster, source and format are part of the text`() throws {
        let texts = try Set(
            ["/plain/a", "/plain/a@png", "/plain/a@best", "/plain/b", "/cb:1/plain/a", "/cb:2/plain/a"].map {
                try RenditionRequest(path: $0).canonicalText
            })
        #expect(texts.count == 6)
    }

    @Test func `the best format is a format of URLs, until another one follows`() throws {
        for path in ["/f:best/plain/a", "/plain/a@best", "/f:png/plain/a@best", "/ext:best/YQ"] as [ByteString] {
            let request = try RenditionRequest(path: path)
            #expect(request.canonicalText == "plain/a@best" && request.isNegotiable)
            #expect(try RenditionRequest(canonicalText: request.canonicalText) == request)
        }
        #expect(try RenditionRequest(path: "/f:best/plain/a@png").canonicalText == "plain/a@png")
        #expect(try RenditionRequest(path: "/f:best/raw:1/plain/a").canonicalText == "raw:1/plain/a")
        #expect(throws: RenditionError.self) { try RenditionRequest(path: "/fq:best:50/plain/a") }
    }

    @Test func `the accepted formats are part of the text`() throws {
        var request = try RenditionRequest(path: "/w:1/plain/a")
        var texts: Set<ByteString> = [request.canonicalText]
        for accepted in [AcceptedFormats(), [.webp], [.webp, .avif], AcceptedFormats(RenditionFormat.allCases)] {
            request.accepted = accepted
            texts.insert(request.canonicalText)
            #expect(try RenditionRequest(canonicalText: request.canonicalText) == request)
        }
        #expect(texts.count == (RenditionFormat.allCases.count > 4 ? 5 : 4))
    }

    @Test func `a URL cannot name the accepted formats itself`() {
        #expect(throws: RenditionError.self) { try RenditionRequest(path: "/accepted:webp/plain/a") }
    }

    @Test func `any byte of a source survives`() throws {
        let bytes = (1...255).map { UInt8($0) }
        let request = try RenditionRequest(path: "/\(ByteString(base64: bytes))")
        #expect(request.source.bytes == bytes)
        #expect(try RenditionRequest(canonicalText: request.canonicalText) == request)
    }
}
