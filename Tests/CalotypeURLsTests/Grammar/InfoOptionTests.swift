import CalotypeBase
import Testing

@testable import CalotypeURLs

/// The URLs that ask what an image is.
struct InfoOptionTests {
    private func options(_ text: ByteString) throws -> InfoOptions {
        let path: ByteString = "/info\(text.isEmpty ? "" : "/")\(text)/plain/local:///a.jpg"
        return try #require(try RenditionGrammar.permittingPlaces.request(for: path).request.options.info)
    }

    private func problem(_ text: ByteString) -> RenditionError? {
        do { _ = try options(text) } catch { return error as? RenditionError }
        return nil
    }

    // MARK: Options

    @Test func `options are imgproxy's by default`() throws {
        let found = try options("")
        #expect(found == InfoOptions() && found.size && found.format && found.dimensions && found.exif)
        #expect(!found.place && !found.needsPixels && found.digests.isEmpty)
    }

    private static let flags: [([ByteString], Flag)] = [
        (["size", "s"], \.size), (["format", "f"], \.format), (["dimensions", "d"], \.dimensions),
        (["exif"], \.exif), (["gps"], \.place), (["pages_number", "pn"], \.frames), (["alpha", "a"], \.alpha),
        (["duration", "du"], \.duration), (["bits", "bi"], \.bits), (["coding", "cod"], \.coding),
        (["profile", "prof"], \.profile), (["hdr"], \.hdr), (["c2pa"], \.credentials), (["damaged", "dmg"], \.damage),
        (["thumb_hash", "thumbhash", "th"], \.thumbHash),
    ]

    private typealias Flag = any (KeyPath<InfoOptions, Bool> & Sendable)

    @Test func `a fact is turned on and off by each of its names`() throws {
        for (names, fact) in Self.flags {
            for name in names {
                #expect(try options("\(name):1")[keyPath: fact] && options("\(name):t")[keyPath: fact])
                #expect(try !options("\(name):0")[keyPath: fact])
                #expect(try !options("\(name):1/\(name):false")[keyPath: fact])
            }
        }
    }

    @Test func `facts of pixels have their arguments`() throws {
        #expect(try options("palette:8").palette == 8 && options("p:256").palette == 256 && options("p:0").palette == 0)
        #expect(try options("average:1").average == InfoOptions.Average(ignoresTransparent: true))
        #expect(try options("avg:1:0").average == InfoOptions.Average(ignoresTransparent: false))
        #expect(try options("avg:1/avg:0").average == nil)
        #expect(try options("dominant_colors:1").dominantColors == InfoOptions.DominantColors(buildsMissing: false))
        #expect(try options("dc:1:1").dominantColors == InfoOptions.DominantColors(buildsMissing: true))
        #expect(try options("blurhash:4:3").blurHash == InfoOptions.Components(across: 4, down: 3))
        #expect(try options("bh:9:1").blurHash == InfoOptions.Components(across: 9, down: 1))
        #expect(try options("bh:4:3/bh:0:0").blurHash == nil && options("bh:0:3").blurHash == nil)
        for text in ["p:2", "avg:1", "dc:1", "bh:1:1", "th:1"] as [ByteString] {
            #expect(try options(text).needsPixels)
        }
    }

    @Test func `digests are a list, of which the later one counts`() throws {
        #expect(try options("calc_hashsums:md5:sha1:sha256:sha512").digests == Set(SourceDigest.allCases))
        #expect(try options("chs:md5/chs:sha256").digests == [.sha256])
        #expect(try options("chs:md5/chs:").digests.isEmpty)
    }

    @Test(
        arguments: [
            ("p:1", "palette"), ("p:257", "palette"), ("p:-1", "palette"), ("p:", "palette"), ("bh:10:1", "blurhash"),
            ("bh:1:10", "blurhash"), ("bh:4", "blurhash"), ("bh:x:1", "blurhash"), ("bh:1:1:1", "blurhash"),
            ("chs:crc32", "calc_hashsums"), ("s:1:1", "size"), ("exif:1:1", "exif"), ("a:1:1", "alpha"),
            ("iptc:1", "iptc"), ("xmp:1", "xmp"), ("vm:1", "video_meta"), ("do:1", "detect_objects"),
            ("cs:1", "colorspace"), ("b:1", "bands"), ("sf:1", "sample_format"), ("ph:1", "perceptual_hash"),
            ("pg:1", "page"), ("crop:10:10", "crop"), ("cl:1", "cl"), ("w:10", "w"), ("rs:fit:1:1", "rs"), ("q:1", "q"),
        ] as [(ByteString, ByteString)])
    func `an impossible value, and what the server does not read, is a 400 that names it`(
        text: ByteString, name: ByteString
    ) {
        let error = problem(text)
        #expect(error?.status == 400 && error?.option == name, "\(error?.message ?? "none")")
    }

    @Test(
        arguments: ["iptc:0", "xmp:0", "video_meta:0", "do:0", "cs:0", "b:0", "sf:0", "ph:0", "pg:0"] as [ByteString])
    func `facts that the server does not read may be turned off`(text: ByteString) throws {
        #expect(try options(text) == InfoOptions())
    }

    @Test func `facts have no format`() {
        for path in ["/info/plain/a@png", "/info/bG9jYWw6Ly8vYS5qcGc.png"] as [ByteString] {
            let error = #expect(throws: RenditionError.self) { try RenditionGrammar().request(for: path) }
            #expect(error?.status == 400 && error?.message.contains("format") == true)
        }
    }

    @Test func `the place is told with the server's permission alone`() throws {
        let path: ByteString = "/info/gps:1/plain/a"
        let error = #expect(throws: RenditionError.self) { try RenditionGrammar().request(for: path) }
        #expect(error?.status == 403 && error?.option == "gps")
        #expect(try RenditionGrammar().request(for: "/info/gps:0/plain/a").request.options.info?.place == false)
        #expect(try options("gps:1").place)
    }

    // MARK: Canonical texts

    private static let everything: [ByteString] = [
        "s:0", "f:0", "d:0", "exif:0", "gps:1", "pn:1", "a:1", "du:1", "bi:1", "cod:1", "prof:1", "hdr:1", "c2pa:1",
        "dmg:1", "p:16", "avg:1", "avg:1:0", "dc:1", "dc:1:1", "bh:4:3", "th:1", "chs:sha512:md5",
        "hs:sha1:a9993e364706816aba3e25717850c26c9cd0d89d", "fiu:aHR0cDovL2EvYg", "cb:v1", "msr:0.5", "msfs:1000",
    ]

    @Test(arguments: everything) func `each option survives the canonical text`(option: ByteString) throws {
        let grammar = RenditionGrammar.permittingPlaces
        let request = try grammar.request(for: "/info/\(option)/plain/local:///a%20b%40c%3F%2525.jpg").request
        #expect(request.canonicalText.hasPrefix("info/"))
        let again = try RenditionRequest(canonicalText: request.canonicalText)
        #expect(again == request && again.canonicalText == request.canonicalText)
        let plain = try grammar.request(for: "/info/plain/local:///a%20b%40c%3F%2525.jpg").request
        #expect(plain != request && plain.canonicalText != request.canonicalText)
    }

    @Test func `all options together survive the canonical text`() throws {
        let path: ByteString = "/info/\(Self.everything.joined(separator: "/"))/plain/local:///a"
        let request = try RenditionGrammar.permittingPlaces.request(for: path).request
        #expect(try RenditionRequest(canonicalText: request.canonicalText) == request)
    }

    @Test func `order, names and encoding of a URL do not change the text`() throws {
        let texts = try Set(
            [
                "/info/bh:4:3/s:0/plain/http://a/b", "/info/size:0/blurhash:4:3/aHR0cDovL2EvYg",
                "/info/s:0/exif:0/exif:1/bh:1:1/bh:4:3/exp:4102444800/plain/http%3A//a/b",
            ].map { try RenditionRequest(path: $0).canonicalText })
        #expect(texts == ["info/s:0/bh:4:3/plain/http://a/b"])
    }

    @Test func `facts do not depend on what the client accepts`() throws {
        let request = try RenditionRequest(path: "/info/plain/a")
        #expect(!request.isNegotiable && request.canonicalText == "info/plain/a")
    }

    // MARK: Presets, defaults and permitted options

    @Test func `presets for facts have names of their own`() throws {
        var grammar = RenditionGrammar()
        grammar.presets = try Presets(
            "default=w:10\ncard=q:1\ninfo/default=exif:0\ninfo/card=bh:4:3/pr:more\ninfo/more=dc:1")
        let plain = try #require(try grammar.request(for: "/info/plain/a").request.options.info)
        #expect(!plain.exif && plain.blurHash == nil)
        let card = try #require(try grammar.request(for: "/info/pr:card/plain/a").request.options.info)
        #expect(!card.exif && card.blurHash != nil && card.dominantColors != nil)
        #expect(try grammar.request(for: "/pr:card/plain/a").request.options.quality == 1)
        grammar.takesPresetsOnly = true
        #expect(try grammar.request(for: "/info/card/plain/a").request.options.info?.blurHash != nil)
        #expect(throws: RenditionError.self) { try grammar.request(for: "/info/more:none/plain/a") }
        #expect(throws: RenditionError.self) { try grammar.request(for: "/info/plain/a") }
    }

    @Test func `a preset for facts with another option is refused at once`() {
        for text in ["info/card=w:10", "info/card=bh:10:1", "card=bh:4:3"] as [ByteString] {
            #expect(throws: RenditionError.self) { try Presets(text) }
        }
        #expect(throws: Never.self) { try Presets("info/card=gps:1") }
    }

    @Test func `of the defaults, those of the source are for facts, too`() throws {
        var grammar = RenditionGrammar()
        try grammar.addDefaults("q:70/s:300:200/fiu:aHR0cDovL2EvYg/cb:v1")
        let options = try grammar.request(for: "/info/plain/a").request.options
        #expect(options.fallback == "http://a/b" && options.cacheBuster == "v1" && options.info == InfoOptions())
        #expect(options.width == 0 && options.quality == 0)
    }

    @Test func `permitted options of facts are a list of their own`() throws {
        var grammar = RenditionGrammar()
        grammar.allowedOptions = ["w"]
        #expect(try grammar.request(for: "/info/bh:4:3/plain/a").request.options.info?.blurHash != nil)
        grammar.allowedInfoOptions = ["bh", "pr"]
        #expect(try grammar.request(for: "/info/bh:4:3/plain/a").request.options.info?.blurHash != nil)
        let error = #expect(throws: RenditionError.self) { try grammar.request(for: "/info/blurhash:4:3/plain/a") }
        #expect(error?.status == 403)
        #expect(try grammar.request(for: "/w:1/plain/a").request.options.width == 1)
    }

    @Test func `skipped options leave the other facts`() throws {
        var grammar = RenditionGrammar()
        grammar.ignoresUnsupported = true
        let parsed = try grammar.request(for: "/info/iptc:1/bh:4:3/detect:1/plain/a")
        #expect(parsed.ignored == ["iptc", "detect"] && parsed.request.options.info?.blurHash != nil)
    }

    @Test func `facts are added to others by the same options`() throws {
        let facts = try InfoOptions.ofHeader.adding("bh:4:3/exif:0/gps:1")
        #expect(facts.blurHash != nil && !facts.exif && facts.place && facts.hdr)
        #expect(try InfoOptions.ofHeader.adding("") == .ofHeader && !InfoOptions.ofHeader.place)
        for text in ["bh", "w:10", "bh:4:3//x"] as [ByteString] {
            #expect(throws: RenditionError.self) { try InfoOptions.ofHeader.adding(text) }
        }
    }

    // MARK: Signatures

    @Test(
        arguments: [
            ("/info/sig/bh:4:3/plain/http://a/b?c", "sig", "/info/bh:4:3/plain/http://a/b"),
            ("/info/sig/plain/a", "sig", "/info/plain/a"), ("/info/sig/aHR0cDovL2EvYg", "sig", "/info/aHR0cDovL2EvYg"),
            ("/info/info/plain/a", "info", "/info/plain/a"),
            // The signature of a rendition may be this word, too.
            ("/info/w:10/plain/a", "info", "/w:10/plain/a"), ("/info/w%3A10/plain/a", "info", "/w%3A10/plain/a"),
            ("/info/plain/a", "info", "/plain/a"),
        ] as [(ByteString, ByteString, ByteString)])
    func `the signature of facts stands behind the word that it covers`(
        target: ByteString, signature: ByteString, path: ByteString
    ) throws {
        let signed = try SignedPath(target: target)
        #expect(signed.signature == signature && signed.path == path)
    }

    @Test func `a path of facts that a proxy has changed is repaired`() throws {
        let path = try SignedPath(target: "/info/sig/bh%3A4%3A3/plain/http:/a/b")
        #expect(path.repaired?.path == "/info/bh:4:3/plain/http://a/b")
    }

    @Test func `the word does not stand behind the signature`() {
        let error = #expect(throws: RenditionError.self) { try SignedPath(target: "/sig/info/plain/a") }
        #expect(error?.status == 400)
    }

    @Test func `a signer puts the signature where the server expects it`() throws {
        let signer = try URLSigner(keys: "736563726574", salts: "68656C6C6F")
        for path in ["/info/bh:4:3/plain/a", "/info/plain/a", "/w:10/plain/a"] as [ByteString] {
            let signed = try SignedPath(target: signer.signed(path))
            #expect(signed.path == path && signer.isValid(signed.signature, for: path))
        }
        let rest: ByteString = "/cb:1/plain/a"
        #expect(signer.signature(of: rest) != signer.signature(of: "/info\(rest)"))
    }
}

extension RenditionGrammar {
    fileprivate static var permittingPlaces: RenditionGrammar {
        var grammar = RenditionGrammar()
        grammar.permitsPlaces = true
        return grammar
    }
}
