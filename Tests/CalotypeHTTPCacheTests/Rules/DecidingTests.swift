import CalotypeHTTP
import Requirements
import Testing

@testable import CalotypeHTTPCache

/// RFC 9111 §4 and §5.2.1: the responses that may answer a request.
struct DecidingTests {
    static let directives: [Exchange] = [
        Exchange(
            "§5.2.1.1: max-age=0", ["Cache-Control": "max-age=60", "ETag": "\"a\""],
            second: ["Cache-Control": "max-age=0"], .validated),
        Exchange(
            "§5.2.1.1: max-age=0 at once", ["Cache-Control": "max-age=60"], second: ["Cache-Control": "max-age=0"],
            after: 0, .forwarded),
        Exchange(
            "§5.2.1.1: younger than it is", ["Cache-Control": "max-age=60"], second: ["Cache-Control": "max-age=1"],
            .forwarded),
        Exchange(
            "§5.2.1.1: as young as it is", ["Cache-Control": "max-age=60"], second: ["Cache-Control": "max-age=4"],
            .served),
        Exchange(
            "§5.2.1.1: Age counts", ["Cache-Control": "max-age=3600", "Age": "1800"],
            second: ["Cache-Control": "max-age=600"], .forwarded),
        Exchange(
            "§5.2.1.1: no number is 0", ["Cache-Control": "max-age=60"], second: ["Cache-Control": "max-age=x"],
            .forwarded),
        Exchange(
            "§5.2.1.2: max-stale", ["Cache-Control": "max-age=1"], second: ["Cache-Control": "max-stale=1000"], .served),
        Exchange(
            "§5.2.1.2: max-stale without a number", ["Cache-Control": "max-age=1"],
            second: ["Cache-Control": "max-stale"], after: 1e6, .served),
        Exchange(
            "§5.2.1.2: staler", ["Cache-Control": "max-age=1"], second: ["Cache-Control": "max-stale=1"], .forwarded),
        Exchange(
            "§5.2.1.2: and Age", ["Cache-Control": "max-age=1500", "Age": "2000"],
            second: ["Cache-Control": "max-stale=1000"], .notStored),
        Exchange(
            "§5.2.1.2: and Age, with a validator", ["Cache-Control": "max-age=1500", "Age": "2000", "ETag": "\"a\""],
            second: ["Cache-Control": "max-stale=1000"], .served),
        Exchange(
            "§5.2.1.2: no number means nothing", ["Cache-Control": "max-age=1"],
            second: ["Cache-Control": "max-stale=x"], .forwarded),
        Exchange(
            "§4.2.4: not against must-revalidate", ["Cache-Control": "max-age=1, must-revalidate"],
            second: ["Cache-Control": "max-stale"], .forwarded),
        Exchange(
            "§4.2.4: not against proxy-revalidate", Exchange.shared, ["Cache-Control": "max-age=1, proxy-revalidate"],
            second: ["Cache-Control": "max-stale"], .forwarded),
        Exchange(
            "§5.2.2.8: proxy-revalidate is for proxies", Exchange.alone,
            ["Cache-Control": "max-age=1, proxy-revalidate"], second: ["Cache-Control": "max-stale"], .served),
        Exchange(
            "§4.2.4: not against s-maxage", Exchange.shared, ["Cache-Control": "s-maxage=1"],
            second: ["Cache-Control": "max-stale"], .forwarded),
        Exchange(
            "§5.2.1.3: min-fresh", ["Cache-Control": "max-age=1500"], second: ["Cache-Control": "min-fresh=2000"],
            .forwarded),
        Exchange(
            "§5.2.1.3: and Age", ["Cache-Control": "max-age=1500", "Age": "1000"],
            second: ["Cache-Control": "min-fresh=1000"], .forwarded),
        Exchange(
            "§5.2.1.3: fresh enough", ["Cache-Control": "max-age=1500"], second: ["Cache-Control": "min-fresh=1000"],
            .served),
        Exchange(
            "§5.2.1.4: no-cache", ["Cache-Control": "max-age=3600"], second: ["Cache-Control": "no-cache"], .forwarded),
        Exchange(
            "§5.2.1.4: validates by ETag", ["Cache-Control": "max-age=3600", "ETag": "\"a\""],
            second: ["Cache-Control": "no-cache"], .validated),
        Exchange(
            "§5.2.1.4: validates by Last-Modified", ["Cache-Control": "max-age=3600", "Last-Modified": "@-10000"],
            second: ["Cache-Control": "no-cache"], .validated),
        Exchange(
            "§5.2.1.5: no-store reads nothing either", ["Cache-Control": "max-age=3600"],
            second: ["Cache-Control": "no-store"], .forwarded),
        Exchange(
            "§5.2.1.7: only-if-cached, fresh", ["Cache-Control": "max-age=60"],
            second: ["Cache-Control": "only-if-cached"], .served),
        Exchange(
            "§5.2.1.7: only-if-cached, stale", ["Cache-Control": "max-age=1"],
            second: ["Cache-Control": "only-if-cached"], .onlyIfCached),
        Exchange(
            "§5.2.1.7: only-if-cached, another variant", ["Cache-Control": "max-age=60", "Vary": "A"],
            first: ["A": "1"], second: ["Cache-Control": "only-if-cached"], .onlyIfCached),
        Exchange(
            "§5.2.1.7: only-if-cached and max-stale", ["Cache-Control": "max-age=1"],
            second: ["Cache-Control": "only-if-cached, max-stale"], .served),
        Exchange(
            "§5.2.1.7: nobody asks behind its back", ["Cache-Control": "max-age=1, stale-while-revalidate=60"],
            second: ["Cache-Control": "only-if-cached"], .served),
        Exchange(
            "RFC 8246 §2: immutable answers max-age=0", ["Cache-Control": "max-age=60, immutable", "ETag": "\"a\""],
            second: ["Cache-Control": "max-age=0"], .served),
        Exchange(
            "RFC 8246 §2: but not no-cache", ["Cache-Control": "max-age=60, immutable", "ETag": "\"a\""],
            second: ["Cache-Control": "no-cache"], .validated),
        Exchange(
            "RFC 8246 §2: nor when stale", ["Cache-Control": "max-age=2, immutable", "ETag": "\"a\""],
            second: ["Cache-Control": "max-age=0"], .validated),
        Exchange(
            "RFC 8246 §2: nor when stale, though it might be served so",
            ["Cache-Control": "max-age=2, immutable, stale-while-revalidate=60", "ETag": "\"a\""],
            second: ["Cache-Control": "max-age=0"], .validated),
        Exchange(
            "RFC 8246 §2: nor an age that it does not have", ["Cache-Control": "max-age=60, immutable"],
            second: ["Cache-Control": "max-age=1"], .forwarded),
        Exchange(
            "§5.2: unknown directives of requests", ["Cache-Control": "max-age=60"],
            second: ["Cache-Control": "a, b=\"max-age=0\""], .served),
        Exchange(
            "§4.3.2: If-Match is for the origin", ["Cache-Control": "max-age=60", "ETag": "\"a\""],
            second: ["If-Match": "\"a\""], .forwarded),
        Exchange(
            "§4.3.2: so is If-Unmodified-Since", ["Cache-Control": "max-age=60"], second: ["if-unmodified-since": "@0"],
            .forwarded),
        Exchange(
            "RFC 5861 §3: within", ["Cache-Control": "max-age=1, stale-while-revalidate=3600", "ETag": "\"a\""],
            .servedMeanwhile),
        Exchange(
            "RFC 5861 §3: without a validator", ["Cache-Control": "max-age=1, stale-while-revalidate=3600"],
            .servedMeanwhile),
        Exchange(
            "RFC 5861 §3: beyond", ["Cache-Control": "max-age=1, stale-while-revalidate=4", "ETag": "\"a\""], after: 6,
            .validated),
        Exchange(
            "RFC 5861 §3: no number is nothing",
            ["Cache-Control": "max-age=1, stale-while-revalidate=x", "ETag": "\"a\""], .validated),
        Exchange(
            "RFC 5861 §3: not against must-revalidate",
            ["Cache-Control": "max-age=1, stale-while-revalidate=60, must-revalidate"], .forwarded),
        Exchange(
            "§4.2.4: not against s-maxage", Exchange.shared, ["Cache-Control": "s-maxage=1, stale-while-revalidate=60"],
            .forwarded),
        Exchange(
            "RFC 5861 §3: not against the client", ["Cache-Control": "max-age=1, stale-while-revalidate=60"],
            second: ["Cache-Control": "min-fresh=1"], .forwarded),
    ]

    @Test(arguments: directives)
    func `a request has what its directives ask for`(_ exchange: Exchange) throws {
        try exchange.check()
    }

    @Test(.requirement("RFC 9111 §4"), arguments: ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "M-SEARCH"])
    func `other methods go to the origin`(_ method: String) throws {
        let response = try stored(["Cache-Control": "max-age=60"])
        let request = try get(method: HTTPMethod(rawValue: ByteString(method)))
        #expect(CacheRules().decide(request, variants: [response], now: noon) == .forward(.method))
    }

    static let reasons: [(HTTPFields, HTTPFields, Double, CacheDecision)] = [
        (["Cache-Control": "max-age=60", "Vary": "A"], ["A": "1"], 3, .forward(.varyMiss)),
        (["Cache-Control": "max-age=1"], [:], 3, .forward(.stale)),
        (["Cache-Control": "max-age=60"], ["Cache-Control": "no-cache"], 3, .forward(.request)),
        (["Cache-Control": "max-age=60"], ["Cache-Control": "max-age=1"], 3, .forward(.request)),
        (["Cache-Control": "max-age=60"], ["If-Match": "*"], 3, .forward(.request)),
    ]

    @Test(.requirement("RFC 9211 §2.2"), arguments: reasons)
    func `what is forwarded has a reason`(
        _ response: HTTPFields, _ request: HTTPFields, _ wait: Double, _ expected: CacheDecision
    ) throws {
        let variants = [try stored(response)]
        #expect(CacheRules(.shared).decide(try get(request), variants: variants, now: noon + wait) == expected)
    }

    @Test func `nothing stored is a miss of the URI`() throws {
        #expect(CacheRules().decide(try get(), variants: [], now: noon) == .forward(.uriMiss))
        let only = try get(["Cache-Control": "only-if-cached"])
        #expect(CacheRules().decide(only, variants: [], now: noon) == .onlyIfCached)
    }

    @Test(.requirement("RFC 9110 §9.3.2")) func `a stored GET answers HEAD, and a stale one lets HEAD pass as it is`()
        throws
    {
        let rules = CacheRules(.shared)
        let variants = [try stored(["Cache-Control": "max-age=60", "ETag": "\"a\""])]
        let head = try get(method: .head)
        guard case .serve(0, _) = rules.decide(head, variants: variants, now: noon) else {
            Issue.record("not served")
            return
        }
        #expect(rules.decide(head, variants: variants, now: noon + 61) == .forward(.stale))
    }

    @Test func `HEAD of what may be served stale has the whole validated behind its back`() throws {
        let rules = CacheRules(.shared)
        let variants = [try stored(["Cache-Control": "max-age=1, stale-while-revalidate=60", "ETag": "\"a\""])]
        let head = try get(["Range": "bytes=0-1", "If-None-Match": "\"b\""], method: .head)
        guard case .serveAndRevalidate(0, _, let validation) = rules.decide(head, variants: variants, now: noon + 2)
        else {
            Issue.record("not served")
            return
        }
        #expect(validation.fields == ["If-None-Match": "\"a\""])
    }

    @Test func `what is served tells how fresh it is`() throws {
        let variants = [try stored(["Cache-Control": "max-age=60"])]
        guard case .serve(0, let freshness) = CacheRules().decide(try get(), variants: variants, now: noon + 7) else {
            Issue.record("not served")
            return
        }
        #expect(freshness.ttl == 53)
    }
}
