import CalotypeHTTP
import CalotypeHTTPCache
import Foundation

extension Scenario {
    /// The cost of a decision about one stored response, the only work that a cache adds to a lookup.
    static let freshness = Scenario(
        name: "freshness", summary: "decisions of the HTTP cache on one stored response"
    ) { bench in
        let subject = try FreshnessSubject()
        for (name, request, wait) in subject.cases {
            let count = 20_000
            func round() throws -> Double {
                try processorSeconds {
                    var decided = 0
                    for _ in 0..<count { decided += subject.decide(request, after: wait) ? 1 : 0 }
                    guard decided == count else { throw BenchError("\(count - decided) decisions went wrong") }
                } * 1e9 / Double(count)
            }
            _ = try round()
            let samples = try (0..<(bench.isQuick ? 11 : 51)).map { _ in (ours: try round(), baseline: 2000.0) }
            bench.report("freshness\(name)", with: "2 µs", unit: "ns", bar: .atMost(1), samples)
        }
    }
}

/// An image from a typical origin, and requests for it.
private struct FreshnessSubject {
    let rules = CacheRules(.shared)
    let variants: [StoredResponse]
    /// The suffix of the row's name, the request, and the time since the response was stored, in seconds.
    let cases: [(String, HTTPRequest, Double)]

    private static let now = 1_767_225_600.0

    init() throws {
        guard let url = URL(string: "http://images.example.org/photos/2026/large.jpg?width=1200") else {
            throw BenchError("no URL")
        }
        let plain: HTTPFields = [
            "Host": "images.example.org", "Accept": "image/webp, image/*", "User-Agent": "bench",
            "Accept-Encoding": "gzip, br",
        ]
        var limited = plain
        limited["Cache-Control"] = "max-age=600"
        let request = HTTPRequest(url, fields: plain)
        cases = [
            ("", request, 5), ("-directives", HTTPRequest(url, fields: limited), 5), ("-stale", request, 7200),
        ]
        let fields: HTTPFields = [
            "Date": HTTPDate.format(Self.now), "Last-Modified": HTTPDate.format(Self.now - 86_400),
            "ETag": "\"abcdef\"",
            "Cache-Control": "public, max-age=3600", "Content-Type": "image/jpeg", "Content-Length": "20000",
            "Vary": "Accept-Encoding", "Server": "bench",
        ]
        guard
            case .store(let head) = rules.storing(
                request, status: 200, fields: fields, requestTime: Self.now, responseTime: Self.now),
            let stored = head.ended(bodyLength: 20_000, isComplete: true)
        else { throw BenchError("the response is not stored") }
        variants = [stored]
    }

    /// Returns `true` if the decision is right.
    func decide(_ request: HTTPRequest, after wait: Double) -> Bool {
        switch rules.decide(request, variants: variants, now: Self.now + wait) {
        case .serve: wait < 3600
        case .validate: wait >= 3600
        default: false
        }
    }
}
