import CalotypeBase
import CalotypeHTTP
import Foundation

/// Responds to the cache of results: makes each missing rendition once for all requests that wait for it. The request's
/// subject is the rendition; its URL is a placeholder.
///
/// This transport works below an HTTP cache, which stores and coalesces the results, answers conditions and ranges, and
/// revalidates a rendition by its entity tag when it may have changed.
struct RenditionTransport: Transport {
    private let maker: RenditionMaker
    private let metrics: ServerMetrics
    private let purges: PurgeList
    private let flights = Coordinator<ByteString, Never, MadeRendition, ServerError>(
        cancelled: .cancelled, startsInPlace: true)

    init(_ maker: RenditionMaker, _ basis: ServerBasis) {
        (self.maker, purges, metrics) = (maker, basis.purges, basis.metrics)
    }

    /// The digest of the server's watermark, or `nil` without one.
    var mark: ByteString? { maker.watermark?.digest }

    var work: RenditionWork { maker.work }

    /// The renditions that are being made.
    var queue: RenditionQueue { maker.queue }

    /// The number of requests that wait for renditions which the cache cannot share.
    var waiters: Int { flights.waiterCount }

    /// Returns the error for a rendition that no cache has and for which the queue has no room; `nil` if it would be
    /// made, or if another request's work would serve it, too.
    ///
    /// - Parameter client: The network of the client.
    func refusal(of rendition: Rendition, for client: ByteString) -> ServerError? {
        flights.isInFlight(flight(for: rendition, unless: "")) ? nil : maker.refusal(for: client)
    }

    /// Returns the key of the work for a rendition. Requests after a purge do not join the work of earlier ones.
    ///
    /// - Parameter known: The entity tag of the cached copy, or an empty text.
    private func flight(for rendition: Rendition, unless known: ByteString) -> ByteString {
        "\(purges.generation)\n\(known)\n\(rendition.key)"
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard let order = RenditionOrder.of(request) else {
            throw TransportError(.malformedRequest, "the request names no rendition")
        }
        let rendition = order.rendition
        let known = request.fields["If-None-Match"] ?? ""
        do throws(ServerError) {
            // Before tasks are started, which cost more than the refusal. A cached copy may turn out to be valid.
            if known.isEmpty, let refusal = refusal(of: rendition, for: order.client) {
                throw refusal
            }
            // Coalesces here as well: if the cache may not share a response, each request for it arrives here.
            let made = try await flights.value(for: flight(for: rendition, unless: known)) { [maker, metrics] _ in
                await order.reporting(to: metrics) { await maker.makeInTime(order, unless: known) }
            }
            return response(request, made)
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
        fields.protect()
        let status = made.failure?.status ?? 200
        return HTTPResponse(url: request.url, status: status, fields: fields, body: HTTPBody(file.data))
    }
}
