import CalotypeHTTP
import Requirements
import Testing

@testable import CalotypeHTTPCache

/// RFC 9111 §4.2, by the outcome of a second request.
struct FreshnessTests {
    static let maxAge: [Exchange] = [
        Exchange("§4.2: neither freshness nor a validator is never reused", ["Date": "@0"], .notStored),
        Exchange("§5.2.2.1: max-age ahead", ["Cache-Control": "max-age=3600"], .served),
        Exchange("§5.2.2.1: max-age past", ["Cache-Control": "max-age=2", "ETag": "\"a\""], .validated),
        Exchange("§4.2: fresh means younger than the lifetime", ["Cache-Control": "max-age=3"], .forwarded),
        Exchange("§4.2: fresh to the last moment", ["Cache-Control": "max-age=3"], after: 2.99, .served),
        Exchange("§5.2.2.1: max-age=0", ["Cache-Control": "max-age=0", "ETag": "\"a\""], .validated),
        Exchange("§5.2.2.1: max-age=0 and no validator", ["Cache-Control": "max-age=0"], .notStored),
        Exchange("§1.2.2: one second less than 2³¹", ["Cache-Control": "max-age=2147483647"], .served),
        Exchange("§1.2.2: 2³¹", ["Cache-Control": "max-age=2147483648"], .served),
        Exchange("§1.2.2: more than 2³¹", ["Cache-Control": "max-age=2147483649"], .served),
        Exchange("§1.2.2: far more", ["Cache-Control": "max-age=99999999999"], .served),
        Exchange("§1.2.2: leading zeros", ["Cache-Control": "max-age=003600"], .served),
        Exchange("§4.2.1: a negative number is stale", ["Cache-Control": "max-age=-3600"], .notStored),
        Exchange("§4.2.1: single quotes are no quotes", ["Cache-Control": "max-age='3600'"], .notStored),
        Exchange("§4.2.1: a fraction is no number", ["Cache-Control": "max-age=3600.0"], .notStored),
        Exchange("§4.2.1: a letter before", ["Cache-Control": "max-age=a3600"], .notStored),
        Exchange("§4.2.1: a letter behind", ["Cache-Control": "max-age=3600a"], .notStored),
        Exchange("§4.2.1: white space before =", ["Cache-Control": "max-age =3600"], .notStored),
        Exchange("§4.2.1: white space behind =", ["Cache-Control": "max-age= 3600"], .notStored),
        Exchange("§4.2.1: no argument", ["Cache-Control": "max-age", "Expires": "@60"], .notStored),
        Exchange("§5.2: in quotes", ["Cache-Control": "max-age=\"3600\""], .served),
        Exchange("§5.2: case means nothing", ["Cache-Control": "mAx-AgE=3600"], .served),
        Exchange("§5.2.3: extensions are ignored", ["Cache-Control": "a, b=c, max-age=3600"], .served),
        Exchange(
            "§5.2: not inside of quotes, before", ["Cache-Control": "a=\"max-age=3600\", max-age=1", "ETag": "\"a\""],
            .validated),
        Exchange(
            "§5.2: not inside of quotes, behind", ["Cache-Control": "max-age=1, a=\"max-age=3600\"", "ETag": "\"a\""],
            .validated),
        Exchange("§4.2.1: of two, the first: fresh", ["Cache-Control": "max-age=1800, max-age=1"], .served),
        Exchange(
            "§4.2.1: of two, the first: stale", ["Cache-Control": "max-age=1, max-age=1800", "ETag": "\"a\""],
            .validated),
        Exchange(
            "§5.2: lines are one list", ["Cache-Control": "a", "Cache-Control": "max-age=3600"], .served),
        Exchange(
            "§4.2.1: of two lines, the first", ["Cache-Control": "max-age=1800", "Cache-Control": "max-age=1"], .served),
        Exchange("§4.2.1: max-age before Expires", ["Cache-Control": "max-age=3600", "Expires": "@-7200"], .served),
        Exchange(
            "§4.2.1: max-age before a broken Expires", ["Cache-Control": "max-age=3600", "Expires": "0"], .served),
        Exchange(
            "§4.2.1: max-age=0 before Expires", ["Cache-Control": "max-age=0", "Expires": "@3600", "ETag": "\"a\""],
            .validated),
    ]

    @Test(arguments: maxAge)
    func `max-age says how long`(_ exchange: Exchange) throws {
        try exchange.check()
    }

    static let sharedMaxAge: [Exchange] = [
        Exchange("§5.2.2.10: s-maxage", Exchange.shared, ["Cache-Control": "s-maxage=3600"], .served),
        Exchange(
            "§5.2.2.10: means nothing to a private cache", Exchange.alone, ["Cache-Control": "s-maxage=3600"],
            .notStored),
        Exchange(
            "§5.2.2.10: before a longer max-age", Exchange.shared,
            ["Cache-Control": "max-age=3600, s-maxage=1", "ETag": "\"a\""], .validated),
        Exchange(
            "§5.2.2.10: before a longer max-age, in the other order", Exchange.shared,
            ["Cache-Control": "s-maxage=1, max-age=3600", "ETag": "\"a\""], .validated),
        Exchange(
            "§5.2.2.10: before a longer max-age, on another line", Exchange.shared,
            ["Cache-Control": "max-age=3600", "Cache-Control": "s-maxage=1", "ETag": "\"a\""], .validated),
        Exchange(
            "§5.2.2.10: before a shorter max-age", Exchange.shared, ["Cache-Control": "max-age=1, s-maxage=3600"],
            .served),
        Exchange(
            "§5.2.2.10: before a past Expires", Exchange.shared,
            ["Cache-Control": "max-age=0, s-maxage=3600", "Expires": "@-10"], .served),
        Exchange(
            "§5.2.2.1: a private cache minds max-age", Exchange.alone,
            ["Cache-Control": "s-maxage=3600, max-age=1", "ETag": "\"a\""], .validated),
        Exchange(
            "§5.2.2.1: a private cache minds max-age on another line", Exchange.alone,
            ["Cache-Control": "s-maxage=3600", "Cache-Control": "max-age=1", "ETag": "\"a\""], .validated),
        Exchange(
            "§4.2.1: an s-maxage that is no number is stale", Exchange.shared,
            ["Cache-Control": "s-maxage=x, max-age=3600"], .notStored),
    ]

    @Test(arguments: sharedMaxAge)
    func `s-maxage is for shared caches`(_ exchange: Exchange) throws {
        try exchange.check()
    }

    static let expires: [Exchange] = [
        Exchange("§5.3: ahead", ["Expires": "@2592000", "Date": "@0"], .served),
        Exchange("§5.3: past", ["Expires": "@-2592000", "Date": "@0", "ETag": "\"a\""], .validated),
        Exchange("§5.3: now", ["Expires": "@0", "Date": "@0", "ETag": "\"a\""], after: 0, .validated),
        Exchange("§4.2.1: before Date, both ahead", ["Expires": "@300", "Date": "@400", "ETag": "\"a\""], .validated),
        Exchange("§5.3: 0", ["Expires": "0", "Date": "@0", "ETag": "\"a\""], .validated),
        Exchange("§5.3: -1 and no validator", ["Expires": "-1", "Date": "@0"], .notStored),
        Exchange("§5.3: empty", ["Expires": "", "Date": "@0", "ETag": "\"a\""], .validated),
        Exchange("§4.2.1: Date is none: counted from receipt", ["Expires": "@10", "Date": "soon"], .served),
        Exchange("§4.2.1: Date is missing: counted from receipt", ["Expires": "@10"], .served),
        Exchange(
            "§4.2.3: older than it, Date slow", ["Date": "@-10", "Expires": "@10", "Age": "25", "ETag": "\"a\""],
            .validated),
        Exchange(
            "§4.2.3: older than it, Date fast", ["Date": "@10", "Expires": "@20", "Age": "15", "ETag": "\"a\""],
            .validated),
        Exchange("§5.3: the end of 32 bits", ["Expires": "Tue, 19 Jan 2038 14:14:08 GMT"], .served),
        Exchange("§5.3: centuries ahead", ["Expires": "Sun, 21 Nov 2286 04:46:39 GMT"], .served),
        Exchange("RFC 9110 §5.6.7: RFC 850", ["Expires": "Thursday, 18-Aug-50 02:01:18 GMT"], .served),
        Exchange("RFC 9110 §5.6.7: asctime", ["Expires": "Thu Aug  8 02:01:18 2050"], .served),
        Exchange("RFC 9110 §5.6.7: a weekday in capitals", ["Expires": "THU, 18 Aug 2050 02:01:18 GMT"], .served),
        Exchange("RFC 9110 §5.6.7: the wrong weekday", ["Expires": "Mon, 18 Aug 2050 02:01:18 GMT"], .served),
        Exchange("RFC 9110 §5.6.7: a month in capitals", ["Expires": "Thu, 18 AUG 2050 02:01:18 GMT"], .served),
        Exchange("RFC 9110 §5.6.7: a zone in small letters", ["Expires": "Thu, 18 Aug 2050 02:01:18 gMT"], .served),
        Exchange("§5.3: UTC is no zone", ["Expires": "Thu, 18 Aug 2050 02:01:18 UTC"], .notStored),
        Exchange("§5.3: nor is +0000", ["Expires": "Thu, 18 Aug 2050 02:01:18 +0000"], .notStored),
        Exchange("§5.3: nor is AEST", ["Expires": "Thu, 18 Aug 2050 02:01:18 AEST"], .notStored),
        Exchange("§5.3: a year of two digits", ["Expires": "Thu, 18 Aug 50 02:01:18 GMT"], .notStored),
        Exchange("§5.3: no comma", ["Expires": "Thu 18 Aug 2050 02:01:18 GMT"], .notStored),
        Exchange("§5.3: more blanks", ["Expires": "Thu, 18  Aug  2050 02:01:18 GMT"], .notStored),
        Exchange("§5.3: dashes", ["Expires": "Thu, 18-Aug-2050 02:01:18 GMT"], .notStored),
        Exchange("§5.3: periods", ["Expires": "Thu, 18 Aug 2050 02.01.18 GMT"], .notStored),
        Exchange("§5.3: an hour of one digit", ["Expires": "Thu, 18 Aug 2050 2:01:18 GMT"], .notStored),
        Exchange(
            "§4.2.1: of two lines, the first",
            ["Expires": "Thu, 18 Aug 2050 2:01:18 GMT", "Expires": "Thu, 18 Aug 2050 02:01:18 GMT"], .notStored),
    ]

    @Test(arguments: expires)
    func `Expires counts from Date`(_ exchange: Exchange) throws {
        try exchange.check()
    }

    static let ages: [Exchange] = [
        Exchange(
            "§5.1: older than max-age", ["Cache-Control": "max-age=3600", "Age": "7200", "ETag": "\"a\""], .validated),
        Exchange("§5.1: not a number", ["Cache-Control": "max-age=3600", "Age": "abc"], .served),
        Exchange("§5.1: negative", ["Cache-Control": "max-age=3600", "Age": "-7200"], .served),
        Exchange("§5.1: a fraction", ["Cache-Control": "max-age=3600", "Age": "7200.0"], .served),
        Exchange(
            "§1.2.2: one less than 2³¹", ["Cache-Control": "max-age=3600", "Age": "2147483647", "ETag": "\"a\""],
            .validated),
        Exchange("§1.2.2: 2³¹", ["Cache-Control": "max-age=3600", "Age": "2147483648", "ETag": "\"a\""], .validated),
        Exchange("§1.2.2: more", ["Cache-Control": "max-age=3600", "Age": "2147483649", "ETag": "\"a\""], .validated),
        Exchange(
            "§5.1: a list that begins old", ["Cache-Control": "max-age=3600", "Age": "7200, 0", "ETag": "\"a\""],
            .validated),
        Exchange("§5.1: a list that ends old", ["Cache-Control": "max-age=3600", "Age": "0, 7200"], .served),
        Exchange(
            "§5.1: lines that begin old",
            ["Cache-Control": "max-age=3600", "Age": "7200", "Age": "0", "ETag": "\"a\""], .validated),
        Exchange("§5.1: lines that end old", ["Cache-Control": "max-age=3600", "Age": "0", "Age": "7200"], .served),
        Exchange("§5.1: twice nothing", ["Cache-Control": "max-age=3600", "Age": "0, 0"], .served),
        Exchange("§5.1: two lines of nothing", ["Cache-Control": "max-age=3600", "Age": "0", "Age": "0"], .served),
        Exchange(
            "§5.1: two lines, not old", ["Cache-Control": "max-age=10000", "Age": "3600", "Age": "3600"], .served),
        Exchange(
            "§4.2.3: the apparent age counts", ["Cache-Control": "max-age=3600", "Date": "@-7200", "ETag": "\"a\""],
            .validated),
        Exchange(
            "§4.2.3: a Date ahead makes nothing younger",
            ["Cache-Control": "max-age=2", "Date": "@100", "ETag": "\"a\""], .validated),
    ]

    @Test(arguments: ages)
    func `what comes old stays old`(_ exchange: Exchange) throws {
        try exchange.check()
    }

    static let heuristics: [Exchange] = [
        Exchange("§4.2.2: a tenth of a day", ["Last-Modified": "@-86400", "Date": "@0"], after: 8639, .served),
        Exchange("§4.2.2: no more than that", ["Last-Modified": "@-86400", "Date": "@0"], after: 8640, .validated),
        Exchange("§4.2.2: a tenth of five seconds", ["Last-Modified": "@-5", "Date": "@0"], .validated),
        Exchange("§4.2.2: at most a day", ["Last-Modified": "@-86400000", "Date": "@0"], after: 86_401, .validated),
        Exchange("§4.2.2: modified after it was sent", ["Last-Modified": "@100", "Date": "@0"], after: 0, .validated),
        Exchange("§4.2.2: not where something else says", ["Last-Modified": "@-86400", "Expires": "0"], .validated),
        Exchange("§4.2.2: not for an ETag alone", ["ETag": "\"a\""], after: 0, .validated),
        Exchange(
            "§5.4: Pragma in responses means nothing", ["Last-Modified": "@-86400", "Pragma": "no-cache"], .served),
        Exchange("§5.4: nor in requests", ["Cache-Control": "max-age=60"], second: ["Pragma": "no-cache"], .served),
        Exchange(
            "§4.2.2: attachments are no exception",
            ["Last-Modified": "@-100000", "Content-Disposition": "attachment; filename=a"], .served),
    ]

    @Test(arguments: heuristics)
    func `where nothing says, a tenth of the time since Last-Modified`(_ exchange: Exchange) throws {
        try exchange.check()
    }

    @Test(.requirement("RFC 9110 §15.1"), arguments: [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501])
    func `statuses that may be cached by heuristic`(_ status: Int) throws {
        try Exchange("", status: status, ["Last-Modified": "@-86400", "Date": "@0"], .served).check()
    }

    @Test(
        .requirement("RFC 9110 §15.1"),
        arguments: [201, 202, 302, 303, 307, 400, 401, 403, 418, 429, 500, 502, 503, 504, 599])
    func `statuses that need explicit freshness, or public`(_ status: Int) throws {
        let fields: HTTPFields = ["Last-Modified": "@-86400", "Date": "@0"]
        try Exchange("", status: status, fields, .notStored).check()
        var open = fields
        open["Cache-Control"] = "public"
        try Exchange("§5.2.2.9", status: status, open, .served).check()
    }

    @Test(
        .requirement("RFC 9111 §4.2.3"),
        arguments: [
            (nil, 0, 0, 7, 7), ("30", 0, 0, 7, 37), (nil, -20, 0, 7, 27), ("30", -20, 0, 7, 37), ("10", -20, 0, 7, 27),
            ("30", 0, 2.5, 7, 39.5), (nil, 0, 2.5, 7, 9.5), (nil, 50, 0, 7, 7),
        ])
    func `the greater of apparent and corrected age, and the time in the store`(
        _ age: String?, _ date: Double, _ delay: Double, _ resident: Double, _ expected: Double
    ) {
        var fields: HTTPFields = ["Date": HTTPDate.format(noon + date)]
        fields["Age"] = age.map { ByteString($0) }
        let response = StoredResponse(
            url: ByteString(pictureURL), status: 200, fields: fields, requestTime: noon - delay, responseTime: noon)
        #expect(CacheRules().freshness(of: response, now: noon + resident).age == expected)
    }

    @Test(.requirement("RFC 9111 §4.2.3")) func `where the clock has jumped back, a response is no longer fresh`()
        throws
    {
        let response = try stored(["Cache-Control": "max-age=60"])
        #expect(CacheRules().freshness(of: response, now: noon - 0.5).isFresh)
        #expect(!CacheRules().freshness(of: response, now: noon - 3600).isFresh)
    }

    @Test func `what is known of a stored response's freshness is told`() throws {
        let response = try stored(["Cache-Control": "max-age=60, stale-while-revalidate=30, stale-if-error=90"])
        let freshness = CacheRules(.shared).freshness(of: response, now: noon + 70)
        #expect(freshness.lifetime == 60)
        #expect(freshness.source == .maxAge)
        #expect(freshness.ttl == -10)
        #expect(freshness.staleness == 10)
        #expect(freshness.staleWhileRevalidate == 30)
        #expect(freshness.staleIfError == 90)
        #expect(freshness.isWithinStaleWhileRevalidate)
    }

    @Test func `a 404 that says nothing is remembered for ten seconds, if at all`() throws {
        var rules = CacheRules()
        let gone = try stored([:], status: 404, by: rules)
        #expect(rules.freshness(of: gone, now: noon + 9).isFresh)
        #expect(!rules.freshness(of: gone, now: noon + 10).isFresh)
        rules.negativeLifetime = .zero
        #expect(
            rules.storing(try get(), status: 404, fields: [:], requestTime: noon, responseTime: noon)
                == .no(.notReusable))
    }
}
