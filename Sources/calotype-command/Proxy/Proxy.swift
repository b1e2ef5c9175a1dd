import CalotypeHTTP
import CalotypeListener
import Foundation

/// One request in, one request out, and its answer back.
///
/// A fresh answer that lies in memory goes out on the listener's thread, without a task.
struct Proxy: Sendable {
    let route: ProxyRoute
    let upstream: ProxyUpstream
    let metrics: ProxyMetrics
    let complain: @Sendable (String) -> Void

    func answer(_ request: ListenerRequest) -> ListenerAnswer {
        metrics.requestBegan()
        let forwarded: HTTPRequest
        do throws(ProxyRefusal) {
            forwarded = try forward(request)
        } catch {
            return .now(refuse(error))
        }
        if request.upload == nil, let response = upstream.immediateAnswer(to: forwarded) {
            return .now(back(response, to: request))
        }
        return .laterWithInterim { interim in await exchange(forwarded, for: request, interim) }
    }

    // MARK: Out

    private func forward(_ request: ListenerRequest) throws(ProxyRefusal) -> HTTPRequest {
        let (url, target) = try route.destination(of: request)
        guard !ForwardedFields.isLoop(request.fields) else {
            throw ProxyRefusal(508, "This request came here again and again.")
        }
        var forwarded = HTTPRequest(
            url, method: request.method,
            fields: ForwardedFields.ofRequest(request.fields, version: request.version),
            timeouts: ProxyUpstream.timeouts)
        forwarded.rawTarget = target
        if let upload = request.upload {
            forwarded.upload = HTTPUpload(upload, length: request.fields.contentLength)
        } else if request.fields.contentLength == 0, !request.method.isSafe {
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
            complain("proxy: \(request.method.rawValue) \(forwarded.url.absoluteString): \(error)")
            return refuse(ProxyRefusal(error, host: forwarded.url.host ?? ""))
        }
    }

    // MARK: Back

    private func back(_ response: HTTPResponse, to request: ListenerRequest) -> ListenerResponse {
        metrics.answered(response.status, CacheUse(response))
        var fields = ForwardedFields.ofResponse(response.fields, version: response.version)
        let length = response.contentLength
        // A list of equal lengths becomes one, and whoever repeats it is not repeated.
        fields["Content-Length"] = length.map(String.init)
        if let whole = response.body.whole {
            metrics.sent(whole.count)
            if request.method != .head && response.status != 304 { fields["Content-Length"] = nil }
            return ListenerResponse(status: response.status, fields: fields, body: whole)
        }
        let body = HTTPBody(CountedBody(response.body, metrics))
        return ListenerResponse(status: response.status, fields: fields, stream: body, length: length)
    }

    private func refuse(_ refusal: ProxyRefusal) -> ListenerResponse {
        metrics.answered(refusal.status, .none)
        return refusal.response
    }
}

extension HTTPRequest {
    /// RFC 9110 §7.6.2: OPTIONS and TRACE say how far they may go.
    fileprivate func oneHopFewer() throws(ProxyRefusal) -> HTTPRequest {
        guard ["OPTIONS", "TRACE"].contains(method.rawValue), let hops = fields["Max-Forwards"]?.asDigits else {
            return self
        }
        guard hops > 0 else { throw ProxyRefusal(method.rawValue == "OPTIONS" ? 200 : 405, "The request ends here.") }
        var fewer = self
        fewer.fields["Max-Forwards"] = String(hops - 1)
        return fewer
    }
}

/// Counts what goes to the client.
private final class CountedBody: HTTPBodySource {
    private let body: HTTPBody
    private let metrics: ProxyMetrics

    init(_ body: HTTPBody, _ metrics: ProxyMetrics) {
        self.body = body
        self.metrics = metrics
    }

    func next() async throws(TransportError) -> Data? {
        // A body that arrives keeps its place itself: a new iterator goes on where the last one was.
        var chunks = body.makeAsyncIterator()
        let chunk = try await chunks.next()
        if let chunk { metrics.sent(chunk.count) }
        return chunk
    }
}
