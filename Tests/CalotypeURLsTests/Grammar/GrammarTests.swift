import CalotypeBase
import Requirements
import Testing

@testable import CalotypeURLs

struct GrammarTests {
    private static let source: ByteString = "http://example.com/images/curiosity.jpg"

    private func parse(_ path: ByteString) throws(RenditionError) -> RenditionRequest {
        try RenditionRequest(path: path)
    }

    // MARK: Sources

    @Test(
        arguments: [
            ("/plain/http://example.com/images/curiosity.jpg", nil),
            ("/plain/http://example.com/images/curiosity.jpg@png", RenditionFormat.png),
            ("/plain/http://example.com/images/curiosity.jpg@", nil),
            ("/plain/http%3A%2F%2Fexample.com%2Fimages%2Fcuriosity.jpg@webp", .webp),
            ("/aHR0cDovL2V4YW1wbGUuY29tL2ltYWdlcy9jdXJpb3NpdHkuanBn", nil),
            ("/aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn.png", .png),
            ("/aHR0cDovL2V4YW1wbGUuY29tL2ltYWdlcy9jdXJpb3NpdHkuanBn.avif", .avif),
            ("/rs:fill:300:400:0/g:sm/aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn.jpg", .jpeg),
        ] as [(ByteString, RenditionFormat?)])
    func `a source is plain or in base64, with or without an extension`(path: ByteString, format: RenditionFormat?)
        throws
    {
        let request = try parse(path)
        #expect(request.source == Self.source)
        #expect(request.options.format == format)
    }

    @Test(.requirement("V6")) func `a percent sign in a source stays`() throws {
        #expect(try parse("/plain/http://a/50%2525.jpg").source == "http://a/50%25.jpg")
        #expect(try parse("/aHR0cDovL2EvNTAlMjUuanBn").source == "http://a/50%25.jpg")
    }

    @Test(
        arguments: [
            ("/", "missing"), ("/w:100", "missing"), ("/w:100/", "missing"), ("/plain/", "missing"),
            ("/plain/@png", "missing"), ("/.png", "missing"),
            ("/plain/a@b@c", "several \"@\""), ("/plain/a%2", "hexadecimal"), ("/plain/a%zz", "hexadecimal"),
            ("/aHR0.a.b", "several extensions"), ("/a", "nor a source in base64"), ("/aHR0*", "nor a source in base64"),
            ("/small!/plain/a", "\"small!\", before \"plain\", is neither an option"),
            ("/w_300/plain/http://a/b.c.jpg", "\"w_300\", before \"plain\""),
            ("/images/w:300/plain/http://a/b.c.jpg", "\"images\", before \"w:300\""),
            ("/enc/aHR0cDovL2EvYi5qcGc", "\"enc\" begins a source that imgproxy has encrypted"),
            ("/300x200/smart/http://a/b.jpg", "thumbor"), ("/fit-in/300x200/filters:blur(5)/a", "thumbor"),
            ("/-300x0/a", "thumbor"), ("/x/aHR0", "nor a source in base64"),
            ("/aHR0cA.tiff", "tiff"),
            ("/plain/a%00b", "NUL"), ("/AA", "NUL"), ("/w:1%00/plain/a", "NUL"), ("/plain/local:///a@gif", "gif"),
        ] as [(ByteString, String)])
    func `a wrong source is named`(path: ByteString, problem: String) {
        let error = #expect(throws: RenditionError.self) { try parse(path) }
        #expect(error?.status == 400)
        #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
    }

    // MARK: Options

    @Test func `an expiry in milliseconds is refused by its unit`() throws {
        #expect(try parse("/exp:1764000000/plain/a").options.expires == 1_764_000_000)
        let error = #expect(throws: RenditionError.self) { try parse("/exp:1764000000000/plain/a") }
        #expect(error?.message == "option \"expires\": 1764000000000 is in milliseconds; write seconds since 1970")
    }

    @Test func `options have long and short names`() throws {
        let long = try parse("/resize:fill:300:400:1/gravity:fp:0.25:0.5/quality:60/format:webp/plain/a")
        let short = try parse("/rs:fill:300:400:1/g:fp:0.25:0.5/q:60/plain/a@webp")
        #expect(long == short)
        #expect(long.options.width == 300 && long.options.height == 400 && long.options.enlarges)
        #expect(long.options.gravity == RenditionOptions.Anchor(place: .focus, x: 0.25, y: 0.5))
    }

    @Test func `no two options share a name`() {
        let names = OptionTable.rows.flatMap(\.names)
        #expect(Set(names).count == names.count)
    }

    @Test(.requirement("V7")) func `of two equal options the later wins`() throws {
        #expect(try parse("/w:100/h:50/w:200/plain/a") == parse("/h:50/w:200/plain/a"))
        #expect(try parse("/rs:fill:10:20/s:30/plain/a") == parse("/rs:fill:30:20/plain/a"))
        #expect(try parse("/f:png/plain/a@webp").options.format == .webp)
    }

    @Test func `omitted arguments change nothing`() throws {
        #expect(try parse("/w:5/rs:fill::40/plain/a") == parse("/w:5/h:40/rt:fill/plain/a"))
        #expect(try parse("/pd:10:20/plain/a") == parse("/pd:10:20:10:20/plain/a"))
        #expect(try parse("/pd:::5/plain/a") == parse("/pd:0:0:5:0/plain/a"))
        #expect(try parse("/zoom:2/plain/a") == parse("/z:2:2/plain/a"))
    }

    @Test(
        .requirement("V7"),
        arguments: [
            ("nonsense:1", "nonsense"), ("object_position:1", "object_position"), ("w:-1", "width"), ("w:x", "width"),
            ("w:8193", "width"), ("w:+-5", "width"), ("h:1.5", "height"), ("w:1:2", "width"),
            ("rs:cover:1:2", "resize"),
            ("rt:", "resizing_type"),
            ("dpr:0", "dpr"), ("dpr:nan", "dpr"), ("dpr:1e999", "dpr"), ("zoom:-1", "zoom"),
            ("g:xx", "gravity"), ("g:fp:0.5", "gravity"), ("g:fp:1.5:0", "gravity"), ("g:sm:1", "gravity"),
            ("ex:1:sm", "extend"), ("c:-1", "crop"), ("t:-1", "trim"), ("t:10:zz", "trim"), ("pd:-1", "padding"),
            ("rot:45", "rotate"), ("bg:12", "background"), ("bg:1:2:300", "background"), ("q:101", "quality"),
            ("fq:jpg", "format_quality"), ("f:gif", "format"), ("sm:0:1", "strip_metadata"),
            ("skp:psd", "skip_processing"), ("wm:2", "watermark"), ("wm:1:fp", "watermark"), ("exp:soon", "expires"),
            ("g:re", "gravity"), ("ex:1:re", "extend"), ("hs:crc32:00", "hashsum"), ("hs:md5", "hashsum"),
            ("hs:md5:00", "hashsum"), ("hs:md5:zz0150983cd24fb0d6963f7d28e17f72", "hashsum"),
            ("fiu:*", "fallback_image_url"), ("fiu:AA", "fallback_image_url"),
            ("tag:a b", "tag"), ("tag:a,b", "tag"), ("tag:%22", "tag"), ("tag:a:", "tag"), ("tag::a", "tag"),
            ("tag:1:2:3:4:5:6:7:8:9", "tag"),
            ("fn:%zz", "filename"), ("pr:none", "preset"), ("msr:-1", "max_src_resolution"),
            ("webpo:near", "webp_options"), ("aq:", "autoquality"), ("aq:dssim:0.02", "autoquality"),
            ("aq:ml:0.02", "autoquality"), ("aq:size", "autoquality"), ("aq:size:0", "autoquality"),
            ("aq:ssimulacra2:9", "autoquality"), ("aq:ssimulacra2:96", "autoquality"),
            ("aq:ssimulacra2:70:0", "autoquality"), ("aq:ssimulacra2:70:80:70", "autoquality"),
            ("aq:ssimulacra2:70:1:101", "autoquality"), ("aq:ssimulacra2:70:1:100:21", "autoquality"),
            ("aq:ssimulacra2:70:1:100:1:1", "autoquality"),
            ("pngo:0:1:1", "png_options"), ("pngo:0:1:257", "png_options"),
        ] as [(ByteString, ByteString)])
    func `an unknown or impossible option is named`(option: ByteString, name: ByteString) {
        let error = #expect(throws: RenditionError.self) { try parse("/\(option)/plain/local:///a.jpg") }
        #expect(error?.status == 400)
        #expect(error?.option == name)
        #expect(error?.message.contains(name.string) == true)
    }

    /// Each row has the options of a preset, the options of a URL after it, and options that mean the same at once.
    @Test(
        arguments: [
            ("wm:0.5:noea:10:20:0.2", "wm:1", "wm:1:noea:10:20:0.2"), ("wm:0:so:5:5", "wm:1", "wm:1:so:5:5"),
            ("wm:0.5:noea:10:20:0.2", "wm:1::30", "wm:1:noea:30:20:0.2"), ("wm:1:re:3:3", "wm:0", "wm:0"),
            ("c:10:20:noea:1:2", "c:30", "c:30:20:noea:1:2"), ("c:10:20:noea", "c::40", "c:10:40:noea"),
            ("c:10:20:noea:1:2", "c:30::so", "c:30:20:so:1:2"), ("c:0:0:noea", "c:30", "c:30:0:noea"),
            ("g:noea:10:20", "g:so", "g:so:10:20"), ("g:noea:10:20", "g:so::5", "g:so:10:5"),
            ("g:noea:10:20", "g:sm", "g:sm"), ("g:noea:10:20", "g:fp:0.1:0.2", "g:fp:0.1:0.2"),
            ("ex:1:noea", "ex:1", "ex:1:noea"), ("ex:0:noea", "ex:1", "ex:1:noea"), ("ex:1:no:1:2", "ex:0", "ex:0"),
            ("exar:1:so", "exar:1::3", "exar:1:so:3:0"), ("rs:fit:1:2:0:1:so", "rs:::4::1", "rs:fit:1:4:0:1:so"),
            ("rs:fill:100:50:1", "s:30", "rs:fill:30:50:1"), ("a:10:2:3", "a::4", "a:10:4:3"),
            ("fl:1:1", "fl:0", "fl:0:1"), ("jpgo:1:1", "jpgo::0", "jpgo:1:0"),
            ("pngo:1:1:16", "pngo::0", "pngo:1:0:16"), ("pngo:1", "pngo:::8", "pngo:1:0:8"),
            ("fq:jpg:50:webp:60", "fq:jpg:70", "fq:jpg:70:webp:60"),
            // As in imgproxy 4: sides that are left out follow from those before them, a trim without a color takes that
            // of the top left pixel and keeps its flags, and a zoom has both sides.
            ("pd:1:2:3:4", "pd:9", "pd:9:9:9:9"), ("pd:1:2:3:4", "pd::5", "pd:1:5:1:5"),
            ("t:10:ff0000:1:1", "t:20", "t:20::1:1"), ("t:10:ff0000:1:1", "t:", "t:"),
            ("t:10::1", "t:20:00ff00::1", "t:20:00ff00:1:1"), ("z:2:3", "z:4", "z:4:4"), ("bg:ff0000", "bg:", "bg:"),
        ] as [(ByteString, ByteString, ByteString)])
    func `arguments that are left out keep what an earlier option has set`(
        preset: ByteString, option: ByteString, same: ByteString
    ) throws {
        let grammar = try grammar("p=\(preset)")
        #expect(try grammar.request(for: "/pr:p/\(option)/plain/a").request == parse("/\(same)/plain/a"))
        #expect(try parse("/\(preset)/\(option)/plain/a") == parse("/\(same)/plain/a"))
    }

    @Test(
        arguments: [
            ("el:yes", "el:0"), ("el:True", "el:1"), ("el:", "el:0"), ("el:T", "el:1"), ("ar:", "ar:0"),
            ("w:+50", "w:50"), ("rot:+90", "rot:90"), ("t:300", "t:255"), ("t:1e3", "t:255"), ("fq:jpeg:0", "fq:png:0"),
            ("fq:jpg:50/fq:jpg:0", "q:0"), ("ex:no", "ex:0"), ("kcr:2", "kcr:0"),
            ("aq:ssimulacra2:70", "aq:ssimulacra2:70:10:95:1"), ("aq:ssimulacra2:70::5", "aq:ssimulacra2:70:5:5:1"),
            ("aq:ssimulacra2:70:97", "aq:ssimulacra2:70:97:97:1"), ("aq:size:900", "aq:size:900:1:80"),
            ("aq:size:900/aq:none", "aq:none"),
        ] as [(ByteString, ByteString)])
    func `numbers and flags are parsed as imgproxy parses them`(option: ByteString, same: ByteString) throws {
        #expect(try parse("/\(option)/plain/a") == parse("/\(same)/plain/a"))
    }

    @Test func `unsupported options can be left out, and are told`() throws {
        var grammar = RenditionGrammar()
        grammar.ignoresUnsupported = true
        let parsed = try grammar.request(for: "/w:100/dd:1/rot:45/dd:2/plain/a@jpg")
        #expect(parsed.request == (try parse("/w:100/plain/a@jpg")))
        #expect(parsed.ignored == ["dd", "rot", "dd"])
    }

    @Test func `a digest of no kind and an empty fallback image are no options`() throws {
        #expect(try parse("/hs:none/fiu:/plain/a") == parse("/plain/a"))
        #expect(try parse("/hs:md5:900150983cd24fb0d6963f7d28e17f72/hs:none:00/plain/a") == parse("/plain/a"))
    }

    // MARK: Presets

    private func grammar(_ presets: ByteString) throws -> RenditionGrammar {
        var grammar = RenditionGrammar()
        grammar.presets = try Presets(presets)
        return grammar
    }

    @Test func `presets are lists of options, applied in place`() throws {
        let grammar = try grammar(
            "# thumbnails\n\nthumb = rs:fill:100:50\r\nsharp=sh:0.5/q:70\nboth=pr:thumb:sharp/q:80")
        #expect(
            try grammar.request(for: "/pr:both/w:200/plain/a").request
                == parse("/rs:fill:200:50/sh:0.5/q:80/plain/a"))
        #expect(try grammar.request(for: "/w:200/preset:thumb/plain/a").request == parse("/rs:fill:100:50/plain/a"))
    }

    @Test func `the default preset comes before all options`() throws {
        let grammar = try grammar("default=q:70/rs:fill:100:50")
        #expect(try grammar.request(for: "/q:90/plain/a").request == parse("/q:90/rs:fill:100:50/plain/a"))
    }

    @Test func `in presets-only mode, paths begin with presets`() throws {
        var grammar = try grammar("thumb=rs:fill:100:50\nsharp=sh:0.5")
        grammar.takesPresetsOnly = true
        #expect(try grammar.request(for: "/thumb:sharp/plain/a").request == parse("/rs:fill:100:50/sh:0.5/plain/a"))
        #expect(throws: RenditionError.self) { try grammar.request(for: "/w:100/plain/a") }
    }

    @Test func `presets that name each other end`() throws {
        let grammar = try grammar("a=pr:b/w:1\nb=pr:a/h:2")
        #expect(try grammar.request(for: "/pr:a/plain/x").request == parse("/w:1/h:2/plain/x"))
    }

    @Test(
        arguments: [
            ("thumb", "line 1"), ("a=w:1\n=w:2", "line 2"), ("a=w", "line 1"), ("a=w:x", "width"),
            ("a=pr:b", "no preset"),
        ] as [(ByteString, String)])
    func `a wrong file of presets is refused at once`(text: ByteString, problem: String) {
        let error = #expect(throws: RenditionError.self) { try Presets(text) }
        #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
    }

    // MARK: Signed paths

    @Test func `a target is a signature, and the path that was signed, without a query`() throws {
        let path = try SignedPath(target: "/sig/w:100/plain/http://a/b?c=d")
        #expect(path.signature == "sig")
        #expect(path.path == "/w:100/plain/http://a/b")
        #expect(path.repaired == nil)
    }

    @Test(
        arguments: [
            ("/s/rs%3Afit%3A1/plain/http://a/b", "/rs:fit:1/plain/http://a/b"),
            ("/s/w:1/plain/http:/a/b", "/w:1/plain/http://a/b"),
            ("/s/w%3a1/plain/https%3A/a/b@png", "/w:1/plain/https://a/b@png"),
            ("/s/plain/local:/a/b", "/plain/local:///a/b"),
            ("/s/w:1/plain/s3:/photos/a%2Fb", "/w:1/plain/s3://photos/a%2Fb"),
            ("/s/plain/s3%3A/photos/b", "/plain/s3://photos/b"),
            // The escapes of a plain source are its own.
            ("/s/rs%3Afit/w%3A1/plain/http://a/b%3Ac%2Fd", "/rs:fit/w:1/plain/http://a/b%3Ac%2Fd"),
            ("/s/w%3A1/aHR0cDovL2EvYg", "/w:1/aHR0cDovL2EvYg"),
        ] as [(ByteString, ByteString)])
    func `what proxies do to colons and slashes is repaired`(target: ByteString, path: ByteString) throws {
        #expect(try SignedPath(target: target).repaired?.path == path)
    }

    @Test(arguments: ["/rs:fit:1/w:1/plain/http://a/b", "/rs%3Afit:1/plain/a", "/w:1/aHR0"] as [ByteString])
    func `a path without a signature is forbidden, whether the server has a key or not`(target: ByteString) {
        let error = #expect(throws: RenditionError.self) { try SignedPath(target: target) }
        #expect(error?.status == 403)
        #expect(error?.message.contains("signature") == true)
    }

    @Test(arguments: ["", "/", "/sig", "sig/w:1/plain/a", "//w:1/plain/a", "http://a/b/c", "*"] as [ByteString])
    func `another target is malformed`(target: ByteString) {
        let error = #expect(throws: RenditionError.self) { try SignedPath(target: target) }
        #expect(error?.status == 400)
    }
}
