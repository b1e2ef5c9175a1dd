public import CalotypeHTTP
import Foundation

extension Transport {
    /// Refuses bodies above `limit` bytes with `bodyTooLarge`: by Content-Length before a byte of the body is read,
    /// and in mid-stream where there is none or it lies.
    ///
    /// Above `decodingContent()` it counts decoded bytes.
    ///
    /// - Parameter limit: `HTTPBody.standardLimit` by default.
    public func limitingBody(to limit: Int = HTTPBody.standardLimit) -> some Transport {
        LimitingTransport(base: self, limit: limit)
    }
}

extension HTTPBody {
    /// The limit on bodies that loaders and transports start with: the smaller of 200 MB and 10 % of the memory.
    public static var standardLimit: Int { standardLimit(memory: ProcessInfo.processInfo.physicalMemory) }

    static func standardLimit(memory: UInt64) -> Int { Int(Swift.min(memory / 10, 200_000_000)) }
}

private struct LimitingTransport<Base: Transport>: Transport {
    let base: Base
    let limit: Int

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var response = try await base.send(request)
        // The length that a HEAD announces is that of a body which does not come.
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
