public import CalotypeHTTP

extension Transport {
    /// Asks for `gzip, deflate` where the request does not say otherwise, and undoes the coding of what comes.
    ///
    /// The response then reads as if it had come plain: `Content-Encoding` and `Content-Length`, which describe the
    /// packed bytes, are taken out. A coding that is unknown, damaged or cut short fails with `contentDecodingFailed`.
    ///
    /// Parts (a request with `Range`, a 206 response) and answers without a body pass as they are: a piece of a packed
    /// file cannot be unpacked.
    public func decodingContent() -> some Transport { decodingContent(asksForPacked: true) }

    /// Undoes the coding of what comes. Asks for a coding only where that pays: images are packed already.
    package func decodingContent(asksForPacked: Bool) -> some Transport {
        DecodingTransport(base: self, asksForPacked: asksForPacked)
    }
}

/// A coding of RFC 9110 §8.4.1 that we can undo.
struct ContentCoding: Hashable, Sendable {
    let name: CaselessString

    static let gzip = ContentCoding(name: "gzip")
    static let deflate = ContentCoding(name: "deflate")

    /// In the order in which they were applied; "identity", which is none, left out.
    static func codings(in field: ByteString) throws(TransportError) -> [ContentCoding] {
        var codings: [ContentCoding] = []
        for part in field.split(separator: 0x2C) {
            let name = CaselessString(part.trimmed)
            switch name {
            case "", "identity": continue
            case "gzip", "x-gzip": codings.append(.gzip)
            case "deflate": codings.append(.deflate)
            default: throw TransportError(.contentDecodingFailed, "the content coding \"\(name)\" is unknown")
            }
        }
        // Each layer may blow the body up a thousandfold.
        guard codings.count <= 4 else { throw TransportError(.contentDecodingFailed, "too many content codings") }
        return codings
    }
}

private struct DecodingTransport<Base: Transport>: Transport {
    let base: Base
    let asksForPacked: Bool

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var request = request
        if asksForPacked, request.fields["Accept-Encoding"] == nil, request.fields["Range"] == nil {
            request.fields["Accept-Encoding"] = "gzip, deflate"
        }
        let response = try await base.send(request)
        return hasWholeBody(response, to: request) ? try decoded(response) : response
    }

    private func hasWholeBody(_ response: HTTPResponse, to request: HTTPRequest) -> Bool {
        request.method != .head && ![204, 206, 304].contains(response.status)
    }

    private func decoded(_ packed: HTTPResponse) throws(TransportError) -> HTTPResponse {
        guard let field = packed.fields["Content-Encoding"] else { return packed }
        var response = packed
        for coding in try ContentCoding.codings(in: field).reversed() {
            response.body = response.body.filtered { InflateFilter(coding) }
        }
        response.fields["Content-Encoding"] = nil
        response.fields["Content-Length"] = nil
        return response
    }
}
