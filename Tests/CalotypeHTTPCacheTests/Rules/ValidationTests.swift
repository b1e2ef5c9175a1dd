import CalotypeHTTP
import Requirements
import Testing

@testable import CalotypeHTTPCache

/// RFC 9111 §4.3: asking the origin, and what its 304 means.
struct ValidationTests {
    let rules = CacheRules(.shared)

    func validation(
        _ variants: [StoredResponse], _ request: HTTPFields = [:], after wait: Double = 60
    ) throws -> Validation? {
        guard case .validate(let validation, _) = rules.decide(try get(request), variants: variants, now: noon + wait)
        else { return nil }
        return validation
    }

    static let sent: [(HTTPFields, HTTPFields, HTTPFields)] = [
        (["ETag": "\"a\""], [:], ["If-None-Match": "\"a\""]),
        (["ETag": "W/\"a\""], [:], ["If-None-Match": "W/\"a\""]),
        (["Last-Modified": "@-100"], [:], ["If-Modified-Since": "@-100"]),
        (["ETag": "\"a\"", "Last-Modified": "@-100"], [:], ["If-None-Match": "\"a\"", "If-Modified-Since": "@-100"]),
        (["ETag": "\"a\""], ["If-None-Match": "\"b\""], ["If-None-Match": "\"a\", \"b\""]),
        (["ETag": "\"a\""], ["If-None-Match": "\"b\", \"a\""], ["If-None-Match": "\"a\", \"b\""]),
        (["ETag": "\"a\""], ["If-None-Match": "*"], ["If-None-Match": "\"a\""]),
        (["Last-Modified": "@-100"], ["If-Modified-Since": "@-50"], ["If-Modified-Since": "@-100"]),
        (["ETag": "odd"], [:], ["If-None-Match": "odd"]),
    ]

    @Test(.requirement("RFC 9111 §4.3.1"), arguments: sent)
    func `the stored validators are sent as they came`(
        _ response: HTTPFields, _ request: HTTPFields, _ expected: HTTPFields
    ) throws {
        var fields = response
        fields["Cache-Control"] = "max-age=2"
        let validation = try #require(try validation([try stored(fields)], request.dated))
        #expect(validation.fields == expected.dated)
        #expect(validation.index == 0)
    }

    @Test(.requirement("RFC 9111 §4.3.1"))
    func `without a variant that matches, the tags of all are sent, and no date`() throws {
        let fields: HTTPFields = ["Cache-Control": "max-age=600", "Vary": "Foo", "Last-Modified": "@-100"]
        let variants = try ([("1", "\"a\""), ("2", "\"b\"")] as [(ByteString, ByteString)]).map { foo, tag in
            var tagged = fields
            tagged["ETag"] = tag
            return try stored(tagged, first: ["Foo": foo])
        }
        let validation = try #require(try validation(variants, ["Foo": "3"], after: 0))
        #expect(validation.fields == ["If-None-Match": "\"a\", \"b\""])
        #expect(validation.index == nil && validation.candidates == [0, 1])
        let outcome = rules.validated(
            variants, for: try get(), by: ["ETag": "\"b\""], with: validation, requestTime: noon, responseTime: noon)
        guard case .confirmed(let confirmed) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(confirmed.map(\.index) == [1])
    }

    static let names: [(CaselessString, ByteString, ByteString, isUpdated: Bool)] = [
        ("Test", "1", "2", true), ("X-Test", "1", "2", true), ("Content-Foo", "1", "2", true),
        ("X-Content-Foo", "1", "2", true), ("Cache-Control", "max-age=1", "max-age=3600", true),
        ("Content-Location", "/foo", "/bar", true), ("Content-MD5", "a==", "b==", true),
        ("Content-Security-Policy", "default-src 'self'", "default-src 'none'", true),
        ("Content-Type", "text/plain", "text/plain;charset=utf-8", true), ("Clear-Site-Data", "cache", "cookies", true),
        ("Expires", "Fri, 01 Jan 2038 01:01:01 GMT", "Mon, 11 Jan 2038 11:11:11 GMT", true),
        ("Public-Key-Pins", "1", "2", true),
        ("X-Frame-Options", "deny", "sameorigin", true), ("X-XSS-Protection", "1", "1; mode=block", true),
        ("Content-Length", "10", "20", false), ("Content-Encoding", "gzip", "br", false),
        ("Content-Range", "bytes 0-9/20", "bytes 0-9/30", false),
    ]

    @Test(.requirement("RFC 9111 §3.2", "RFC 9111 §4.3.4"), arguments: names)
    func `a 304 brings newer fields, but for those that tell how to read the body`(
        _ name: CaselessString, _ old: ByteString, _ new: ByteString, isUpdated: Bool
    ) throws {
        var fields: HTTPFields = ["Cache-Control": "max-age=2", "ETag": "\"a\"", "Date": "@0"]
        fields[name] = old
        let variants = [try stored(fields)]
        let validation = try #require(try validation(variants, after: 1e9))
        var newer: HTTPFields = ["Cache-Control": "max-age=2", "ETag": "\"a\"", "Date": "@60"]
        newer[name] = new
        let updated = try confirmed(variants, newer, validation, at: noon + 60)
        #expect(updated.fields.values(of: name) == [isUpdated ? new : old])
    }

    func confirmed(
        _ variants: [StoredResponse], _ fields: HTTPFields, _ validation: Validation, at time: Double
    ) throws -> StoredResponse {
        try confirmation(of: variants, by: rules, for: get(), fields, validation, at: time).response
    }

    func confirmation(
        of variants: [StoredResponse], by rules: CacheRules, for request: HTTPRequest, _ fields: HTTPFields,
        _ validation: Validation, at time: Double = noon + 60
    ) throws -> ValidationOutcome.Confirmed {
        let outcome = rules.validated(
            variants, for: request, by: fields.dated, with: validation, requestTime: time, responseTime: time)
        guard case .confirmed(let confirmed) = outcome else { throw Unconfirmed(outcome: outcome) }
        return try #require(confirmed.first)
    }

    struct Unconfirmed: Error {
        let outcome: ValidationOutcome
    }

    @Test(.requirement("RFC 9111 §3.2"))
    func `what a 304 does not mention stays, the connection's fields do not come in`() throws {
        let variants = [try stored(["Cache-Control": "max-age=2", "Last-Modified": "@-100", "Test": "1"])]
        let validation = try #require(try validation(variants))
        let newer: HTTPFields = ["Last-Modified": "@-100", "Connection": "Secret", "Secret": "1", "Keep-Alive": "1"]
        let updated = try confirmed(variants, newer, validation, at: noon + 60)
        #expect(updated.fields["Test"] == "1" && updated.fields["Cache-Control"] == "max-age=2")
        #expect(updated.fields["Secret"] == nil && updated.fields["Keep-Alive"] == nil)
    }

    @Test(.requirement("RFC 9111 §4.3.4")) func `a 304 makes a response young again`() throws {
        let variants = [try stored(["Cache-Control": "max-age=20", "ETag": "\"a\"", "Age": "15", "Date": "@-30"])]
        let validation = try #require(try validation(variants))
        let updated = try confirmed(variants, ["ETag": "\"a\""], validation, at: noon + 60)
        #expect(updated.fields["Age"] == nil)
        #expect(updated.fields["Date"] == HTTPDate.format(noon + 60))
        #expect(rules.freshness(of: updated, now: noon + 70).age == 10)
        #expect(updated.bodyLength == variants[0].bodyLength)
    }

    static let picks: [(String, [HTTPFields], HTTPFields, [Int])] = [
        (
            "a strong tag: all that carry it", [["ETag": "\"a\""], ["ETag": "\"a\""], ["ETag": "\"b\""]],
            ["ETag": "\"a\""], [1, 0]
        ),
        (
            "a weak tag: the newest", [["ETag": "W/\"a\""], ["ETag": "W/\"a\""], ["ETag": "W/\"b\""]],
            ["ETag": "W/\"a\""], [1]
        ),
        ("a strong tag is not a weak one", [["ETag": "W/\"a\""], ["ETag": "\"b\""]], ["ETag": "\"a\""], []),
        ("a weak tag may be a strong one", [["ETag": "\"a\""], ["ETag": "\"b\""]], ["ETag": "W/\"a\""], [0]),
        ("a tag of none", [["ETag": "\"a\""], ["ETag": "\"b\""], ["ETag": "\"c\""]], ["ETag": "\"d\""], []),
        ("no validator, and several candidates", [["ETag": "\"a\""], ["ETag": "\"b\""], ["ETag": "\"c\""]], [:], []),
    ]

    @Test(.requirement("RFC 9111 §4.3.4"), arguments: picks)
    func `a 304 confirms those that it names`(
        _ claim: String, _ heads: [HTTPFields], _ newer: HTTPFields, _ expected: [Int]
    ) throws {
        let variants = try heads.enumerated().map { index, head in
            var fields = head
            fields["Vary"] = "Foo"
            fields["Cache-Control"] = "max-age=600"
            fields["Date"] = "@\(index)"
            return try stored(fields, first: ["Foo": "\(index)"])
        }
        let validation = try #require(try validation(variants, ["Foo": "x"]))
        let outcome = rules.validated(
            variants, for: try get(), by: newer, with: validation, requestTime: noon, responseTime: noon)
        if case .confirmed(let confirmed) = outcome {
            #expect(confirmed.map(\.index) == expected, "\(claim)")
        } else {
            #expect(outcome == .unusable && expected.isEmpty, "\(claim)")
        }
    }

    @Test func `a 304 without validators confirms the one response that was asked about`() throws {
        let variants = [try stored(["Cache-Control": "max-age=2", "ETag": "\"a\""])]
        let validation = try #require(try validation(variants))
        #expect(try confirmed(variants, ["Foo": "1"], validation, at: noon + 60).fields["Foo"] == "1")
    }

    @Test func `a 304 for the client's tag is the client's`() throws {
        let variants = [try stored(["Cache-Control": "max-age=2", "ETag": "\"a\""])]
        let validation = try #require(try validation(variants, ["If-None-Match": "\"b\""]))
        let request = try get()
        func outcome(_ fields: HTTPFields) -> ValidationOutcome {
            rules.validated(variants, for: request, by: fields, with: validation, requestTime: noon, responseTime: noon)
        }
        #expect(outcome(["ETag": "\"b\""]) == .forClient)
        #expect(outcome([:]) == .forClient)
        guard case .confirmed = outcome(["ETag": "\"a\""]) else {
            Issue.record("not ours")
            return
        }
    }

    @Test func `a 304 to a request without conditions confirms nothing`() throws {
        let variants = [try stored(["Cache-Control": "max-age=1, stale-while-revalidate=600"])]
        guard
            case .serveAndRevalidate(_, _, let validation) = rules.decide(try get(), variants: variants, now: noon + 9)
        else {
            Issue.record("not served")
            return
        }
        let outcome = rules.validated(
            variants, for: try get(), by: [:], with: validation, requestTime: noon, responseTime: noon)
        #expect(outcome == .unusable)
    }

    static let heads: [(HTTPFields, HTTPFields, Int, isKept: Bool?)] = [
        (["ETag": "\"a\""], ["ETag": "\"a\""], 200, true), (["ETag": "\"a\""], ["ETag": "\"b\""], 200, false),
        (["ETag": "\"a\""], [:], 200, true), ([:], ["ETag": "\"a\""], 200, false),
        (["Last-Modified": "@-9"], ["Last-Modified": "@-9"], 200, true),
        (["Last-Modified": "@-9"], ["Last-Modified": "@-8"], 200, false),
        ([:], ["Content-Length": "10"], 200, true), ([:], ["Content-Length": "11"], 200, false), ([:], [:], 200, true),
        ([:], ["ETag": "\"b\""], 410, nil), ([:], [:], 304, nil), ([:], [:], 404, nil),
    ]

    @Test(.requirement("RFC 9111 §4.3.5"), arguments: heads)
    func `HEAD freshens what it agrees with, and takes away what it contradicts`(
        _ own: HTTPFields, _ newer: HTTPFields, _ status: Int, isKept: Bool?
    ) throws {
        var fields = own
        fields["Cache-Control"] = "max-age=2"
        fields["Test"] = "1"
        var update = newer
        update["Cache-Control"] = "max-age=1000"
        let changes = rules.freshened(
            [try stored(fields)], for: try get(method: .head), status: status, fields: update.dated,
            requestTime: noon + 9, responseTime: noon + 9)
        guard let isKept else {
            #expect(changes.isEmpty)
            return
        }
        let change = try #require(changes[0])
        #expect((change != nil) == isKept)
        guard let kept = change else { return }
        #expect(kept.fields["Test"] == "1")
        #expect(rules.freshness(of: kept, now: noon + 100).isFresh)
    }

    @Test(.requirement("RFC 9111 §4.3.5"))
    func `HEAD speaks of the variants that it would have chosen, and only HEAD does`() throws {
        let variants = [
            try stored(["Cache-Control": "max-age=2", "Vary": "Foo"], first: ["Foo": "1"]),
            try stored(["Cache-Control": "max-age=2", "Vary": "Foo"], first: ["Foo": "2"]),
        ]
        func changes(_ method: HTTPMethod) throws -> [Int] {
            rules.freshened(
                variants, for: try get(["Foo": "2"], method: method), status: 200, fields: [:], requestTime: noon,
                responseTime: noon
            ).keys.sorted()
        }
        #expect(try changes(.head) == [1])
        #expect(try changes(.get) == [])
    }

    @Test(.requirement("RFC 9111 §5.2.1.5")) func `HEAD with no-store leaves what is stored as it is`() throws {
        let changes = rules.freshened(
            [try stored(["Cache-Control": "max-age=2", "ETag": "\"a\""])],
            for: try get(["Cache-Control": "no-store"], method: .head), status: 200,
            fields: ["Cache-Control": "max-age=1000", "ETag": "\"a\""], requestTime: noon, responseTime: noon)
        #expect(changes.isEmpty)
    }

    @Test(.requirement("RFC 9111 §4.3.4"))
    func `a strong tag confirms each response that the request could have got, and no other`() throws {
        let fields: HTTPFields = ["Cache-Control": "max-age=2", "ETag": "\"a\""]
        var varying = fields
        varying["Vary"] = "Foo"
        let variants = [
            try stored(fields), try stored(varying, first: ["Foo": "1"]), try stored(varying, first: ["Foo": "2"]),
        ]
        let request = try get(["Foo": "1"])
        guard case .validate(let validation, _) = rules.decide(request, variants: variants, now: noon + 9) else {
            Issue.record("no validation")
            return
        }
        let outcome = rules.validated(
            variants, for: request, by: ["ETag": "\"a\""], with: validation, requestTime: noon + 9,
            responseTime: noon + 9)
        guard case .confirmed(let confirmed) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(Set(confirmed.map(\.index)) == [0, 1] && confirmed.first?.index == validation.index)
    }
}
