import CalotypeHTTP
import Requirements
import Testing

@testable import CalotypeHTTPCache

/// RFC 9111 §4.1: several variants of one URL.
struct VaryTests {
    static let base: HTTPFields = ["Cache-Control": "max-age=5000", "Last-Modified": "@-3000", "Date": "@0"]

    struct Row: Sendable, CustomTestStringConvertible {
        let claim: String
        let response: HTTPFields
        let first: HTTPFields
        let second: HTTPFields
        let isServed: Bool

        init(_ claim: String, _ response: HTTPFields, _ first: HTTPFields, _ second: HTTPFields, _ isServed: Bool) {
            self.claim = claim
            self.response = response
            self.first = first
            self.second = second
            self.isServed = isServed
        }

        var testDescription: String { claim }
    }

    static let rows: [Row] = [
        Row("§4.1: the same", ["Vary": "Foo"], ["Foo": "1"], ["Foo": "1"], true),
        Row("§4.1: another", ["Vary": "Foo"], ["Foo": "1"], ["Foo": "2"], false),
        Row("§4.1: stored without", ["Vary": "Foo"], [:], ["Foo": "1"], false),
        Row("§4.1: asked without", ["Vary": "Foo"], ["Foo": "1"], [:], false),
        Row("§4.1: both without", ["Vary": "Foo"], [:], [:], true),
        Row("§4.1: empty is not absent", ["Vary": "Foo"], [:], ["Foo": ""], false),
        Row(
            "§4.1: others mean nothing", ["Vary": "Foo"], ["Foo": "1", "Other": "2"], ["Foo": "1", "Other": "3"], true),
        Row("§4.1: two, the same", ["Vary": "Foo, Bar"], ["Foo": "1", "Bar": "a"], ["Foo": "1", "Bar": "a"], true),
        Row(
            "§4.1: two, one differs", ["Vary": "Foo, Bar"], ["Foo": "1", "Bar": "a"], ["Foo": "2", "Bar": "a"], false),
        Row("§4.1: two, none there", ["Vary": "Foo, Bar"], ["Foo": "1", "Bar": "a"], [:], false),
        Row(
            "§4.1: two lines", ["Vary": "Foo", "Vary": "Bar"], ["Foo": "1", "Bar": "a"], ["Foo": "1", "Bar": "b"], false
        ),
        Row(
            "§4.1: three, the same", ["Vary": "A, B, C"], ["A": "1", "B": "2", "C": "3"],
            ["C": "3", "B": "2", "A": "1"], true),
        Row(
            "§4.1: three, the last differs", ["Vary": "A, B, C"], ["A": "1", "B": "2", "C": "3"],
            ["A": "1", "C": "3", "B": "4"], false),
        Row("§4.1: three, one absent in both", ["Vary": "A, B, C"], ["A": "1", "C": "3"], ["A": "1", "C": "3"], true),
        Row("§4.1: names in any case", ["Vary": "FOO"], ["foo": "1"], ["Foo": "1"], true),
        Row("§4.1: values in their case", ["Vary": "Foo"], ["Foo": "a"], ["Foo": "A"], false),
        Row("§4.1: combined lines", ["Vary": "Foo"], ["Foo": "1, 2"], ["Foo": "1", "Foo": "2"], true),
        Row("§4.1: white space", ["Vary": "Foo"], ["Foo": "1,2"], ["Foo": "1, 2"], false),
        Row(
            "§4.1: an empty member", ["Vary": "User-Agent"], ["User-Agent": "Mozilla"], ["User-Agent": ",Mozilla"],
            false),
        Row("§4.1: an empty member between others", ["Vary": "Foo"], ["Foo": "a,b"], ["Foo": "a,,b"], false),
        Row("§4.1: an open quote", ["Vary": "Foo"], ["Foo": "\"a,b"], ["Foo": "\"a, b"], false),
        Row("§4.1: bytes: the sign of kelvin is no K", ["Vary": "Foo"], ["Foo": "K"], ["Foo": "\u{212A}"], false),
        Row("§4.1: bytes: the Greek question mark", ["Vary": "Foo"], ["Foo": "a;b"], ["Foo": "a\u{37E}b"], false),
        Row("§4.1: bytes: an accent of its own", ["Vary": "Foo"], ["Foo": "\u{E9}"], ["Foo": "e\u{301}"], false),
        Row(
            "§4.1: bytes: in a list", ["Vary": "Accept-Language"], ["Accept-Language": "K"],
            ["Accept-Language": "\u{212A}"], false),
        Row(
            "§4.1: bytes: between weights", ["Vary": "Accept"], ["Accept": "a/b;q=1"], ["Accept": "a/b\u{37E}q=1"],
            false),
        Row(
            "RFC 4647 §3.3.1: bytes", ["Vary": "Accept-Language", "Content-Language": "\u{212A}"],
            ["Accept-Language": "de"], ["Accept-Language": "k"], false),
        Row("§4.1: order may mean something", ["Vary": "Foo"], ["Foo": "1, 2"], ["Foo": "2, 1"], false),
        Row("§4.1: commas in quotes", ["Vary": "Foo"], ["Foo": "\"1, 2\""], ["Foo": "\"1,2\""], false),
        Row(
            "RFC 9110 §12.5.4: order of languages", ["Vary": "Accept-Language"], ["Accept-Language": "en, de"],
            ["Accept-Language": "de, en"], true),
        Row(
            "RFC 9110 §12.5.4: case of languages", ["Vary": "Accept-Language"], ["Accept-Language": "en, de"],
            ["Accept-Language": "eN, De"], true),
        Row(
            "RFC 9110 §12.5.4: white space", ["Vary": "Accept-Language"], ["Accept-Language": "en, de"],
            ["Accept-Language": " en ,   de"], true),
        Row(
            "RFC 9110 §12.4.2: other weights", ["Vary": "Accept-Language"], ["Accept-Language": "en, de"],
            ["Accept-Language": "en, de;q=0.5"], false),
        Row(
            "RFC 9110 §12.4.2: white space at weights", ["Vary": "Accept-Language"], ["Accept-Language": "de;q=0.5"],
            ["Accept-Language": "de ; q=0.5"], true),
        Row(
            "RFC 9110 §12.5.3: order of codings", ["Vary": "Accept-Encoding"], ["Accept-Encoding": "gzip, br"],
            ["Accept-Encoding": "br,GZIP"], true),
        Row(
            "RFC 9110 §12.5.3: other codings", ["Vary": "Accept-Encoding"], ["Accept-Encoding": "gzip"],
            ["Accept-Encoding": "br"], false),
        Row(
            "RFC 9110 §12.5.1: order of types", ["Vary": "Accept"], ["Accept": "image/webp, */*;q=0.1"],
            ["Accept": "*/*; q=0.1,image/webp"], true),
        Row(
            "§4.1: the stored language is liked best", ["Vary": "Accept-Language", "Content-Language": "de"],
            ["Accept-Language": "en, de"], ["Accept-Language": "fr;q=0.5, de;q=1.0"], true),
        Row(
            "§4.1: another language is liked better", ["Vary": "Accept-Language", "Content-Language": "de"],
            ["Accept-Language": "en, de"], ["Accept-Language": "fr, de;q=0.9"], false),
        Row(
            "§4.1: the stored language is refused", ["Vary": "Accept-Language", "Content-Language": "de"],
            ["Accept-Language": "de"], ["Accept-Language": "de;q=0"], false),
        Row(
            "RFC 4647 §3.3.1: a wider range", ["Vary": "Accept-Language", "Content-Language": "de-AT"],
            ["Accept-Language": "en"], ["Accept-Language": "de, en;q=0.5"], true),
        Row(
            "RFC 4647 §3.3.1: not a mere prefix", ["Vary": "Accept-Language", "Content-Language": "den"],
            ["Accept-Language": "en"], ["Accept-Language": "de"], false),
        Row(
            "§4.1: two languages are none", ["Vary": "Accept-Language", "Content-Language": "de, en"],
            ["Accept-Language": "en, de"], ["Accept-Language": "de"], false),
        Row(
            "§4.1: no language is asked for", ["Vary": "Accept-Language", "Content-Language": "de"],
            ["Accept-Language": "de"], [:], false),
        Row(
            "§4.1: the language, and another field", ["Vary": "Accept-Language, Foo", "Content-Language": "de"],
            ["Accept-Language": "en", "Foo": "1"], ["Accept-Language": "de", "Foo": "2"], false),
    ]

    @Test(arguments: rows)
    func `a variant is for requests that say the same`(_ row: Row) throws {
        var fields = Self.base
        for field in row.response { fields.append(field.value, to: field.name) }
        let variants = [try stored(fields, first: row.first)]
        let decision = CacheRules(.shared).decide(try get(row.second), variants: variants, now: noon + 3)
        guard case .serve = decision else {
            #expect(!row.isServed)
            return
        }
        #expect(row.isServed)
    }

    @Test(
        .requirement("RFC 9111 §4.1"),
        arguments: [
            ["*"], ["*, *"], ["*", "*"], [", *"], ["", "*"], ["*, Foo"], ["Foo, *"], ["Foo", "*"], ["\"", "*"],
            ["Foo Bar"],
            ["\"Foo\""], ["Foo;Bar"], ["F\u{F6}\u{F6}"],
        ])
    func `a star anywhere matches nothing, nor does what is no name`(_ lines: [String]) throws {
        var fields = Self.base.dated
        for line in lines { fields.append(ByteString(line), to: "Vary") }
        let decision = CacheRules(.shared).storing(
            try get(["Foo": "1"]), status: 200, fields: fields, requestTime: noon, responseTime: noon)
        #expect(decision == .no(.variesByAnything))
    }

    @Test(arguments: ["b, a\", c", "b;x=\"1, 2\", a", "a;;q=1 ; , b", "B\t,a ,", ",", "\"", "a  b"])
    func `what is normal stays so`(_ text: String) {
        for name in ["accept", "accept-language", "other"] {
            let value = VaryNormalisation.value(
                of: CaselessString(name),
                in: ["accept": ByteString(text), "accept-language": ByteString(text), "other": ByteString(text)])
            #expect(
                value != nil
                    && VaryNormalisation.value(of: CaselessString(name), in: [CaselessString(name): value ?? ""])
                        == value
            )
        }
    }

    static let lengths = [(63, false), (64, false), (65, true), (60_000, true)]

    // 60 KB in a field that Vary names used to take 60 KB for each response.
    @Test(arguments: lengths)
    func `a long value is kept as a digest, and tells requests apart as before`(_ length: Int, isDigest: Bool) throws {
        let value = ByteString(String(repeating: "x", count: length))
        let variants = [
            try stored(["Cache-Control": "max-age=600", "Vary": "Foo"], first: ["Foo": value]),
            try stored(["Cache-Control": "max-age=600", "Vary": "Foo"], first: ["Foo": "\(value)y"]),
        ]
        let rules = CacheRules(.shared)
        let kept = try #require(variants[0].varying.first?.value)
        #expect(isDigest ? kept.hasPrefix("sha-256:") && kept.count == 72 : kept == value)
        #expect(rules.select(variants, for: try get(["Foo": value])) == [0])
        #expect(rules.select(variants, for: try get(["Foo": "\(value)y"])) == [1])
        #expect(rules.select([variants[0]], for: try get(["Foo": "\(value)z"])).isEmpty)
        // The digest that replaces a long value does not match that digest as a value.
        #expect(rules.select([variants[0]], for: try get(["Foo": kept])) == (isDigest ? [] : [0]))
    }

    @Test func `a digest is that of SHA-256, and long lists are read where language counts`() throws {
        let long = ByteString(String(repeating: "a", count: 112))
        let plain = try stored(["Cache-Control": "max-age=600", "Vary": "Foo"], first: ["Foo": long])
        let wanted = "sha-256:\(long.withBytes(KeyDigest.hex))"
        #expect(plain.varying.first?.value == ByteString(wanted))
        #expect(ByteString("abc").withBytes(KeyDigest.hex).hasPrefix("ba7816bf8f01cfea414140de5dae2223"))

        let languages = (0..<20).map { "x\($0)-yy;q=0.1" }.joined(separator: ", ")
        let response: HTTPFields = [
            "Cache-Control": "max-age=600", "Vary": "Accept-Language", "Content-Language": "de",
        ]
        let german = try stored(response, first: ["Accept-Language": ByteString("de, \(languages)")])
        let rules = CacheRules(.shared)
        #expect(rules.match(german, try get(["Accept-Language": ByteString("\(languages), DE")])) == .exact)
        #expect(
            rules.match(german, try get(["Accept-Language": ByteString("de, fr;q=0.2, \(languages)")])) == .negotiated)
        #expect(rules.match(german, try get(["Accept-Language": ByteString("fr, \(languages)")])) == .none)
    }

    static let languageCounts = [(64, VariantMatch.negotiated), (65, .none)]

    // Each variant used to parse the whole list.
    @Test(arguments: languageCounts)
    func `a list of more than 64 languages prefers none`(_ count: Int, _ match: VariantMatch) throws {
        let german = try stored(
            ["Cache-Control": "max-age=600", "Vary": "Accept-Language", "Content-Language": "de"],
            first: ["Accept-Language": "de"])
        let list = (["de"] + (1..<count).map { "x\($0);q=0.1" }).joined(separator: ", ")
        #expect(CacheRules(.shared).match(german, try get(["Accept-Language": ByteString(list)])) == match)
    }

    @Test(arguments: [(1, 64, true), (1, 65, false), (13, 5, false)])
    func `a Vary of more than 64 names is a star`(_ lines: Int, _ names: Int, isStored: Bool) throws {
        var fields = Self.base.dated
        for line in 0..<lines {
            let list = (0..<names).map { "X-\(line)-\($0)" }.joined(separator: ", ")
            fields.append(ByteString(list), to: "Vary")
        }
        let decision = CacheRules(.shared).storing(
            try get(), status: 200, fields: fields, requestTime: noon, responseTime: noon)
        #expect((decision == .no(.variesByAnything)) == !isStored)
    }

    @Test(arguments: [64, 65])
    func `order means nothing in a list of 64 members, and is compared in a longer one`(_ count: Int) throws {
        let members = (0..<count).map { "t/x\($0)" }
        let variant = try stored(
            ["Cache-Control": "max-age=600", "Vary": "Accept"],
            first: ["Accept": ByteString(members.joined(separator: ","))])
        func match(_ members: [String]) throws -> VariantMatch {
            CacheRules(.shared).match(variant, try get(["Accept": ByteString(members.joined(separator: ","))]))
        }
        #expect(try match(members) == .exact)
        #expect(try match(members.reversed()) == (count == 64 ? .exact : .none))
    }

    // Each name used to be searched for in all the fields.
    @Test(.timeLimit(.minutes(5))) func `variants that differ in many names cost no more than the request's fields`()
        throws
    {
        let variants = try (0..<16).map { variant in
            let names = (0..<64).map { "X-\(variant)-\($0)" }.joined(separator: ", ")
            return try stored(["Cache-Control": "max-age=600", "Vary": ByteString(names)])
        }
        let fields = (0..<200_000).map { HTTPFields.Field(name: CaselessString("Y-\($0)"), value: "1") }
        #expect(CacheRules(.shared).select(variants, for: try get(HTTPFields(fields))).count == 16)
    }

    @Test(.requirement("RFC 9111 §4.1")) func `several variants stay side by side`() throws {
        let fields: HTTPFields = ["Cache-Control": "max-age=5000", "Vary": "Foo"]
        let variants = [
            try stored(fields, first: ["Foo": "1"]), try stored(fields, first: ["Foo": "2"]), try stored(fields),
        ]
        let rules = CacheRules(.shared)
        #expect(rules.select(variants, for: try get(["Foo": "1"])) == [0])
        #expect(rules.select(variants, for: try get(["Foo": "2"])) == [1])
        #expect(rules.select(variants, for: try get()) == [2])
        #expect(Set(variants.map(\.variantKey)).count == 3)
    }

    @Test(.requirement("RFC 9111 §4")) func `of several that match, the newest Date wins`() throws {
        let variants = [
            try stored(["Cache-Control": "max-age=5000", "Date": "@-10"]),
            try stored(["Cache-Control": "max-age=5000", "Date": "@0", "Vary": "Foo"]),
            try stored(["Cache-Control": "max-age=5000", "Date": "@-5"]),
        ]
        #expect(CacheRules(.shared).select(variants, for: try get()) == [1, 2, 0])
    }

    @Test func `what was asked for in the same words goes before what was negotiated`() throws {
        let variants = [
            try stored(
                ["Cache-Control": "max-age=60", "Vary": "Accept-Language", "Content-Language": "de", "Date": "@5"],
                first: ["Accept-Language": "en"]),
            try stored(
                ["Cache-Control": "max-age=60", "Vary": "Accept-Language", "Content-Language": "de", "Date": "@0"],
                first: ["Accept-Language": "de"]),
        ]
        #expect(CacheRules(.shared).select(variants, for: try get(["Accept-Language": "DE"])) == [1, 0])
    }

    @Test func `the key of a variant tells absent from empty, and its lines apart`() {
        func key(_ fields: [VaryingField]) -> ByteString {
            StoredResponse(url: "", status: 200, fields: [:], requestTime: 0, responseTime: 0, varying: fields)
                .variantKey
        }
        let keys = [
            key([]), key([VaryingField(name: "a", value: nil)]), key([VaryingField(name: "a", value: "")]),
            key([VaryingField(name: "a", value: "="), VaryingField(name: "b", value: nil)]),
            key([VaryingField(name: "a", value: nil), VaryingField(name: "b", value: "=")]),
        ]
        #expect(Set(keys).count == keys.count)
    }
}
