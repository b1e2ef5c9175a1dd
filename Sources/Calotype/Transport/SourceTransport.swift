import CalotypeHTTP
import Foundation

/// A caller's own closure as an exchange, so that its bytes take the way of all others: a place, the cache, late bodies.
struct SourceTransport: Transport {
    let fetch: @Sendable () async throws -> Data
    /// For how long the bytes are good, in seconds.
    let lifetime: Double

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let data = try await bytes()
        let seconds = Int(min(max(lifetime, 0), Double(1 << 31)))
        return HTTPResponse(
            url: request.url, status: 200,
            fields: ["Cache-Control": "max-age=\(seconds)", "Content-Length": "\(data.count)"], body: HTTPBody(data))
    }

    private func bytes() async throws(TransportError) -> Data {
        do {
            return try await fetch()
        } catch let error as ImageError where error.code != .cancelled {
            throw .loader(error)
        } catch {
            // Without it, the source has cancelled something that callers know nothing of.
            if Task.isCancelled { throw .cancelled }
            throw .loader(ImageError(.sourceFailed, "the source failed: \(error)", underlying: error))
        }
    }
}

extension TransportError {
    /// An error of the loader's own on its way up through the transport's layers.
    static func loader(_ error: ImageError) -> TransportError {
        TransportError(Code(rawValue: "loader"), error.message, underlying: error)
    }
}
