import CalotypeBase
import CalotypeHTTP

// CDN-Loop (RFC 8586): a server whose source leads back to it would otherwise ask itself without end.

extension Transport {
    /// Adds this server to the servers that each request names.
    func markingLoops() -> some Transport { LoopMarkingTransport(base: self) }
}

private struct LoopMarkingTransport<Base: Transport>: Transport {
    let base: Base

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var request = request
        request.fields.append(HTTPFields.loopMark, to: HTTPFields.loopName)
        return try await base.send(request)
    }
}

extension HTTPFields {
    fileprivate static let loopName: CaselessString = "CDN-Loop"
    fileprivate static let loopMark: ByteString = "calotype"

    /// Whether a server of this kind has sent the request.
    var isLoop: Bool {
        values(of: Self.loopName).contains { value in
            value.split(separator: UInt8(ascii: ",")).contains {
                $0.split(separator: UInt8(ascii: ";"))[0].trimmed.lowercasedASCII == Self.loopMark
            }
        }
    }
}
