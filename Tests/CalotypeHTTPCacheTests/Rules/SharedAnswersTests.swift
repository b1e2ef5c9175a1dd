import CalotypeHTTP
import Requirements
import Testing

@testable import CalotypeHTTPCache

/// Responses that a shared cache must not give to other clients: RFC 9111 §3.5, and Set-Cookie.
struct SharedAnswersTests {
    static let cookies: [Exchange] = [
        Exchange("a guess", Exchange.shared, ["Last-Modified": "@-100000", "Set-Cookie": "a=b"], .notStored),
        Exchange("Set-Cookie2", Exchange.shared, ["Last-Modified": "@-100000", "set-cookie2": "a=b"], .notStored),
        Exchange("alone", Exchange.alone, ["Last-Modified": "@-100000", "Set-Cookie": "a=b"], .served),
        Exchange("no cookie", Exchange.shared, ["Last-Modified": "@-100000"], .served),
        Exchange(
            "public", Exchange.shared,
            ["Last-Modified": "@-100000", "Cache-Control": "public", "Set-Cookie": "a=b"], .served),
        Exchange("max-age", Exchange.shared, ["Cache-Control": "max-age=60", "Set-Cookie": "a=b"], .served),
        Exchange("s-maxage", Exchange.shared, ["Cache-Control": "s-maxage=60", "Set-Cookie": "a=b"], .served),
        Exchange(
            "max-age in a line that cannot be read", Exchange.shared,
            ["Cache-Control": "max-age=60, a=\"", "Set-Cookie": "a=b"], .notStored),
        Exchange("Expires", Exchange.shared, ["Expires": "@60", "Set-Cookie": "a=b"], .served),
        Exchange(
            "CDN-Cache-Control", Exchange.shared, ["CDN-Cache-Control": "max-age=60", "Set-Cookie": "a"], .served),
        Exchange(
            "CDN-Cache-Control instead of Expires", Exchange.shared,
            ["CDN-Cache-Control": "foo", "Expires": "@60", "ETag": "\"a\"", "Set-Cookie": "a"], .notStored),
        Exchange(
            "no-cache", Exchange.shared, ["Cache-Control": "no-cache", "ETag": "\"a\"", "Set-Cookie": "a=b"],
            .notStored),
        Exchange(
            "a 404 that is remembered for a while", Exchange.shared, status: 404,
            ["Last-Modified": "@-100000", "Set-Cookie": "a=b"], .notStored),
    ]

    @Test(arguments: cookies)
    func `an answer that sets a cookie is shared where the origin has said so itself`(_ exchange: Exchange) throws {
        try exchange.check()
    }

    static let both: [(CacheRules.Mode, kept: ByteString?)] = [(.shared, nil), (.private, "session=ALICE")]

    /// The fields of a response with a cookie, stale after two seconds.
    static let cookied: HTTPFields = [
        "Cache-Control": "max-age=2, stale-if-error=60", "ETag": "\"a\"", "Set-Cookie": "session=FIRST", "Test": "1",
    ]
    static let newer: HTTPFields = [
        "Cache-Control": "public, max-age=600", "ETag": "\"a\"", "Set-Cookie": "session=ALICE", "Set-Cookie": "b=c",
        "Test": "2",
    ]

    @Test(arguments: both)
    func `the Set-Cookie of a 304 is not kept, nor the one from before`(
        _ mode: CacheRules.Mode, kept: ByteString?
    ) throws {
        let rules = CacheRules(mode)
        let confirmed = try confirmation(by: rules, ["Authorization": "alice"], Self.newer)
        #expect(confirmed.keeping == .updated)
        #expect(confirmed.response.fields.values(of: "Set-Cookie").first == kept)
        #expect(confirmed.response.fields["Test"] == "2")
        #expect(rules.personalFields(of: Self.newer).map(\.value) == (kept == nil ? ["session=ALICE", "b=c"] : []))
    }

    private func confirmation(
        by rules: CacheRules, _ request: HTTPFields, _ answer: HTTPFields
    ) throws -> ValidationOutcome.Confirmed {
        let variants = [try stored(Self.cookied, by: rules)]
        guard case .validate(let validation, _) = rules.decide(try get(request), variants: variants, now: noon + 60)
        else { throw Unexpected() }
        let outcome = rules.validated(
            variants, for: try get(request), by: answer.dated, with: validation, requestTime: noon + 60,
            responseTime: noon + 60)
        guard case .confirmed(let confirmed) = outcome else { throw Unexpected() }
        return try #require(confirmed.first)
    }

    struct Unexpected: Error {}

    @Test(arguments: both)
    func `the Set-Cookie of an answer to HEAD is not kept, nor the one from before`(
        _ mode: CacheRules.Mode, kept: ByteString?
    ) throws {
        let rules = CacheRules(mode)
        let changes = rules.freshened(
            [try stored(Self.cookied, by: rules)], for: try get(method: .head), status: 200, fields: Self.newer,
            requestTime: noon + 60, responseTime: noon + 60)
        let change = try #require(changes[0])
        let head = try #require(change)
        #expect(head.fields.values(of: "Set-Cookie").first == kept)
        #expect(head.fields["Test"] == "2")
    }

    @Test(arguments: both)
    func `the Set-Cookie of a 206 is not kept, nor that of the part before it`(
        _ mode: CacheRules.Mode, kept: ByteString?
    ) throws {
        let rules = CacheRules(mode)
        var fields = Self.newer
        fields["Content-Range"] = "bytes 0-3/10"
        let part = try stored(fields, status: 206, first: ["Range": "bytes=0-3"], by: rules)
        #expect(part.fields.values(of: "Set-Cookie").first == kept)

        var head = Self.cookied
        head["Content-Length"] = "10"
        head["Accept-Ranges"] = "bytes"
        guard
            case .store(let whole) = rules.storing(
                try get(), status: 200, fields: head, requestTime: noon, responseTime: noon)
        else { throw Unexpected() }
        let first = try #require(whole.ended(bodyLength: 4, isComplete: false))
        fields["Content-Range"] = "bytes 4-9/10"
        let combined = rules.combine(
            first, with: fields, for: try get(), requestTime: noon + 9, responseTime: noon + 9)
        guard case .append(let both) = combined else { throw Unexpected() }
        #expect(both.fields.values(of: "Set-Cookie").first == kept)
        #expect(both.fields["Test"] == "2")
    }

    @Test func `a stored Set-Cookie goes out of a shared cache as long as the answer is fresh`() throws {
        for (mode, whenStale) in [(.shared, nil), (.private, "session=FIRST")] as [(CacheRules.Mode, ByteString?)] {
            let rules = CacheRules(mode)
            let response = try stored(Self.cookied, by: rules)
            for (age, expected) in [(1, "session=FIRST"), (30, whenStale)] as [(Int, ByteString?)] {
                guard case .whole(let fields) = rules.answer(try get(), from: response, now: noon + Double(age)) else {
                    throw Unexpected()
                }
                #expect(fields["Set-Cookie"] == expected)
            }
        }
    }

    typealias Keeping = ValidationOutcome.Keeping
    static let confirmations: [(String, CacheRules.Mode, HTTPFields, ByteString?, Keeping)] = [
        ("nothing allows it", .shared, ["Authorization": "a"], "max-age=600", .untouched),
        ("nothing is said", .shared, ["Authorization": "a"], nil, .untouched),
        ("public", .shared, ["Authorization": "a"], "public", .updated),
        ("must-revalidate", .shared, ["authorization": "a"], "max-age=60, must-revalidate", .updated),
        ("s-maxage", .shared, ["Authorization": "a"], "s-maxage=60", .updated),
        ("a word of a broken line allows nothing", .shared, ["Authorization": "a"], "public, a=\"", .untouched),
        ("private", .shared, ["Authorization": "a"], "private", .untouched),
        ("no-store", .shared, ["Authorization": "a"], "public, no-store", .removed),
        ("without Authorization", .shared, [:], "max-age=600", .updated),
        ("a private cache", .private, ["Authorization": "a"], "max-age=600", .updated),
    ]

    @Test(.requirement("RFC 9111 §3.5"), arguments: confirmations)
    func `a 304 to a request with Authorization freshens for all what its own directives allow`(
        _ claim: String, _ mode: CacheRules.Mode, _ request: HTTPFields, _ directives: ByteString?, _ keeping: Keeping
    ) throws {
        var answer: HTTPFields = ["ETag": "\"a\""]
        answer["Cache-Control"] = directives
        #expect(try confirmation(by: CacheRules(mode), request, answer).keeping == keeping, "\(claim)")
    }

    @Test(.requirement("RFC 9111 §3.5"), arguments: confirmations)
    func `so does an answer to HEAD`(
        _ claim: String, _ mode: CacheRules.Mode, _ request: HTTPFields, _ directives: ByteString?, _ keeping: Keeping
    ) throws {
        let rules = CacheRules(mode)
        var answer: HTTPFields = ["ETag": "\"a\""]
        answer["Cache-Control"] = directives
        let changes = rules.freshened(
            [try stored(Self.cookied, by: rules)], for: try get(request, method: .head), status: 200, fields: answer,
            requestTime: noon + 60, responseTime: noon + 60)
        switch keeping {
        case .untouched: #expect(changes.isEmpty, "\(claim)")
        case .removed: #expect(changes[0] == .some(nil), "\(claim)")
        case .updated:
            let change = try #require(changes[0])
            #expect(change?.fields["Cache-Control"] == directives, "\(claim)")
        }
    }

    @Test(.requirement("RFC 9111 §3.5")) func `a client with credentials does not complete the part of another`() throws
    {
        var fields = Self.cookied
        fields["Content-Length"] = "10"
        fields["Accept-Ranges"] = "bytes"
        for (mode, reason) in [(CacheRules.Mode.shared, ForwardReason.partial), (.private, nil)] {
            let rules = CacheRules(mode)
            guard
                case .store(let whole) = rules.storing(
                    try get(), status: 200, fields: fields, requestTime: noon, responseTime: noon)
            else { throw Unexpected() }
            let part = try #require(whole.ended(bodyLength: 4, isComplete: false))
            let decision = rules.decide(try get(["Authorization": "a"]), variants: [part], now: noon)
            if let reason {
                #expect(decision == .forward(reason))
            } else {
                #expect(decision == .resume(0, ["Range": "bytes=4-", "If-Range": "\"a\""]))
            }
            #expect(
                rules.decide(try get(), variants: [part], now: noon)
                    == .resume(0, ["Range": "bytes=4-", "If-Range": "\"a\""]))
        }
    }
}
