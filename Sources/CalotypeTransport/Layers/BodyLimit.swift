public import CalotypeHTTP
import Foundation

extension Transport {
    /// Rejects bodies of more than `limit` bytes with `bodyTooLarge`, at once if Content-Length announces the size.
    ///
    /// Above `decodingContent()`, the limit applies to decoded bytes.
    ///
    /// - Parameter limit: The maximum size of a body, in bytes. The default is `HTTPBody.standardLimit`.
    public func limitingBody(to limit: Int = HTTPBody.standardLimit) -> some Transport {
        BodyLimitTransport(base: self, limit: limit)
    }
}

extension HTTPBody {
    /// The default limit on bodies in loaders and transports: 200 MB or 10 % of the memory, whichever is less.
    public static var standardLimit: Int { standardLimit(memory: ProcessInfo.processInfo.physicalMemory) }

    static func standardLimit(memory: UInt64) -> Int { Int(Swift.min(memory / 10, 200_000_000)) }
}

private struct BodyLimitTransport<Base: Transport>: Transport {
    let base: Base
    let limit: Int

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var response = try await base.send(request)
        // A HEAD announces the length of a body that does not follow.
        if request.method == .head { return response }
        if let length = response.contentLength, length > limit { throw .bodyTooLarge(limit: limit) }
        if let whole = response.body.whole {
            guard whole.count <= limit else { throw .bodyTooLarge(limit: limit) }
            return response
        }
        response.body = response.body.filtered { [limit] in SizeFilter(limit: limit) }
        return response
    }
}

struct SizeFilter: BodyFilter {
    let limit: Int
    private var size = 0
    private var chunk: Data?

    init(limit: Int) { self.limit = limit }

    mutating func push(_ chunk: Data) throws(TransportError) {
        size += chunk.count
        guard size <= limit else { throw .bodyTooLarge(limit: limit) }
        self.chunk = chunk
    }

    mutating func pull() -> Data? {
        defer { chunk = nil }
        return chunk
    }

    mutating func finish() {}
}
