import CalotypeBase
import CalotypeHTTP
import CalotypeTransport
import Foundation

/// A client of the admin port that purges results and sources.
struct Purger: Sendable {
    enum Subject {
        case source(String)
        case prefix(String)
        case all
    }

    private struct Order: Encodable {
        var source: String?
        var prefix: String?
        var all: Bool?
        var soft: Bool?
    }

    private let url: URL?
    private let token: String
    private let transport = CurlTransport(options: CurlTransport.Options())

    /// - Parameters:
    ///   - admin: The URL of the admin port.
    ///   - token: The contents of the file of `--admin-token`, without a line feed.
    init(admin: String, token: String) {
        url = URL(string: "\(admin)/.calotype/purge")
        self.token = token
    }

    /// Purges a subject. The purge is in force when the function returns.
    ///
    /// - Parameter isHard: Whether responses count as absent afterwards. If `false`, they are stale.
    func purge(_ subject: Subject, isHard: Bool) async throws {
        guard let url else { throw BenchError("the admin port has no URL") }
        var request = HTTPRequest(url, method: .post)
        request.fields = ["Authorization": ByteString("Bearer \(token)"), "Content-Type": "application/json"]
        var order = Order()
        switch subject {
        case .source(let url): order.source = url
        case .prefix(let prefix): order.prefix = prefix
        case .all: order.all = true
        }
        if !isHard { order.soft = true }
        request.body = try JSONEncoder().encode(order)
        let response = try await transport.send(request)
        let answer = try await response.body.collect()
        guard (200..<300).contains(response.status) else {
            throw BenchError("\(response.status) for a purge: \(String(decoding: answer, as: UTF8.self))")
        }
    }
}
