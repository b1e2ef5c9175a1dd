public import CalotypeHTTP

extension Transport {
    /// Requests `gzip, deflate` unless the request has an `Accept-Encoding` or a `Range`, and decodes the response.
    ///
    /// The fields that describe the encoded bytes, `Content-Encoding` and `Content-Length`, are removed. A registered
    /// coding that is not supported, such as `br` or `zstd`, fails with `contentDecodingFailed`, and so does a damaged or
    /// truncated body. Names of no coding, such as `UTF-8` or `none`, which some servers send, count as `identity`.
    ///
    /// Responses without a body and parts (206) pass unchanged: a part of an encoded file cannot be decoded.
    public func decodingContent() -> some Transport { decodingContent(asksForPacked: true) }

    /// Decodes responses. Requests `gzip, deflate` only if `asksForPacked` is `true`; images are compressed already.
    func decodingContent(asksForPacked: Bool) -> some Transport {
        DecodingTransport(base: self, asksForPacked: asksForPacked)
    }
}

/// A supported content coding (RFC 9110 §8.4.1).
enum ContentCoding: String {
    case gzip, deflate

    /// The codings in IANA's registry of HTTP content codings that are not supported. A body coded so is no image.
    static let unsupported: [CaselessString] = [
        "aes128gcm", "br", "compress", "x-compress", "dcb", "dcz", "exi", "pack200-gzip", "zstd",
    ]

    /// Returns the codings in the order in which they were applied, without "identity" and names of no coding. Throws
    /// `contentDecodingFailed` if one is not supported, or if there are more than four,
    /// or more than 16 names.
    static func codings(in field: ByteString) throws(TransportError) -> [ContentCoding] {
        var codings: [ContentCoding] = []
        let parts = field.split(separator: 0x2C, maxSplits: 16)
        guard parts.count <= 16 else { throw .tooManyCodings }
        for part in parts {
            let name = CaselessString(part.trimmed)
            switch name {
            case "", "identity": continue
            case "gzip", "x-gzip": codings.append(.gzip)
            case "deflate": codings.append(.deflate)
            case _ where unsupported.contains(name):
                throw TransportError(.contentDecodingFailed, "the content coding \"\(name)\" is not supported")
            // Servers send the charset, "none" or the transfer encoding here. Browsers ignore such names, too.
            default: continue
            }
        }
        // Each coding may expand the body a thousandfold.
        guard codings.count <= 4 else { throw .tooManyCodings }
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
        let hasWholeBody = request.method != .head && ![204, 206, 304].contains(response.status)
        return hasWholeBody ? try decoded(response) : response
    }

    private func decoded(_ packed: HTTPResponse) throws(TransportError) -> HTTPResponse {
        guard let field = packed.fields["Content-Encoding"] else { return packed }
        var response = packed
        let codings = try ContentCoding.codings(in: field)
        for coding in codings.reversed() { response.body = response.body.filtered { InflateFilter(coding) } }
        response.fields["Content-Encoding"] = nil
        if !codings.isEmpty { response.fields["Content-Length"] = nil }
        return response
    }
}

extension TransportError {
    fileprivate static var tooManyCodings: TransportError {
        TransportError(.contentDecodingFailed, "too many content codings")
    }
}
