import CalotypeBase
import Testing

@testable import CalotypeURLs

/// The paths of images by POST.
struct PostedPathTests {
    private func widths(_ path: ByteString) throws -> [Int] {
        try RenditionGrammar().posted(path).results.map { $0.width }
    }

    @Test(arguments: [
        ("/", [0]), ("/w:10/", [10]), ("/w:10", [10]), ("//w:10//h:5//", [10]), ("/each/w:1/each/w:2/", [1, 2]),
        ("/w:3/each/each/w:2", [3, 2]), ("/w:3/each/h:1/each/h:2/", [3, 3]), ("/each", [0]),
    ])
    func `a path has the options of one result or of several`(path: String, expected: [Int]) throws {
        #expect(try widths(ByteString(path)) == expected)
        #expect(try RenditionGrammar().posted(ByteString(path)).isList == path.contains("each"))
    }

    @Test func `a later option of one result changes no other`() throws {
        let posted = try RenditionGrammar().posted("/q:50/f:webp/each/q:70/w:10/each/w:20/f:png/")
        #expect(posted.results.map { $0.quality } == [70, 50])
        #expect(posted.results.map { $0.format } == [.webp, .png])
    }

    @Test(arguments: [
        "/plain/local:///a.jpg", "/w:10/plain/x", "/w:10/aGVsbG8", "/each/w:10/all", "/w:x/", "/nothing:1/",
        "/w:%00/", "/fiu:aHR0cDovL2E/",
    ])
    func `a path with anything else is refused`(path: String) {
        #expect(throws: RenditionError.self) { try RenditionGrammar().posted(ByteString(path)) }
    }

    @Test func `presets apply, and the default one comes first`() throws {
        var grammar = RenditionGrammar()
        grammar.presets = try Presets("default=w:5/q:40\nbig=w:900")
        let posted = try grammar.posted("/each/pr:big/each/h:7/")
        #expect(posted.results.map { $0.width } == [900, 5] && posted.results.map { $0.quality } == [40, 40])
        grammar.takesPresetsOnly = true
        #expect(try grammar.posted("/each/big/each/default/").results.map { $0.width } == [900, 5])
        #expect(try grammar.posted("/big/").results.map { $0.width } == [900])
    }

    @Test func `options that paths may not have are refused in every place`() throws {
        var grammar = RenditionGrammar()
        grammar.allowedOptions = ["w"]
        #expect(try grammar.posted("/w:1/each/w:2/").results.count == 1)
        for path: ByteString in ["/q:1/", "/each/q:1/", "/w:1/each/w:1/each/q:1"] {
            #expect(throws: RenditionError.self) { try grammar.posted(path) }
        }
    }

    @Test(arguments: [
        ("/info/", [true]), ("/info/bh:4:3/", [true]),
        ("/w:1/each/info/each/w:2/each/info/bh:1:1", [true, false, true]),
    ])
    func `facts may be a result`(path: String, areFacts: [Bool]) throws {
        #expect(try RenditionGrammar().posted(ByteString(path)).results.map { $0.info != nil } == areFacts)
    }

    @Test(arguments: ["/info/each/w:1/", "/each/info/w:1/", "/w:1/info/", "/info/info/", "/info/gps:1/"])
    func `facts have options for facts alone`(path: String) {
        #expect(throws: RenditionError.self) { try RenditionGrammar().posted(ByteString(path)) }
    }

    @Test func `facts have the expiry of all results`() throws {
        let results = try RenditionGrammar().posted("/exp:100/each/info/each/w:1/").results
        #expect(results.map { $0.expires } == [100, 100])
    }

    @Test func `the signed text is that of no rendition`() throws {
        let signer = try URLSigner(keys: "00", salts: "01")
        #expect(signer.signedForPost("/w:10/") != signer.signed("/w:10/"))
        #expect(signer.isValid(signer.signature(of: "POST/w:10/"), for: PostedPath.signedText("/w:10/")))
    }
}
