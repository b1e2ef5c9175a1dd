import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeHTTPCache

/// The decisions in words, which are those of the rules.
@Suite struct ExplanationTests {
    private static func explanation(
        _ rules: CacheRules, status: Int = 200, _ fields: HTTPFields, request: HTTPFields = [:]
    ) throws -> CacheExplanation {
        let request = try get(request)
        return rules.explanation(
            of: HTTPResponse(url: request.url, status: status, fields: fields.dated), to: request, requestTime: noon,
            responseTime: noon)
    }

    private static func text(
        _ explanation: CacheExplanation, _ topic: CacheRuling.Topic
    ) -> [String] {
        explanation.rulings.filter { $0.topic == topic }.map { "\($0.text) (\($0.sections.joined(separator: ", ")))" }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let mode: CacheRules.Mode
        let fields: HTTPFields
        let topic: CacheRuling.Topic
        let expected: [String]
        var request: HTTPFields = [:]
        var status = 200

        var testDescription: String { "\(mode), \(fields.map { "\($0.name): \($0.value)" }), \(topic)" }
    }

    static let maxAge: HTTPFields = ["Cache-Control": "max-age=60", "ETag": "\"1\"", "Date": "@0"]

    static let storing: [Case] = [
        Case(
            mode: .private, fields: maxAge, topic: .storing, expected: ["stored: it states a lifetime (RFC 9111 §3)"]),
        Case(
            mode: .shared, fields: ["Cache-Control": "private, max-age=60"], topic: .storing,
            expected: ["not stored: private (RFC 9111 §5.2.2.7)"]),
        Case(
            mode: .private, fields: ["Cache-Control": "no-store"], topic: .storing,
            expected: ["not stored: no-store (RFC 9111 §5.2.2.5)"]),
        Case(
            mode: .private, fields: maxAge, topic: .storing,
            expected: ["not stored: the request's no-store (RFC 9111 §5.2.1.5)"], request: ["Cache-Control": "no-store"]
        ),
        Case(
            mode: .shared, fields: maxAge, topic: .storing,
            expected: [
                "not stored: the request's Authorization, without public, must-revalidate or s-maxage (RFC 9111 §3.5)"
            ], request: ["Authorization": "Bearer 1"]),
        Case(
            mode: .shared, fields: ["Cache-Control": "public, max-age=60"], topic: .storing,
            expected: [
                "stored: it states a lifetime (RFC 9111 §3)", "although the request has Authorization (RFC 9111 §3.5)",
            ], request: ["Authorization": "Bearer 1"]),
        Case(
            mode: .private, fields: ["Vary": "*", "ETag": "\"1\""], topic: .storing,
            expected: ["not stored: Vary names no list of fields (RFC 9111 §4.1)"]),
        Case(
            mode: .private, fields: ["ETag": "\"1\""], topic: .storing,
            expected: ["stored: the status 200 allows a heuristic lifetime (RFC 9111 §3, RFC 9110 §15.1)"]),
        Case(
            mode: .private, fields: [:], topic: .storing,
            expected: ["not stored: neither a lifetime nor a validator (RFC 9111 §3)"]),
        Case(
            mode: .private, fields: ["ETag": "\"1\"", "Cache-Control": "public"], topic: .storing,
            expected: ["stored: public (RFC 9111 §3, RFC 9111 §5.2.2.9)"], status: 418),
        Case(
            mode: .private, fields: [:], topic: .storing,
            expected: ["not stored: a status for this request alone (RFC 9111 §3)"],
            request: ["If-None-Match": "\"1\""], status: 304),
        Case(
            mode: .shared, fields: ["Cache-Control": "no-store", "CDN-Cache-Control": "max-age=9"], topic: .storing,
            expected: [
                "stored: it states a lifetime (RFC 9111 §3)",
                "CDN-Cache-Control replaces Cache-Control and Expires (RFC 9213 §2.2)",
            ]),
        Case(
            mode: .shared, fields: ["Cache-Control": "max-age=9", "CDN-Cache-Control": "max-age="], topic: .storing,
            expected: [
                "stored: it states a lifetime (RFC 9111 §3)",
                "CDN-Cache-Control is malformed, and ignored (RFC 9213 §2.2)",
            ]),
    ]

    static let freshness: [Case] = [
        Case(
            mode: .private, fields: maxAge, topic: .freshness,
            expected: ["fresh for 60 s, until Thu, 01 Jan 2026 00:01:00 GMT: max-age (RFC 9111 §5.2.2.1)"]),
        Case(
            mode: .shared, fields: ["Cache-Control": "max-age=60, s-maxage=7200"], topic: .freshness,
            expected: ["fresh for 2 h, until Thu, 01 Jan 2026 02:00:00 GMT: s-maxage (RFC 9111 §5.2.2.10)"]),
        Case(
            mode: .private, fields: ["Cache-Control": "max-age=60, s-maxage=7200", "Age": "20"], topic: .freshness,
            expected: [
                "fresh for 40 s, until Thu, 01 Jan 2026 00:00:40 GMT: max-age, less 20 s of age (RFC 9111 §5.2.2.1)"
            ]),
        Case(
            mode: .private, fields: ["Cache-Control": "max-age=60", "Age": "61", "ETag": "\"1\""], topic: .freshness,
            expected: [
                "stale on arrival: the lifetime is 60 s (max-age), the age 61 s (RFC 9111 §5.2.2.1, RFC 9111 §4.2.3)"
            ]),
        Case(
            mode: .private, fields: ["Expires": "0", "ETag": "\"1\""], topic: .freshness,
            expected: ["stale at once: Expires is no date (RFC 9111 §5.3, RFC 9111 §4.2.3)"]),
        Case(
            mode: .private, fields: ["Cache-Control": "no-cache", "ETag": "\"1\""], topic: .freshness,
            expected: ["validated before each use: no-cache (RFC 9111 §5.2.2.4)"]),
        Case(
            mode: .private, fields: ["Last-Modified": "@-864000", "Date": "@0"], topic: .freshness,
            expected: [
                "fresh for 24 h, until Fri, 02 Jan 2026 00:00:00 GMT: a fraction of the time since Last-Modified, by "
                    + "heuristic (RFC 9111 §4.2.2)"
            ]),
    ]

    static let later: [Case] = [
        Case(
            mode: .private, fields: ["Cache-Control": "max-age=1, must-revalidate"], topic: .staleness,
            expected: ["never served stale: must-revalidate (RFC 9111 §5.2.2.2)"]),
        Case(
            mode: .shared, fields: ["Cache-Control": "s-maxage=1"], topic: .staleness,
            expected: ["never served stale: s-maxage (RFC 9111 §5.2.2.10)"]),
        Case(
            mode: .shared, fields: ["Cache-Control": "max-age=1, proxy-revalidate"], topic: .staleness,
            expected: ["never served stale: proxy-revalidate (RFC 9111 §5.2.2.8)"]),
        Case(
            mode: .private, fields: ["Cache-Control": "max-age=1, stale-while-revalidate=30, stale-if-error=600"],
            topic: .staleness,
            expected: [
                "served for another 30 s while it is validated: stale-while-revalidate (RFC 5861 §3)",
                "served for another 10 min if the origin fails: stale-if-error (RFC 5861 §4)",
                "served for another 24 h if the origin is unreachable: this cache's choice (RFC 9111 §4.2.4)",
            ]),
        Case(
            mode: .private, fields: maxAge, topic: .validation,
            expected: ["asks the origin with If-None-Match: \"1\" (RFC 9111 §4.3.1)"]),
        Case(
            mode: .private, fields: ["Cache-Control": "max-age=1"], topic: .validation,
            expected: ["without ETag and Last-Modified, loaded anew (RFC 9111 §4.3.1)"]),
        Case(
            mode: .private, fields: ["Vary": "Accept, Cookie, X", "Cache-Control": "max-age=1"], topic: .variants,
            expected: [
                "one for each value of Accept (here: image/webp), Cookie (here: present), X (here: absent) (RFC 9111 §4.1)"
            ], request: ["Accept": "image/webp", "Cookie": "secret"]),
        Case(
            mode: .private, fields: ["Cache-Control": "max-age=1", "No-Vary-Search": "params=(\"utm\"), key-order"],
            topic: .search,
            expected: [
                "answers URLs with other values of utm, and with another order of parameters "
                    + "(draft-ietf-httpbis-no-vary-search)"
            ]),
        Case(
            mode: .shared, fields: ["Cache-Control": "max-age=1", "No-Vary-Search": "params"], topic: .search,
            expected: ["No-Vary-Search is ignored: off in shared caches (draft-ietf-httpbis-no-vary-search)"]),
        Case(
            mode: .private, fields: ["Cache-Control": "max-age=1", "No-Vary-Search": "params=("], topic: .search,
            expected: [
                "No-Vary-Search is malformed or names no difference, and is ignored (draft-ietf-httpbis-no-vary-search)"
            ]),
        Case(
            mode: .private, fields: ["Cache-Control": "max-age=1", "Cache-Groups": "\"b\", \"a\""], topic: .groups,
            expected: ["in \"a\", \"b\" (RFC 9875 §2)"]),
        Case(
            mode: .private, fields: ["Cache-Control": "max-age=1", "Cache-Groups": "a b"], topic: .groups,
            expected: ["Cache-Groups is malformed, and ignored (RFC 9875 §2)"]),
        Case(
            mode: .private,
            fields: ["Cache-Control": "max-age=1", "ETag": "\"1\"", "Accept-Ranges": "bytes", "Content-Length": "9"],
            topic: .ranges,
            expected: ["a download that breaks off resumes, by Range and If-Range (RFC 9111 §3.4)"]),
        Case(
            mode: .private, fields: maxAge, topic: .repetition, expected: ["answered from the cache (RFC 9111 §4)"]),
        Case(
            mode: .private, fields: maxAge, topic: .repetition,
            expected: ["answered from the cache, with 304 (RFC 9111 §4)"], request: ["If-None-Match": "\"1\""]),
        Case(
            mode: .private, fields: maxAge, topic: .repetition,
            expected: ["validated: the request asks for it (RFC 9111 §5.2.1)"], request: ["Cache-Control": "no-cache"]),
        Case(
            mode: .private, fields: maxAge, topic: .repetition,
            expected: ["goes to the origin: the request asks for it (RFC 9111 §5.2.1, RFC 9111 §4.3.2)"],
            request: ["If-Match": "\"1\""]),
        Case(
            mode: .private, fields: ["Cache-Control": "max-age=0, stale-while-revalidate=9"], topic: .repetition,
            expected: ["answered from the cache, and validated in the background (RFC 5861 §3)"]),
        Case(
            mode: .private, fields: ["ETag": "\"1\""], topic: .repetition, expected: ["validated (RFC 9111 §4.3)"]),
        Case(
            mode: .private, fields: ["Cache-Control": "no-store"], topic: .repetition,
            expected: ["goes to the origin (RFC 9111 §4)"]),
    ]

    @Test(arguments: storing + freshness + later)
    func `an explanation names the decision and its section`(_ test: Case) throws {
        var rules = CacheRules(test.mode)
        if test.topic != .staleness { rules.staleIfUnreachable = nil }
        let explanation = try Self.explanation(rules, status: test.status, test.fields, request: test.request)
        #expect(Self.text(explanation, test.topic) == test.expected)
    }

    @Test func `an explanation agrees with the decision, whatever the fields`() throws {
        var random = SplitMix(seed: 47)
        let values: [(CaselessString, [ByteString])] = [
            (
                "Cache-Control",
                ["max-age=9", "no-store", "private", "public, s-maxage=3", "no-cache", "must-understand, no-store"]
            ),
            ("CDN-Cache-Control", ["max-age=4", "no-store", "=", "private"]), ("Expires", ["0", "@99", "@-99"]),
            ("ETag", ["\"1\"", "W/\"1\"", "1"]), ("Last-Modified", ["@-9999", "x"]), ("Vary", ["*", "accept", ","]),
            ("Set-Cookie", ["a=b"]), ("Age", ["5", "x"]), ("No-Vary-Search", ["params", "("]),
            ("Cache-Groups", ["\"a\"", "("]), ("Content-Length", ["10", "x"]), ("Accept-Ranges", ["bytes"]),
        ]
        for _ in 0..<3000 {
            var fields = HTTPFields()
            for (name, choices) in values where Bool.random(using: &random) {
                fields[name] = choices.randomElement(using: &random)
            }
            let status = [200, 206, 301, 302, 304, 404, 418, 500].randomElement(using: &random) ?? 200
            var rules = CacheRules(Bool.random(using: &random) ? .shared : .private)
            rules.keepsUnreusable = Bool.random(using: &random)
            let request = try get(Bool.random(using: &random) ? ["Authorization": "x"] : [:])
            let explanation = rules.explanation(
                of: HTTPResponse(url: request.url, status: status, fields: fields.dated), to: request,
                requestTime: noon,
                responseTime: noon)
            let decision = rules.storing(
                request, status: status, fields: fields.dated, requestTime: noon, responseTime: noon)
            guard case .store(let head) = decision else {
                #expect(!explanation.isStored && explanation.freshUntil == nil)
                #expect(explanation.rulings.first?.text == decision.refusal.map { "not stored: \($0.cause)" })
                continue
            }
            let freshness = rules.freshness(of: head, now: noon)
            #expect(explanation.isStored && explanation.lifetime == freshness.lifetime)
            #expect((explanation.freshUntil == nil) == freshness.needsValidation)
            #expect(explanation.rulings.allSatisfy { !$0.sections.isEmpty && !$0.text.isEmpty })
            let order = explanation.rulings.compactMap { CacheRuling.Topic.allCases.firstIndex(of: $0.topic) }
            #expect(order == order.sorted())
        }
    }

    @Test(arguments: [CacheRules.Mode.private, .shared])
    func `fields of 64 KB and thousands of members give a short explanation`(_ mode: CacheRules.Mode) throws {
        let long = ByteString(String(repeating: "x", count: 64 << 10))
        let groups = ByteString((0..<100_000).map { "\"\($0)\"" }.joined(separator: ", "))
        let names = ByteString((0..<200).map { "\"p\($0)\"" }.joined(separator: " "))
        let fields: HTTPFields = [
            "Cache-Control": "max-age=9, private=\"\(names)\"", "ETag": "\"\(long)\"", "Cache-Groups": groups,
            "No-Vary-Search": "params=(\(names))", "Vary": ByteString((0..<60).map { "f\($0)" }.joined(separator: ",")),
        ]
        let explanation = try Self.explanation(CacheRules(mode), fields)
        #expect(explanation.rulings.allSatisfy { $0.text.utf8.count < 600 })
    }

    @Test(
        arguments: ["Cache-Control", "CDN-Cache-Control", "No-Vary-Search", "Cache-Groups", "Vary"] as [CaselessString])
    func `a field cut at any byte is explained`(_ name: CaselessString) throws {
        let text: ByteString = "params=(\"a\" \"b\"), max-age=60, private=\"x, y\", \"g\\\"\", s-maxage=\"7"
        for end in 0...text.count {
            var fields: HTTPFields = ["ETag": "\"1\""]
            fields[name] = text.withBytes { ByteString(bytes: $0[..<end]) }
            for mode in [CacheRules.Mode.private, .shared] {
                let explanation = try Self.explanation(CacheRules(mode), fields)
                #expect(explanation.rulings.last?.topic == .repetition)
            }
        }
    }

    @Test(arguments: [
        (0, "0 s"), (59.6, "60 s"), (119, "119 s"), (120, "2 min"), (150, "2 min 30 s"), (7200, "2 h"),
        (9000, "2 h 30 min"),
        (86_400, "24 h"), (172_800, "2 days"), (31_536_000, "365 days"), (-1, "0 s"), (.infinity, "24855 days 3 h"),
    ]) func `a duration has at most two units`(seconds: Double, text: String) {
        #expect(Excerpt.duration(seconds) == text)
    }
}
