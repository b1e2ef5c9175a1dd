import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeURLs
import Foundation

/// Makes renditions. A request's cache key is the rendition's `resultKey(mark:)`; the request's URL is a placeholder.
///
/// This transport works below an HTTP cache, which stores and coalesces the results, answers conditions and ranges, and
/// revalidates a rendition by its entity tag when it may have changed.
struct RenditionTransport: Transport {
    /// The lifetime of the response if the source itself is at fault, in seconds.
    static let failureLifetime = 10

    private let local: LocalSources
    private let web: WebSources
    private let allowed: AllowedSources
    private let longestSide: Int
    private let maxAnimationPixels: Int
    private let watermark: WatermarkImage?
    private let clock: any Clock<Duration>
    let work = RenditionWork()
    private let flights = Coordinator<ByteString, Never, Made, RenditionFailure>(
        cancelled: .cancelled, startsInPlace: true)

    init(_ options: RenditionServer.Options, local: LocalSources, web: WebSources, _ watermark: WatermarkImage?) {
        self.local = local
        self.web = web
        allowed = options.allowed
        longestSide = options.maxResultSide
        maxAnimationPixels = options.maxAnimationPixels
        self.watermark = watermark
        clock = options.clock
    }

    /// A rendition, or the confirmation that the cached copy, named in If-None-Match, is still valid.
    private struct Made: Sendable {
        let tag: ByteString
        let lifetime: RenditionLifetime
        /// The value of Cache-Status from the cache of sources, or `nil` if the source did not come through that cache.
        let sourceStatus: ByteString?
        /// The file, or `nil` if ``tag`` is the tag in If-None-Match.
        let file: File?
        /// The reason why the file shows the fallback image, or `nil` if it shows the source.
        var failure: RenditionFailure?
    }

    private struct File: Sendable {
        let data: Data
        let mediaType: ByteString
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard let key = request.cacheKey, let rendition = try? RenditionRequest(resultKey: key) else {
            throw TransportError(.malformedRequest, "the request names no rendition")
        }
        let known = request.fields["If-None-Match"] ?? ""
        do throws(RenditionFailure) {
            // Coalesces here as well: if the cache may not share a response, each request for it arrives here.
            let made = try await flights.value(for: "\(known)\n\(key)") { _ in
                do throws(RenditionFailure) {
                    return .success(try await makeOrReplace(rendition, key, unless: known))
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

    private func response(_ request: HTTPRequest, _ made: Made) -> HTTPResponse {
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

    /// The number of requests that wait for renditions which the cache cannot share.
    var waiters: Int { flights.waiterCount }

    // MARK: Making

    /// Makes the rendition or, if its source fails, that of the fallback image, with the failure's status and lifetime.
    private func makeOrReplace(
        _ rendition: RenditionRequest, _ key: ByteString, unless known: ByteString
    ) async throws(RenditionFailure) -> Made {
        do throws(RenditionFailure) {
            return try await make(rendition, key, unless: known)
        } catch {
            guard error != .cancelled, !error.isOverload, let fallback = rendition.ofFallback else { throw error }
            do throws(RenditionFailure) {
                var made = try await make(fallback, fallback.resultKey(mark: watermark?.digest), unless: "")
                made.failure = error
                return made
            } catch {}
            throw error
        }
    }

    private func make(
        _ rendition: RenditionRequest, _ key: ByteString, unless known: ByteString
    ) async throws(RenditionFailure) -> Made {
        let found = try await find(rendition)
        let tag = entityTag(found.digest, rendition, key)
        let isKnown = known == tag
        return Made(
            tag: tag, lifetime: found.lifetime, sourceStatus: found.cacheStatus,
            file: isKnown ? nil : try await file(rendition, found))
    }

    /// Returns the entity tag without decoding: a hash of source, rendition, and all else that affects the pixels.
    private func entityTag(_ digest: String, _ rendition: RenditionRequest, _ key: ByteString) -> ByteString {
        let encoding = RenditionEncoding(options: rendition.options, accepted: rendition.accepted)
        let motion = encoding.keepsMotion ? "\(maxAnimationPixels)" : ""
        // The key contains the version of the decoders, and the watermark.
        let text: ByteString = "\(digest)\n\(longestSide)\n\(motion)\n\(key)"
        return "\"\(text.withBytes { KeyDigest.hex(of: $0) }.prefix(32))\""
    }

    private func find(_ rendition: RenditionRequest) async throws(RenditionFailure) -> FoundSource {
        do {
            switch try RenditionSource(rendition.source, allowed: allowed) {
            case .local(let path): return try await local.find(path, byteLimit: rendition.options.maxSourceBytes)
            case .web(let url): return try await web.find(url)
            }
        } catch let error as ImageError {
            if error.code == .cancelled { throw .cancelled }
            throw RenditionFailure(error)
        } catch let error as SourceError {
            throw RenditionFailure(error)
        } catch let error as RenditionError {
            throw RenditionFailure(error.status, error.message)
        } catch {
            throw RenditionFailure(502, "the source cannot be loaded")
        }
    }

    private func file(
        _ rendition: RenditionRequest, _ found: FoundSource
    ) async throws(RenditionFailure) -> File {
        do throws(ImageError) {
            let demands = SourceDemands(options: rendition.options)
            if let unchanged = try await demands.check(found) {
                return File(data: unchanged.data, mediaType: ByteString(unchanged.format.mediaType))
            }
            let layout = RenditionLayout(rendition.options, longestSide: longestSide, watermark: watermark)
            work.beginsDecode()
            let encoding = RenditionEncoding(options: rendition.options, accepted: rendition.accepted, clock: clock)
            // Holds the memory of the whole rendition until the file is made.
            let image = try await found.image(layout, encoding: encoding.peakBytes(of:hasAlpha:))
            work.beginsEncode()
            let animation = RenditionAnimation(
                encoding: encoding, layout: layout.ofFrames, maxPixels: maxAnimationPixels)
            if let moving = try await animation.file(from: image, found.loader) {
                return File(data: moving, mediaType: ByteString(ImageFormat.webp.mediaType))
            }
            let file = try await encoding.file(of: image, found.loader)
            return File(data: file.data, mediaType: ByteString(file.format.imageFormat.mediaType))
        } catch {
            if error.code == .cancelled { throw .cancelled }
            throw RenditionFailure(error)
        }
    }
}

extension RenditionRequest {
    /// The rendition of the fallback image, or `nil` if the URL names none.
    fileprivate var ofFallback: RenditionRequest? {
        guard let fallback = options.fallback else { return nil }
        var options = options
        (options.fallback, options.hashsum) = (nil, nil)
        return RenditionRequest(source: fallback, options: options, accepted: accepted)
    }
}

/// Counts the decodes and encodes that have begun.
final class RenditionWork: Sendable {
    private let decoded = AtomicInteger(0)
    private let encoded = AtomicInteger(0)

    var decodes: Int { decoded.load() }
    var encodes: Int { encoded.load() }

    func beginsDecode() { _ = decoded.add(1) }
    func beginsEncode() { _ = encoded.add(1) }
}

extension RenditionFailure {
    static let cancelled = RenditionFailure(499, "cancelled")

    fileprivate var cacheControl: ByteString {
        isLasting ? "public, max-age=\(RenditionTransport.failureLifetime)" : "no-store"
    }

    var body: Data { Data("\(message)\n".utf8) }

    func fields(cacheControl: ByteString) -> HTTPFields {
        var fields: HTTPFields = [
            "Content-Type": "text/plain; charset=utf-8", "Cache-Control": cacheControl,
            "Content-Length": "\(body.count)",
        ]
        fields.protect()
        return fields
    }
}

extension HTTPFields {
    /// Adds fields that keep browsers from running a response as a document or script, and let other sites embed it.
    fileprivate mutating func protect() {
        self["X-Content-Type-Options"] = "nosniff"
        self["Content-Security-Policy"] = "default-src 'none'; sandbox"
        self["Cross-Origin-Resource-Policy"] = "cross-origin"
    }
}
