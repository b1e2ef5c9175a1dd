import CalotypeHTTP
import CalotypeHTTPCache
import Foundation

extension Scenario {
    /// The cost of deciding whether one stored response may be used, which the HTTP cache adds to each lookup.
    static let freshness = Scenario(
        name: "freshness", summary: "decisions of the HTTP cache on one stored response, and by dictionaries of strings"
    ) { bench in
        let subject = try FreshnessSubject()
        for query in subject.queries {
            let plain = query.request.fields.plain
            try await bench.compare(
                "freshness\(query.suffix)", with: "dictionaries of strings", unit: "ns", bar: .atMost(query.bar),
                pairs: bench.isQuick ? 11 : 51
            ) {
                try nanoseconds { subject.decide(query.request, now: query.now) == query.isFresh }
            } baseline: {
                try nanoseconds { subject.decidePlainly(plain, now: query.now) == query.isFresh }
            }
        }
    }

    /// Returns the processor time of one decision.
    ///
    /// - Parameter isRight: Makes one decision, and returns `true` if it is correct.
    @inline(__always)
    private static func nanoseconds(_ isRight: () -> Bool) throws -> Double {
        let count = 20_000
        return try processorSeconds {
            var right = 0
            for _ in 0..<count { right += isRight() ? 1 : 0 }
            guard right == count else { throw BenchError("\(count - right) decisions went wrong") }
        } * 1e9 / Double(count)
    }
}

/// An image from a typical origin, and requests for it.
private struct FreshnessSubject {
    struct Query {
        /// The suffix added to the scenario's name in the result for this query.
        let suffix: String
        let bar: Double
        let request: HTTPRequest
        let now: Double
        let isFresh: Bool
    }

    let rules = CacheRules(.shared)
    let variants: [StoredResponse]
    let plain: PlainCachePolicy
    let queries: [Query]

    private static let now = 1_767_225_600.0

    init() throws {
        guard let url = URL(string: "http://images.example.org/photos/2026/large.jpg?width=1200") else {
            throw BenchError("no URL")
        }
        let asked: HTTPFields = [
            "Host": "images.example.org", "Accept": "image/webp, image/*", "User-Agent": "bench",
            "Accept-Encoding": "gzip, br",
        ]
        var limited = asked
        limited["Cache-Control"] = "max-age=600"
        let request = HTTPRequest(url, fields: asked)
        queries = [
            Query(suffix: "", bar: 3.3, request: request, now: Self.now + 5, isFresh: true),
            Query(
                suffix: "-directives", bar: 1.9, request: HTTPRequest(url, fields: limited), now: Self.now + 5,
                isFresh: true),
            Query(suffix: "-stale", bar: 2.7, request: request, now: Self.now + 7200, isFresh: false),
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
        plain = PlainCachePolicy(fields.plain, to: asked.plain, responseTime: Self.now)
    }

    /// Returns `true` if the response may be used, `false` if it has to be validated, and `nil` for any other decision.
    func decide(_ request: HTTPRequest, now: Double) -> Bool? {
        switch rules.decide(request, variants: variants, now: now) {
        case .serve: true
        case .validate: false
        default: nil
        }
    }

    func decidePlainly(_ request: [String: String], now: Double) -> Bool {
        switch plain.decide(request, now: now) {
        case .serve: true
        case .validate(let fields): fields["if-none-match"] == nil
        }
    }
}

extension HTTPFields {
    /// The fields as a dictionary, with names in lower case.
    fileprivate var plain: [String: String] {
        Dictionary(uniqueKeysWithValues: map { ($0.name.lowercased.string, $0.value.string) })
    }
}
