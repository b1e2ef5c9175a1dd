import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTransport

/// The transport that a loader uses unless told otherwise: `http`, `https`, `file` and `data`.
public enum StandardTransport {
    /// What stands above a single exchange, from the wire upward. The cache comes first: it has to see answers as they
    /// went over the wire.
    static func layered(
        _ exchange: some Transport, _ retry: RetryPolicy, _ bodyLimit: Int, _ cache: HTTPCache?
    ) -> any Transport {
        guard let cache else { return complete(exchange, retry, bodyLimit) }
        return complete(exchange.cached(in: cache), retry, bodyLimit)
    }

    private static func complete(_ exchange: some Transport, _ retry: RetryPolicy, _ bodyLimit: Int) -> any Transport {
        let web = AskingForPlainBytes(base: exchange.decodingContent())
            .followingRedirects()
            .limitingBody(to: bodyLimit)
            .retried(retry)
        return SchemeTransport([
            "http": web, "https": web,
            "file": FileTransport().limitingBody(to: bodyLimit), "data": DataURLTransport(),
        ])
    }
}

/// Pictures are packed already: asks for them as they are, unless the request says otherwise. A server that packs them
/// all the same is understood.
private struct AskingForPlainBytes<Base: Transport>: Transport {
    let base: Base

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard request.fields["Accept-Encoding"] == nil else { return try await base.send(request) }
        var plain = request
        plain.fields["Accept-Encoding"] = "identity"
        return try await base.send(plain)
    }
}
