import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeListener
import Foundation

/// The proxy. If the memory cache has a fresh response, the listener's thread sends it without starting a task.
struct Proxy: Sendable {
    let route: ProxyRoute
    let upstream: ProxyUpstream
    let metrics: ProxyMetrics
    let complain: @Sendable (String) -> Void
    private let mark = ForwardedFields.mark()

    func answer(_ request: ListenerRequest) -> ListenerAnswer {
        metrics.requestBegan()
        do throws(ProxyRefusal) {
            let destination = try route.destination(of: request)
            var forwarded = try forward(request, to: destination)
            if request.upload == nil, let hit = upstream.cache.immediateAnswer(to: forwarded, make: ProxyHit.init) {
                metrics.answered(hit.status, hit.use, bytes: hit.bytes)
                return .now(hit.prepared)
            }
            forwarded.url = try destination.url
            forwarded.client = request.client?.network
            return .laterWithInterim { [forwarded] interim in await exchange(forwarded, for: request, interim) }
        } catch {
            return .now(refuse(error))
        }
    }

    // MARK: Requests to the origin

    /// Returns the request for the origin. Its URL names only the origin, because parsing a whole URL is slow. The
    /// target is in `rawTarget`, which the cache adds to its key.
    private func forward(
        _ request: ListenerRequest, to destination: ProxyRoute.Destination
    ) throws(ProxyRefusal) -> HTTPRequest {
        guard !ForwardedFields.isLoop(request.fields, mark: mark) else {
            throw ProxyRefusal(508, "This request has passed this proxy before.")
        }
        var forwarded = HTTPRequest(
            try destination.originURL, method: request.method,
            fields: ForwardedFields.ofRequest(request.fields, version: request.version, mark: mark),
            timeouts: ProxyUpstream.timeouts)
        forwarded.rawTarget = ByteString(destination.target)
        forwarded.takesBodyAsFile = true
        if let upload = request.upload {
            forwarded.upload = HTTPUpload(upload, length: request.fields.contentLength)
        } else if !request.method.isSafe, request.fields.contentLength == 0 {
            forwarded.body = Data()
        }
        return try forwarded.oneHopFewer()
    }

    private func exchange(
        _ forwarded: HTTPRequest, for request: ListenerRequest, _ interim: InterimResponder
    ) async -> ListenerResponse {
        let observer: InterimResponses.Observer = { status, fields in
            interim.send(status: status, fields: HTTPFields(ForwardedFields.endToEnd(fields)))
        }
        do throws(TransportError) {
            let response = try await upstream.send(forwarded, observer)
            return back(response, to: request)
        } catch {
            guard error.code != .cancelled else { return .drop }
            complain("proxy: \(request.method.rawValue) \(forwarded.url.withoutUserInfo.absoluteString): \(error)")
            return refuse(ProxyRefusal(error))
        }
    }

    // MARK: Responses to the client

    private func back(_ response: HTTPResponse, to request: ListenerRequest) -> ListenerResponse {
        var fields: HTTPFields { ForwardedFields.ofResponse(response.fields, version: response.version) }
        if let slice = response.body.slice {
            metrics.answered(response.status, CacheUse(response), bytes: slice.range.count)
            return ListenerResponse(status: response.status, fields: fields, file: slice)
        }
        // A response to HEAD has no body, so its length is unknown without Content-Length.
        let isUnknown = request.method == .head && response.contentLength == nil
        guard !isUnknown, let whole = response.body.whole else {
            metrics.answered(response.status, CacheUse(response))
            return ListenerResponse(
                status: response.status, fields: fields, stream: HTTPBody(CountedBody(response.body, metrics)),
                length: response.contentLength)
        }
        metrics.answered(response.status, CacheUse(response), bytes: whole.count)
        return ListenerResponse(forwarding: response, whole)
    }

    private func refuse(_ refusal: ProxyRefusal) -> ListenerResponse {
        metrics.answered(refusal.status, .none)
        return refusal.response
    }
}

extension HTTPRequest {
    /// Returns the request with Max-Forwards decremented for OPTIONS and TRACE (RFC 9110 §7.6.2). If the field is 0,
    /// throws the proxy's own response, because no further server may receive the request.
    fileprivate func oneHopFewer() throws(ProxyRefusal) -> HTTPRequest {
        guard method.rawValue == "OPTIONS" || method.rawValue == "TRACE", let hops = try fields.hopsLeft else {
            return self
        }
        guard hops > 0 else { throw ProxyRefusal(method.rawValue == "OPTIONS" ? 200 : 405, "Max-Forwards is 0.") }
        var fewer = self
        fewer.fields["Max-Forwards"] = "\(hops - 1)"
        return fewer
    }
}

extension HTTPFields {
    /// The largest Max-Forwards to forward. RFC 9110 §7.6.2 permits a maximum, and other servers may parse 32 bits.
    private static let mostHops = Int(Int32.max)

    fileprivate var hopsLeft: Int? {
        get throws(ProxyRefusal) {
            let values = values(of: "Max-Forwards")
            guard let value = values.first else { return nil }
            guard values.count == 1, !value.isEmpty, value.bytes.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw ProxyRefusal(400, "Max-Forwards is not a number.")
            }
            return Swift.min(value.asDigits ?? Self.mostHops, Self.mostHops)
        }
    }
}

extension ListenerResponse {
    fileprivate init(forwarding response: HTTPResponse, _ body: Data) {
        var fields = ForwardedFields.ofResponse(response.fields, version: response.version)
        // A response to HEAD and a 304 have no body, but may have the Content-Length of the response to GET.
        if body.isEmpty, let length = response.contentLength, length > 0 {
            fields.append("\(length)", to: "Content-Length")
        }
        self.init(status: response.status, fields: fields, body: body)
    }
}

/// A cached response as the proxy sends it, with its values for the metrics. Reused until the stored fields change.
private final class ProxyHit: Sendable {
    let prepared: PreparedResponse
    let status: Int
    let use: CacheUse
    let bytes: Int

    /// - Parameter response: A response with its whole body in memory.
    init(_ response: HTTPResponse) {
        let body = response.body.whole ?? Data()
        prepared = PreparedResponse(ListenerResponse(forwarding: response, body))
        (status, use, bytes) = (response.status, CacheUse(response), body.count)
    }
}

private final class CountedBody: HTTPBodySource {
    private let body: HTTPBody
    private let metrics: ProxyMetrics

    init(_ body: HTTPBody, _ metrics: ProxyMetrics) {
        self.body = body
        self.metrics = metrics
    }

    func next() async throws(TransportError) -> Data? {
        // A streamed body stores its read position, so a new iterator continues where the last one stopped.
        var chunks = body.makeAsyncIterator()
        let chunk = try await chunks.next()
        if let chunk { metrics.sent(chunk.count) }
        return chunk
    }
}
