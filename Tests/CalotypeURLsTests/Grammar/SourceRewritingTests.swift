import CalotypeBase
import Testing

@testable import CalotypeURLs

/// Replaced beginnings of sources, and the base in front of them.
struct SourceRewritingTests {
    @Test(
        arguments: [
            (["mys3://=s3://my_bucket/images/"], "", "mys3://image01.jpg", "s3://my_bucket/images/image01.jpg"),
            (["mys3://*/=s3://my_bucket/${1}/images/"], "", "mys3://items/a.jpg", "s3://my_bucket/items/images/a.jpg"),
            (["a://*.*/=b://${2}/${1}/"], "", "a://x.y.z/c", "b://z/x.y/c"),
            (["a://*b=c"], "", "a://x/b", "a://x/b"), (["a://=b"], "", "xa://c", "xa://c"),
            (["a://=b://", "b://=c://"], "", "a://x", "c://x"),
            ([], "https://example.com/", "x/y.jpg", "https://example.com/x/y.jpg"),
            ([], "https://example.com/", "https://example.com/x.jpg", "https://example.com/x.jpg"),
            (["a://=https://b/"], "https://b/", "a://x", "https://b/x"),
        ] as [([ByteString], ByteString, ByteString, ByteString)])
    func `a URL is rewritten as imgproxy does`(
        _ replacements: [ByteString], _ base: ByteString, _ url: ByteString, _ expected: ByteString
    ) throws {
        var rewriting = SourceRewriting()
        for replacement in replacements { try rewriting.add(replacement) }
        rewriting.base = base
        #expect(rewriting.rewritten(url) == expected)
    }

    @Test(arguments: ["a", "=b", "a=${1}", "a*=${2}", "a*=${0}", "a*=${x}", "a*=${1"] as [ByteString])
    func `a replacement that means nothing is refused`(_ text: ByteString) {
        var rewriting = SourceRewriting()
        #expect(throws: RenditionError.self) { try rewriting.add(text) }
    }

    @Test func `a hostile source takes a pattern of many stars no longer than its length allows`() throws {
        var rewriting = SourceRewriting()
        try rewriting.add("*a*a*a*a*a*a*a*a*b=c")
        let url = ByteString(String(repeating: "a", count: 1000))
        #expect(rewriting.rewritten(url) == url)
    }

    @Test func `the key of a result has the source that is loaded`() throws {
        var grammar = RenditionGrammar()
        try grammar.rewriting.add("mine://=https://example.com/")
        let request = try grammar.request(for: "/w:10/plain/mine://a.jpg").request
        #expect(request.source == "https://example.com/a.jpg")
        #expect(try RenditionRequest(path: "/\(request.canonicalText)") == request)
    }

    @Test func `options that change no result are accepted with each value`() throws {
        let plain = try RenditionRequest(path: "/w:10/plain/local:///a.jpg")
        for option: ByteString in ["sm:0", "sm:1", "ph:0", "eth:1", "enforce_thumbnail:0", "fq:heic:77"] {
            #expect(try RenditionRequest(path: "/\(option)/w:10/plain/local:///a.jpg") == plain)
        }
    }
}
