import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTransport
import Foundation

extension Scenario {
    /// The cost of revalidating a stored response: the body is not transferred, but the cache adds its work.
    static let revalidate = Scenario(
        name: "revalidate", summary: "a stale body of 20 KB, confirmed by 304 on loopback; the same GET uncached"
    ) { bench in
        let origin = try ChildProcess(.origin(.validated))
        guard let root = URL(string: try origin.readLine()) else { throw BenchError("the origin gave no URL") }
        let transport = CurlTransport(options: .manyConnections)
        let cache = HTTPCache(rules: CacheRules(.private), store: MemoryHTTPCacheStore())
        let cached = transport.cached(in: cache)
        let stored = (0..<256).map { HTTPRequest(root.appending(path: "stored/\($0).jpg")) }
        for request in stored { _ = try await cached.load(request) }
        for (name, inFlight, count, bar) in [("", 32, 10_000, 1.6), ("-one", 1, 2000, 2.2)] {
            let requests = (0..<count).map { stored[$0 % stored.count] }
            try await bench.compare(
                "revalidate\(name)", with: "GET without a cache", unit: "µs", bar: .atMost(bar),
                pairs: bench.isQuick ? 9 : 15
            ) {
                try await microseconds(inFlight, requests, over: cached, .revalidated)
            } baseline: {
                try await microseconds(inFlight, requests, over: transport, nil)
            }
        }
        withExtendedLifetime(origin) {}
    }

    /// Returns the total time divided by the number of requests, in microseconds.
    private static func microseconds(
        _ inFlight: Int, _ requests: [HTTPRequest], over transport: some Transport, _ source: CacheOutcome.Source?
    ) async throws -> Double {
        let time = try await seconds {
            try await inTasks(inFlight, requests) { request in
                guard try await transport.load(request) == source else {
                    throw BenchError("a response did not come from the source to measure")
                }
            }
        }
        return time * 1e6 / Double(requests.count)
    }
}

extension Transport {
    /// Loads and checks a body, and returns the source of the response, or `nil` without a cache.
    fileprivate func load(_ request: HTTPRequest) async throws -> CacheOutcome.Source? {
        let response = try await send(request)
        let body = try await response.body.collect(expected: response.contentLength)
        guard response.status == 200, body.count == OriginKind.smallSize else {
            throw BenchError("a response is not the stored one")
        }
        return response.cacheOutcome?.source
    }
}
