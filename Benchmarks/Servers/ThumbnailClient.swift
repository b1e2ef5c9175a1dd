import CalotypeBase
import CalotypeHTTP
import CalotypeTransport
import Foundation

/// A client that requests thumbnails over persistent connections.
struct ThumbnailClient: Sendable {
    private let transport: CurlTransport

    /// - Parameter connections: The maximum number of requests in flight. The default is 2.
    init(connections: Int = 2) {
        var options = CurlTransport.Options()
        options.addsNothing = true
        options.connectionsPerHost = connections
        options.transferLimit = max(connections, options.transferLimit)
        transport = CurlTransport(options: options)
    }

    struct Answer: Sendable {
        let status: Int
        let fields: HTTPFields
        let body: Data
    }

    func answer(_ url: String, _ fields: HTTPFields = [:]) async throws -> Answer {
        // The path is sent byte for byte, because it is signed.
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        guard parts.count == 3, let root = URL(string: "\(parts[0])//\(parts[1])") else {
            throw BenchError("\(url) is not the URL of a thumbnail")
        }
        var request = HTTPRequest(root, fields: fields)
        request.rawTarget = ByteString("/\(parts[2])")
        let response = try await transport.send(request)
        return Answer(status: response.status, fields: response.fields, body: try await response.body.collect())
    }

    func thumbnail(_ url: String) async throws -> Data {
        let answer = try await answer(url)
        guard answer.status == 200, !answer.body.isEmpty else { throw BenchError("\(answer.status) for \(url)") }
        return answer.body
    }
}
