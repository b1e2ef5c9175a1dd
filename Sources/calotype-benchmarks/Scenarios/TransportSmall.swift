import CalotypeHTTP
import CalotypeTransport
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Scenario {
    /// What a request over the network costs, when the network costs nothing.
    static let transportSmall = Scenario(
        name: "transport-small",
        summary: "10,000 × 20 KB over loopback, 32 in flight, the origin in a process of its own"
    ) { bench in
        let origin = try ChildProcess(.origin(.small))
        guard let root = URL(string: try origin.readLine()) else { throw BenchError("the origin gave no URL") }
        let urls = (0..<10_000).map { root.appending(path: "small/\($0).jpg") }
        try await besideCurl(bench, urls)
        // At 2,600 requests/s all of them would take URLSession four seconds a round.
        try await besideURLSession(bench, bench.isQuick ? Array(urls.prefix(2000)) : urls)
        withExtendedLifetime(origin) {}
    }

    private static func besideCurl(_ bench: Bench, _ urls: [URL]) async throws {
        let texts = urls.map(\.absoluteString)
        let transport = CurlTransport(options: .manyConnections)
        let bare = try BareCurl(inFlight: inFlight)
        try await bench.compare(
            "transport-small", with: "bare curl multi loop", unit: "req/s", bar: .atLeast(0.7),
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

    /// So many tasks, each of which takes the next URL when it has done with the one before.
    private static func load(_ urls: [URL], _ body: @escaping @Sendable (URL) async throws -> Data) async throws {
        let next = Counter()
        let tasks = (0..<inFlight).map { _ in
            Task {
                while true {
                    let index = next.take()
                    guard index < urls.count else { return }
                    guard try await body(urls[index]).count == OriginKind.smallSize else {
                        throw BenchError("a body has the wrong length")
                    }
                }
            }
        }
        for task in tasks { try await task.value }
    }
}

/// Hands out 0, 1, 2, … to whoever asks.
private final class Counter: Sendable {
    private let value = Atomic(0)

    func take() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}

extension CurlTransport.Options {
    fileprivate static let manyConnections: CurlTransport.Options = {
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
