import CalotypeHTTP
import Requirements
import Testing

@testable import CalotypeHTTPCache

/// RFC 9111 §4.2.4, RFC 5861 §4: stale responses while the origin fails.
struct StaleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let claim: String
        let modes: [CacheRules.Mode]
        let response: HTTPFields
        let request: HTTPFields
        let failure: OriginFailure
        let age: Double
        let isServed: Bool

        init(
            _ claim: String, _ modes: [CacheRules.Mode], _ response: ByteString, request: ByteString? = nil,
            _ failure: OriginFailure, age: Double = 10, _ isServed: Bool
        ) {
            self.claim = claim
            self.modes = modes
            self.response = ["Cache-Control": response, "ETag": "\"a\""]
            self.request = request.map { ["Cache-Control": $0] } ?? [:]
            self.failure = failure
            self.age = age
            self.isServed = isServed
        }

        /// A case for both modes.
        init(
            _ claim: String, _ response: ByteString, request: ByteString? = nil, _ failure: OriginFailure,
            age: Double = 10,
            _ isServed: Bool
        ) {
            self.init(claim, Exchange.both, response, request: request, failure, age: age, isServed)
        }

        var testDescription: String { claim }
    }

    static let rows: [Row] = [
        Row("§4.2.4: unreachable", "max-age=2", .unreachable, true),
        Row("§4.2.4: unreachable for a day", "max-age=2", .unreachable, age: 86_402, true),
        Row("§4.2.4: and no longer", "max-age=2", .unreachable, age: 86_403, false),
        Row(
            "RFC 5861 §4: longer, where the origin says so", "max-age=2, stale-if-error=604800", .unreachable,
            age: 90_000, true),
        Row("§4.2.4: still fresh", "max-age=60", .unreachable, true),
        Row("§5.2.2.2: must-revalidate", "max-age=2, must-revalidate", .unreachable, false),
        Row("§5.2.2.2: before stale-if-error", "max-age=2, must-revalidate, stale-if-error=60", .unreachable, false),
        Row("§5.2.2.4: no-cache", "max-age=2, no-cache", .unreachable, false),
        Row("§5.2.2.8: proxy-revalidate", Exchange.shared, "max-age=2, proxy-revalidate", .unreachable, false),
        Row("§5.2.2.8: is for proxies", Exchange.alone, "max-age=2, proxy-revalidate", .unreachable, true),
        Row("§5.2.2.10: s-maxage", Exchange.shared, "max-age=2, s-maxage=2", .unreachable, false),
        Row("§5.2.2.10: is for shared caches", Exchange.alone, "max-age=2, s-maxage=2", .unreachable, true),
        Row("§4.2.4: a status is an answer", "max-age=2", .status(503), false),
        Row("RFC 5861 §4: 500", "max-age=2, stale-if-error=60", .status(500), true),
        Row("RFC 5861 §4: 502", "max-age=2, stale-if-error=60", .status(502), true),
        Row("RFC 5861 §4: 503", "max-age=2, stale-if-error=60", .status(503), true),
        Row("RFC 5861 §4: 504", "max-age=2, stale-if-error=60", .status(504), true),
        Row("RFC 5861 §4: an answer that is no HTTP", "max-age=2, stale-if-error=60", .malformed, true),
        Row("RFC 5861 §4: no HTTP, beyond", "max-age=2, stale-if-error=7", .malformed, false),
        Row("§4.2.4: no HTTP is an answer too", "max-age=2", .malformed, false),
        Row("RFC 5861 §4: no HTTP, the request says so", "max-age=2", request: "stale-if-error=60", .malformed, true),
        Row("§5.2.2.2: no HTTP", "max-age=2, must-revalidate, stale-if-error=60", .malformed, false),
        Row("RFC 5861 §4: 501 is no failure", "max-age=2, stale-if-error=60", .status(501), false),
        Row("RFC 5861 §4: nor is 404", "max-age=2, stale-if-error=60", .status(404), false),
        Row("RFC 5861 §4: to the last second", "max-age=2, stale-if-error=8", .status(503), true),
        Row("RFC 5861 §4: beyond", "max-age=2, stale-if-error=7", .status(503), false),
        Row("RFC 5861 §4: unreachable within", "max-age=2, stale-if-error=60", .unreachable, true),
        Row("RFC 5861 §4: the request says so", "max-age=2", request: "stale-if-error=60", .status(503), true),
        Row("RFC 5861 §4: the request's is over", "max-age=2", request: "stale-if-error=1", .status(503), false),
        Row(
            "RFC 5861 §4: not against must-revalidate", "max-age=2, must-revalidate", request: "stale-if-error=60",
            .status(503), false),
        Row("§5.2.1.4: the request says no-cache", "max-age=2", request: "no-cache", .unreachable, false),
        Row("§5.2.1.4: though fresh", "max-age=60", request: "no-cache", .unreachable, false),
        Row("§5.2.1.1: the request says max-age=0", "max-age=2", request: "max-age=0", .unreachable, false),
        Row("§5.2.1.1: older than the request wants", "max-age=2", request: "max-age=5", .unreachable, false),
        Row("§5.2.1.1: not older", "max-age=2", request: "max-age=50", .unreachable, true),
        Row("§5.2.1.2: staler than the request wants", "max-age=2", request: "max-stale=5", .unreachable, false),
        Row("§5.2.1.3: less fresh than the request wants", "max-age=20", request: "min-fresh=15", .unreachable, false),
    ]

    @Test(arguments: rows)
    func `stale is served where nothing forbids it`(_ row: Row) throws {
        for mode in row.modes {
            let rules = CacheRules(mode)
            let response = try stored(row.response, by: rules)
            let isServed = rules.mayServeStale(
                response, for: try get(row.request), because: row.failure, now: noon + row.age)
            #expect(isServed == row.isServed, "\(mode.rawValue)")
        }
    }

    @Test func `the option bounds it, or turns it off`() throws {
        var rules = CacheRules()
        let response = try stored(["Cache-Control": "max-age=2, stale-if-error=5"])
        func isServed(age: Double) throws -> Bool {
            rules.mayServeStale(response, for: try get(), because: .unreachable, now: noon + age)
        }
        rules.staleIfUnreachable = .seconds(20)
        #expect(try isServed(age: 22) && !isServed(age: 23))
        rules.staleIfUnreachable = nil
        #expect(try isServed(age: 7) && !isServed(age: 8))
        // A lifetime that ends at this moment is no permission.
        let plain = try stored(["Cache-Control": "max-age=2"])
        #expect(!rules.mayServeStale(plain, for: try get(), because: .unreachable, now: noon + 2))
    }

    @Test func `nor is another variant, nor what the origin has to judge`() throws {
        let rules = CacheRules()
        let response = try stored(["Cache-Control": "max-age=2", "Vary": "Foo"], first: ["Foo": "1"])
        func isServed(_ request: HTTPFields) throws -> Bool {
            rules.mayServeStale(response, for: try get(request), because: .unreachable, now: noon + 9)
        }
        #expect(try isServed(["Foo": "1"]))
        #expect(try !isServed(["Foo": "2"]))
        #expect(try !isServed(["Foo": "1", "If-Match": "\"a\""]))
    }

    @Test func `a part is not served for the whole`() throws {
        let part = try stored(
            ["Cache-Control": "max-age=2", "Content-Range": "bytes 4-9/10"], status: 206, first: ["Range": "bytes=4-"])
        let rules = CacheRules()
        #expect(!rules.mayServeStale(part, for: try get(), because: .unreachable, now: noon + 9))
        #expect(rules.mayServeStale(part, for: try get(["Range": "bytes=5-"]), because: .unreachable, now: noon + 9))
    }

    @Test(.requirement("RFC 9111 §4")) func `an older response never takes the place of one that must not be stale`()
        throws
    {
        let rules = CacheRules()
        let older = try stored(["Cache-Control": "max-age=2"])
        let newer = try stored(
            ["Cache-Control": "max-age=2, must-revalidate", "Vary": "Foo"], first: ["Foo": "1"], at: noon + 5)
        func served(_ foo: ByteString) throws -> Int? {
            rules.stale([older, newer], for: try get(["Foo": foo]), because: .unreachable, now: noon + 9)
        }
        #expect(try served("1") == nil)
        #expect(try served("2") == 0)
    }
}
