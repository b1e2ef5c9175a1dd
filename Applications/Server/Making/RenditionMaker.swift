import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeURLs
import Foundation

/// Makes the file of a rendition: finds the source, and decodes, changes and encodes its image.
struct RenditionMaker: Sendable {
    private let local: LocalSources
    private let web: WebSources
    private let allowed: AllowedSources
    private let longestSide: Int
    private let maxAnimationPixels: Int
    private let watermark: WatermarkImage?
    private let clock: any Clock<Duration>
    let work = RenditionWork()

    init(_ options: RenditionServer.Options, local: LocalSources, web: WebSources, _ watermark: WatermarkImage?) {
        self.local = local
        self.web = web
        allowed = options.allowed
        longestSide = options.maxResultSide
        maxAnimationPixels = options.maxAnimationPixels
        self.watermark = watermark
        clock = options.clock
    }

    /// Makes the rendition or, if its source fails, that of the fallback image, with the failure's status and lifetime.
    ///
    /// - Parameter known: The entity tag of the cached copy, or an empty text.
    func makeOrReplace(
        _ targeted: TargetedRendition, unless known: ByteString
    ) async throws(ServerError) -> MadeRendition {
        do throws(ServerError) {
            return try await make(targeted.rendition, targeted.key, unless: known)
        } catch {
            guard error != .cancelled, !error.isOverload, let fallback = targeted.rendition.ofFallback else {
                throw error
            }
            do throws(ServerError) {
                var made = try await make(fallback, fallback.resultKey(mark: watermark?.digest), unless: "")
                made.failure = error
                return made
            } catch {}
            throw error
        }
    }

    private func make(
        _ rendition: RenditionRequest, _ key: ByteString, unless known: ByteString
    ) async throws(ServerError) -> MadeRendition {
        let found = try await find(rendition)
        let tag = entityTag(found.digest, rendition, key)
        let isKnown = known == tag
        return MadeRendition(
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

    private func find(_ rendition: RenditionRequest) async throws(ServerError) -> FoundSource {
        let source: RenditionSource
        do throws(RenditionError) { source = try RenditionSource(rendition.source, allowed: allowed) } catch {
            throw ServerError(error)
        }
        switch source {
        case .local(let path): return try await local.find(path, byteLimit: rendition.options.maxSourceBytes)
        case .web(let url):
            do throws(ImageError) { return try await web.find(url) } catch { throw ServerError(error) }
        }
    }

    private func file(
        _ rendition: RenditionRequest, _ found: FoundSource
    ) async throws(ServerError) -> MadeRendition.File {
        do throws(ImageError) {
            let demands = SourceDemands(options: rendition.options)
            if let unchanged = try await demands.check(found) {
                return MadeRendition.File(data: unchanged.data, mediaType: ByteString(unchanged.format.mediaType))
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
                return MadeRendition.File(data: moving, mediaType: ByteString(ImageFormat.webp.mediaType))
            }
            let file = try await encoding.file(of: image, found.loader)
            return MadeRendition.File(data: file.data, mediaType: ByteString(file.format.imageFormat.mediaType))
        } catch {
            throw ServerError(error)
        }
    }
}

/// A rendition, or the confirmation that the cached copy is still valid.
struct MadeRendition: Sendable {
    struct File: Sendable {
        let data: Data
        let mediaType: ByteString
    }

    let tag: ByteString
    let lifetime: RenditionLifetime
    /// The value of Cache-Status from the cache of sources, or `nil` if the source did not come through that cache.
    let sourceStatus: ByteString?
    /// The file, or `nil` if ``tag`` is that of the cached copy.
    let file: File?
    /// The reason why the file shows the fallback image, or `nil` if it shows the source.
    var failure: ServerError?
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
