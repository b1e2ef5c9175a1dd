import CalotypeHTTP
import CalotypeTransport
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Scenario {
    /// The cost of a request in the transport, over loopback.
    static let transportSmall = Scenario(
        name: "transport-small",
        summary: "10,000 × 20 KB over loopback, 32 in flight, the origin in a process of its own"
    ) { bench in
        let origin = try ChildProcess(.origin(.small))
        guard let root = URL(string: try origin.readLine()) else { throw BenchError("the origin gave no URL") }
        let urls = (0..<10_000).map { root.appending(path: "small/\($0).jpg") }
        try await besideCurl(bench, urls)
        // URLSession completes about 2,600 requests/s: 10,000 are too slow for a quick run.
        try await besideURLSession(bench, bench.isQuick ? Array(urls.prefix(2000)) : urls)
        withExtendedLifetime(origin) {}
    }

    private static func besideCurl(_ bench: Bench, _ urls: [URL]) async throws {
        let texts = urls.map(\.absoluteString)
        let transport = CurlTransport(options: .manyConnections)
        let bare = try BareCurl(inFlight: inFlight)
        try await bench.compare(
            "transport-small", with: "bare curl multi loop", unit: "req/s", bar: .atLeast(0.6),
            pairs: bench.isQuick ? 9 : 15
        ) {
            Double(urls.count) / (try await seconds { try await load(urls) { try await transport.body(of: $0) } })
        } baseline: {
            Double(urls.count) / (try seconds { try bare.load(texts, expecting: OriginKind.smallSize) })
        }
    }

    private static func besideURLSession(_ bench: Bench, _ urls: [URL]) async throws {
        let transport = CurlTransport(options: .manyConnections)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = inFlight
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration)
        defer { session.invalidateAndCancel() }
        try await bench.compare(
            "transport-small", with: "URLSession", unit: "req/s", bar: .atLeast(6), pairs: bench.isQuick ? 5 : 7
        ) {
            Double(urls.count) / (try await seconds { try await load(urls) { try await transport.body(of: $0) } })
        } baseline: {
            Double(urls.count) / (try await seconds { try await load(urls) { try await session.data(from: $0).0 } })
        }
    }

    private static let inFlight = 32

    private static func load(_ urls: [URL], _ body: @escaping @Sendable (URL) async throws -> Data) async throws {
        try await inTasks(inFlight, urls) { url in
            guard try await body(url).count == OriginKind.smallSize else {
                throw BenchError("a body has the wrong length")
            }
        }
    }
}

extension CurlTransport.Options {
    static let manyConnections: CurlTransport.Options = {
        var options = CurlTransport.Options()
        options.connectionsPerHost = 32
        return options
    }()
}

extension CurlTransport {
    fileprivate func body(of url: URL) async throws -> Data {
        let response = try await send(HTTPRequest(url))
        return try await response.body.collect(expected: response.contentLength)
    }
}
