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
    private let flights = Coordinator<ByteString, Never, MadeRendition, ServerError>(
        cancelled: .cancelled, startsInPlace: true)

    init(_ options: RenditionServer.Options, local: LocalSources, web: WebSources, _ watermark: WatermarkImage?) {
        maker = RenditionMaker(options, local: local, web: web, watermark)
    }

    var work: RenditionWork { maker.work }

    /// The number of requests that wait for renditions which the cache cannot share.
    var waiters: Int { flights.waiterCount }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard let targeted = request.subject?.value as? TargetedRendition else {
            throw TransportError(.malformedRequest, "the request names no rendition")
        }
        let known = request.fields["If-None-Match"] ?? ""
        do throws(ServerError) {
            // Coalesces here as well: if the cache may not share a response, each request for it arrives here.
            let made = try await flights.value(for: "\(known)\n\(targeted.key)") { [maker] _ in
                do throws(ServerError) {
                    return .success(try await maker.makeOrReplace(targeted, unless: known))
                } catch {
                    return .failure(error)
                }
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
