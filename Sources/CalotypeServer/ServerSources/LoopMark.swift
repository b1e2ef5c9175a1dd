import CalotypeBase
import CalotypeHTTP

// CDN-Loop (RFC 8586): a server whose source leads back to it would otherwise ask itself without end.

extension Transport {
    /// Adds this server to the servers that each request names, and its name as a client.
    func introduced(as agent: ByteString?) -> some Transport { IntroducingTransport(base: self, agent: agent) }
}

private struct IntroducingTransport<Base: Transport>: Transport {
    let base: Base
    let agent: ByteString?

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var request = request
        request.fields.append(HTTPFields.loopMark, to: HTTPFields.loopName)
        if let agent { request.fields["User-Agent"] = agent }
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
