/// The rules that the public cache tests leave out (http-tests/cache-tests #180 to #194), by section.
extension CacheCase {
    package static let all: [CacheCase] =
        preconditions + ranges + staleness + statuses + modesOfCaches + validations

    private static let long = "max-age=600"
    private static let digits = "0123456789"

    /// A fresh response with a tag and a date.
    private static func first(_ fields: [String: String] = [:], _ body: String = digits) -> Step {
        let own = ["Cache-Control": long, "ETag": "\"a\"", "Last-Modified": "@-1000"]
        return Step(from: [Reply(200, own.merging(fields) { $1 }, body)], is: 200, body)
    }

    /// A response that is stale when it arrives, and has the tag "a".
    private static func stale(_ cacheControl: String = "max-age=60") -> Step {
        let fields = ["Cache-Control": cacheControl, "Age": "100", "ETag": "\"a\""]
        return Step(from: [Reply(200, fields, "old")], is: 200, "old")
    }

    // MARK: RFC 9110 §13, RFC 9111 §4.3.2

    private static let preconditions = [
        CacheCase(
            "RFC 9110 §13.1.1: If-Match is for the origin",
            [
                first(), Step("GET", ["If-Match": "\"b\""], from: [Reply(412)], is: 412, seen: ["If-Match": "\"b\""]),
                Step("GET", ["If-Match": "\"a\""], from: [Reply(412)], is: 412, seen: ["If-None-Match": nil]),
                Step(is: 200, digits),
            ]),
        CacheCase(
            "RFC 9110 §13.1.1: the response to If-Match may be stored",
            [
                first(),
                Step("GET", ["If-Match": "*"], from: [Reply(200, ["Cache-Control": long], "new")], is: 200, "new"),
                Step(is: 200, "new"),
            ]),
        CacheCase(
            "RFC 9110 §13.1.4: If-Unmodified-Since is for the origin",
            [
                first(),
                Step(
                    "GET", ["If-Unmodified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"], from: [Reply(412)], is: 412,
                    seen: ["If-Unmodified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"]),
                Step(is: 200, digits),
            ]),
        CacheCase(
            "RFC 9110 §13.2.2: If-Match goes before If-None-Match",
            [
                first(),
                Step(
                    "GET", ["If-Match": "\"b\"", "If-None-Match": "\"a\""], from: [Reply(412)], is: 412,
                    seen: ["If-Match": "\"b\"", "If-None-Match": "\"a\""]),
            ]),
        CacheCase(
            "RFC 9110 §13.1.2: If-None-Match: * matches what is stored",
            [
                first(), Step("GET", ["If-None-Match": "*"], is: 304, "", got: ["ETag": "\"a\""]),
                Step("HEAD", ["If-None-Match": "*"], is: 304, ""), Step(is: 200, digits),
            ]),
        CacheCase(
            "RFC 9110 §13.1.2: If-None-Match: * matches a response without a tag",
            [
                Step(from: [Reply(200, ["Cache-Control": long], "x")], is: 200, "x"),
                Step("GET", ["If-None-Match": "*"], is: 304, ""),
            ]),
        CacheCase(
            "RFC 9110 §13.1.2: If-None-Match: * is sent on if nothing is stored",
            [Step("GET", ["If-None-Match": "*"], from: [Reply(304)], is: 304, "", seen: ["If-None-Match": "*"])]),
        CacheCase(
            "RFC 9111 §4.3.1: If-None-Match: * for a stale response validates that",
            [
                stale(),
                Step(
                    "GET", ["If-None-Match": "*"], from: [Reply(304, ["ETag": "\"a\"", "Cache-Control": long])],
                    is: 304, "",
                    seen: ["If-None-Match": "\"a\""]),
                Step(is: 200, "old"),
            ]),
        CacheCase(
            "RFC 9110 §13.1.3: If-None-Match goes before If-Modified-Since",
            [
                first(),
                Step(
                    "GET", ["If-None-Match": "\"b\"", "If-Modified-Since": "Sun, 06 Nov 2094 08:49:37 GMT"], is: 200,
                    digits),
                Step(
                    "GET", ["If-None-Match": "\"a\"", "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"], is: 304, ""
                ),
            ]),
    ]

    // MARK: RFC 9110 §13.1.5, §14; RFC 9111 §3.3

    private static func part(_ range: String, _ ifRange: String, isPart: Bool) -> Step {
        Step(
            "GET", ["Range": range, "If-Range": ifRange], is: isPart ? 206 : 200, isPart ? "234" : digits,
            got: ["Content-Range": isPart ? "bytes 2-4/10" : nil])
    }

    private static let ranges = [
        CacheCase(
            "RFC 9110 §13.1.5: If-Range with the strong tag gets the part, with another one the whole",
            [
                first(), part("bytes=2-4", "\"a\"", isPart: true), part("bytes=2-4", "\"b\"", isPart: false),
                part("bytes=2-4", "W/\"a\"", isPart: false),
            ]),
        CacheCase(
            "RFC 9110 §13.1.5: If-Range with a weak tag gets the whole",
            [first(["ETag": "W/\"a\""]), part("bytes=2-4", "W/\"a\"", isPart: false)]),
        CacheCase(
            "RFC 9110 §13.1.5: If-Range with the date gets the part, with another one the whole",
            [
                first(), part("bytes=2-4", "@-1000", isPart: true), part("bytes=2-4", "@-999", isPart: false),
                part("bytes=2-4", "@-1001", isPart: false),
            ]),
        CacheCase(
            "RFC 9110 §8.8.2.2: a date within a minute of the response is weak",
            [first(["Last-Modified": "@-59"]), part("bytes=2-4", "@-59", isPart: false)]),
        CacheCase(
            "RFC 9110 §8.8.2.2: a date a minute before the response is strong",
            [first(["Last-Modified": "@-60"]), part("bytes=2-4", "@-60", isPart: true)]),
        CacheCase(
            "RFC 9110 §13.1.5: If-Range without Range means nothing",
            [first(), Step("GET", ["If-Range": "\"b\""], is: 200, digits)]),
        CacheCase(
            "RFC 9110 §15.5.17: a range beyond a stored response is a 416",
            [
                first(), Step("GET", ["Range": "bytes=10-"], is: 416, got: ["Content-Range": "bytes */10"]),
                Step("GET", ["Range": "bytes=20-30"], is: 416, got: ["Content-Range": "bytes */10"]),
                Step("GET", ["Range": "bytes=9-30"], is: 206, "9", got: ["Content-Range": "bytes 9-9/10"]),
                Step("GET", ["Range": "bytes=-3"], is: 206, "789"), Step(is: 200, digits),
            ]),
        CacheCase(
            "RFC 9110 §14.2: If-Range that does not match lets no 416 through",
            [first(), Step("GET", ["Range": "bytes=10-", "If-Range": "\"b\""], is: 200, digits)]),
        CacheCase(
            "RFC 9111 §3.3: a range outside of the stored part is asked for",
            [
                Step(
                    "GET", ["Range": "bytes=0-4"],
                    from: [
                        Reply(206, ["Cache-Control": long, "ETag": "\"a\"", "Content-Range": "bytes 0-4/10"], "01234")
                    ], is: 206, "01234"),
                Step("GET", ["Range": "bytes=1-2"], is: 206, "12"),
                Step(
                    "GET", ["Range": "bytes=6-8"],
                    from: [Reply(206, ["ETag": "\"a\"", "Content-Range": "bytes 6-8/10"], "678")], is: 206, "678",
                    seen: ["Range": "bytes=6-8"]),
                Step(
                    "GET", ["Range": "bytes=3-6"],
                    from: [Reply(206, ["ETag": "\"a\"", "Content-Range": "bytes 3-6/10"], "3456")], is: 206, "3456",
                    seen: ["Range": "bytes=3-6"]),
            ]),
        CacheCase(
            "RFC 9110 §15.5.17: the origin's 416 is passed on, and not stored",
            [
                Step(
                    "GET", ["Range": "bytes=0-4"],
                    from: [
                        Reply(206, ["Cache-Control": long, "ETag": "\"a\"", "Content-Range": "bytes 0-4/10"], "01234")
                    ],
                    is: 206, "01234"),
                Step(
                    "GET", ["Range": "bytes=20-"],
                    from: [Reply(416, ["Cache-Control": long, "Content-Range": "bytes */10"])], is: 416,
                    got: ["Content-Range": "bytes */10"]),
                Step(
                    "GET", ["Range": "bytes=20-"], from: [Reply(416, ["Content-Range": "bytes */10"])], is: 416),
                Step("GET", ["Range": "bytes=1-2"], is: 206, "12"),
            ]),
    ]

    // MARK: RFC 9111 §5.2.1.2

    private static let fresh = Reply(200, ["Cache-Control": long], "new")

    private static func staleness(_ claim: String, _ cacheControl: String, _ directive: String, isServed: Bool)
        -> CacheCase
    {
        CacheCase(
            claim,
            [
                stale(cacheControl),
                isServed
                    ? Step("GET", ["Cache-Control": directive], is: 200, "old")
                    : Step(
                        "GET", ["Cache-Control": directive], from: [fresh], is: 200, "new",
                        seen: ["If-None-Match": "\"a\""]),
            ])
    }

    private static let staleness = [
        staleness(
            "§5.2.1.2: max-stale without a number accepts any staleness", "max-age=1", "max-stale", isServed: true),
        staleness("§5.2.1.2: max-stale within the number", "max-age=60", "max-stale=50", isServed: true),
        staleness("§5.2.1.2: max-stale beyond the number", "max-age=60", "max-stale=30", isServed: false),
        staleness("§5.2.1.2: max-stale=0", "max-age=60", "max-stale=0", isServed: false),
        staleness("§5.2.1.2: max-stale that is no number", "max-age=60", "max-stale=x", isServed: false),
        staleness("§5.2.2.2: must-revalidate forbids it", "max-age=60, must-revalidate", "max-stale", isServed: false),
        staleness("§5.2.2.4: no-cache forbids it", "max-age=60, no-cache", "max-stale", isServed: false),
        staleness("§5.2.1.1: max-age counts as well", "max-age=60", "max-stale, max-age=90", isServed: false),
        staleness("§5.2.1.1: an age within max-age", "max-age=60", "max-stale, max-age=190", isServed: true),
    ]

    // MARK: RFC 9110 §15.1, RFC 9111 §4.2.2

    private static let heuristic = [203, 204, 300, 301, 308, 404, 405, 410, 414, 451, 501]

    private static func body(_ status: Int) -> String { status == 204 ? "" : "x" }

    private static let statuses: [CacheCase] =
        heuristic.map { status in
            CacheCase(
                "§4.2.2: a \(status) has a heuristic lifetime",
                [
                    Step(from: [Reply(status, ["Last-Modified": "@-100000"], body(status))], is: status, body(status)),
                    Step(is: status, body(status)),
                ])
        }
        + [302, 303, 307, 400, 403, 500, 503].map { status in
            CacheCase(
                "§4.2.2: a \(status) has none",
                [
                    Step(from: [Reply(status, ["Last-Modified": "@-100000"], "x")], is: status, "x"),
                    Step(from: [Reply(200, [:], "y")], is: 200, "y"),
                ])
        }
        + [
            CacheCase(
                "§4.2.2: a 206 has a heuristic lifetime",
                [
                    Step(
                        "GET", ["Range": "bytes=0-4"],
                        from: [Reply(206, ["Last-Modified": "@-100000", "Content-Range": "bytes 0-4/10"], "01234")],
                        is: 206,
                        "01234"),
                    Step("GET", ["Range": "bytes=1-3"], is: 206, "123"),
                ])
        ]
        + [300, 405, 414, 451, 501, 299, 499, 599].map { status in
            CacheCase(
                "§3: a \(status) is stored for the time that it states",
                [
                    Step(from: [Reply(status, ["Cache-Control": long], "x")], is: status, "x"), Step(is: status, "x"),
                ])
        }
        + [300, 405, 414, 451, 501].map { status in
            CacheCase(
                "§4.2: a \(status) is stale after that",
                [
                    Step(from: [Reply(status, ["Cache-Control": "max-age=60", "Age": "100"], "x")], is: status, "x"),
                    Step(from: [fresh], is: 200, "new"),
                ])
        }

    // MARK: RFC 9111 §5.2.2, RFC 9213

    private static let modesOfCaches = [
        CacheCase(
            "RFC 9213 §2: a private cache ignores CDN-Cache-Control", in: [.private],
            [
                Step(from: [Reply(200, ["Cache-Control": long, "CDN-Cache-Control": "no-store"], "x")], is: 200, "x"),
                Step(is: 200, "x"),
            ]),
        CacheCase(
            "RFC 9213 §2: a private cache takes no lifetime from CDN-Cache-Control", in: [.private],
            [
                Step(from: [Reply(200, ["Cache-Control": "no-store", "CDN-Cache-Control": long], "x")], is: 200, "x"),
                Step(from: [fresh], is: 200, "new"),
            ]),
        CacheCase(
            "RFC 9213 §2.2: a shared cache obeys it", in: [.shared],
            [
                Step(from: [Reply(200, ["Cache-Control": "no-store", "CDN-Cache-Control": long], "x")], is: 200, "x"),
                Step(is: 200, "x"),
            ]),
        CacheCase(
            "§5.2.2.10: a private cache ignores s-maxage", in: [.private],
            [
                Step(from: [Reply(200, ["Cache-Control": "max-age=600, s-maxage=0"], "x")], is: 200, "x"),
                Step(is: 200, "x"),
            ]),
        CacheCase(
            "§5.2.2.10: s-maxage makes nothing fresh in a private cache", in: [.private],
            [
                Step(
                    from: [Reply(200, ["Cache-Control": "max-age=0, s-maxage=600", "ETag": "\"a\""], "x")], is: 200, "x"
                ),
                Step(from: [fresh], is: 200, "new", seen: ["If-None-Match": "\"a\""]),
            ]),
        CacheCase(
            "§5.2.2.10: s-maxage goes first in a shared cache", in: [.shared],
            [
                Step(from: [Reply(200, ["Cache-Control": "max-age=0, s-maxage=600"], "x")], is: 200, "x"),
                Step(is: 200, "x"),
            ]),
        CacheCase(
            "§5.2.2.8: a private cache ignores proxy-revalidate, and s-maxage for max-stale", in: [.private],
            [
                stale("max-age=60, proxy-revalidate, s-maxage=60"),
                Step("GET", ["Cache-Control": "max-stale"], is: 200, "old"),
            ]),
        CacheCase(
            "§5.2.2.8: a shared cache obeys proxy-revalidate", in: [.shared],
            [
                stale("max-age=60, proxy-revalidate"),
                Step("GET", ["Cache-Control": "max-stale"], from: [fresh], is: 200, "new"),
            ]),
        CacheCase(
            "§5.2.2.7: a shared cache does not store the fields that private names", in: [.shared],
            [
                Step(
                    from: [
                        Reply(
                            200, ["Cache-Control": "private=\"X-Mine\", max-age=600", "X-Mine": "1", "X-Other": "2"],
                            "x")
                    ],
                    is: 200, "x"),
                Step(is: 200, "x", got: ["X-Mine": nil, "X-Other": "2"]),
            ]),
    ]

    // MARK: RFC 9111 §4.3

    private static let validations = [
        CacheCase(
            "§4.3.3: a whole response replaces the stale one",
            [
                stale(),
                Step(
                    from: [Reply(200, ["Cache-Control": long, "ETag": "\"b\""], "new")], is: 200, "new",
                    seen: ["If-None-Match": "\"a\""]),
                Step(is: 200, "new", got: ["ETag": "\"b\""]),
            ]),
        CacheCase(
            "§4.3.4: a 304 makes the response fresh for the next request",
            [
                stale(), Step(from: [Reply(304, ["Cache-Control": long, "ETag": "\"a\""])], is: 200, "old"),
                Step(is: 200, "old", got: ["Cache-Control": long]),
            ]),
        CacheCase(
            "§4.3.4: a 304 with a tag that was not sent confirms nothing",
            [
                stale(),
                Step(
                    from: [Reply(304, ["ETag": "\"z\""]), Reply(200, ["Cache-Control": long], "new")], is: 200, "new",
                    seen: ["If-None-Match": nil]),
                Step(is: 200, "new"),
            ]),
        CacheCase(
            "§4.3.4: a 304 with a tag that neither cache nor client sent is no answer to the client",
            [
                stale(),
                Step(
                    "GET", ["If-None-Match": "\"c\""],
                    from: [Reply(304, ["ETag": "\"z\""]), Reply(200, ["Cache-Control": long], "new")], is: 200, "new",
                    seen: ["If-None-Match": "\"c\""]),
                Step(is: 200, "new"),
            ]),
        CacheCase(
            "§4.3.2: a 304 for the client's tag is the client's",
            [
                stale(),
                Step("GET", ["If-None-Match": "\"c\""], from: [Reply(304, ["ETag": "\"c\""])], is: 304, ""),
                Step(from: [fresh], is: 200, "new", seen: ["If-None-Match": "\"a\""]),
            ]),
        CacheCase(
            "§4.3.5: HEAD with another tag makes the stored response useless",
            [
                first(), Step("HEAD", ["Cache-Control": "no-cache"], from: [Reply(200, ["ETag": "\"b\""])], is: 200),
                Step(from: [fresh], is: 200, "new", seen: ["If-None-Match": nil]),
            ]),
    ]
}
