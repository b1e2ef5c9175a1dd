import CalotypeBase
import CalotypeHTTP
import Foundation

/// Responds to the cache of results: makes each missing rendition. The request's subject is the rendition; its URL is a
/// placeholder.
///
/// This transport works below an HTTP cache, which stores the results, shares them among all requests that wait for them,
/// answers conditions and ranges, and revalidates a rendition by its entity tag when it may have changed.
struct RenditionTransport: Transport {
    let maker: RenditionMaker
    let metrics: ServerMetrics

    init(_ maker: RenditionMaker, _ basis: ServerBasis) { (self.maker, metrics) = (maker, basis.metrics) }

    /// The digest of the server's watermark, or `nil` without one.
    var mark: ByteString? { maker.watermark?.digest }

    var work: RenditionWork { maker.work }

    /// The renditions that are being made.
    var queue: RenditionQueue { maker.queue }

    /// Returns the error with which a client's new rendition would fail now, because the queue has no room; `nil` if it has.
    func refusal(for client: ByteString) -> ServerError? { maker.refusal(for: client) }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard let order = RenditionOrder.of(request) else {
            throw TransportError(.malformedRequest, "the request names no rendition")
        }
        let known = request.fields["If-None-Match"] ?? ""
        do throws(ServerError) {
            // Before tasks are started, which cost more than the refusal. A cached copy may turn out to be valid.
            if known.isEmpty, let refusal = refusal(for: order.asker.network) { throw refusal }
            let made = await order.reporting(to: metrics) { await maker.makeInTime(order, unless: known) }
            return response(request, try made.get())
        } catch {
            guard error != .cancelled else { throw .cancelled }
            guard error.isLasting else { throw error.transportError }
            var fields = error.fields(cacheControl: error.cacheControl)
            fields.keep(reason: error.reason)
            return HTTPResponse(url: request.url, status: error.status, fields: fields, body: HTTPBody(error.body))
        }
    }

    private func response(_ request: HTTPRequest, _ made: MadeRendition) -> HTTPResponse {
        var fields: HTTPFields = ["ETag": made.tag, "Cache-Control": made.lifetime.cacheControl]
        if let failure = made.failure {
            fields = ["Cache-Control": failure.cacheControl]
            fields["Retry-After"] = failure.retryAfter.map { "\($0)" }
            fields.keep(reason: failure.reason)
        }
        fields["Cache-Status"] = made.sourceStatus
        guard let file = made.file else { return HTTPResponse(url: request.url, status: 304, fields: fields) }
        fields["Content-Type"] = file.mediaType
        fields["Content-Length"] = "\(file.data.count)"
        if let facts = file.source { fields.keep(facts) }
        if made.failure == nil, let excess = file.excess {
            fields["Calotype-Max-Bytes"] = "exceeded"
            fields.keep(reason: excess)
        }
        fields.protect()
        let status = made.failure?.status ?? 200
        return HTTPResponse(url: request.url, status: status, fields: fields, body: HTTPBody(file.data))
    }
}
