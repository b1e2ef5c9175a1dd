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
    private let limits: RenditionLimits
    private let maxAnimationPixels: Int
    private let avifSpeed: Int
    let watermark: WatermarkImage?
    private let clock: any Clock<Duration>
    private let deadline: Duration
    private let failures: SourceFailures
    private let drawings: DrawingBudgets
    let queue: RenditionQueue
    let work = RenditionWork()

    init(_ options: MakingOptions, _ sources: ServerSources, _ basis: ServerBasis) {
        (local, web) = (sources.local, sources.web)
        limits = RenditionLimits(side: options.maxResultSide, pixels: options.maxResultPixels)
        maxAnimationPixels = options.maxAnimationPixels
        avifSpeed = options.avifSpeed
        watermark = options.watermark.map(WatermarkImage.init)
        clock = basis.clock
        deadline = options.deadline
        failures = SourceFailures(
            lifetime: options.failureMemory, wallClock: basis.wallClock, purges: basis.purges)
        drawings = DrawingBudgets(clock: basis.clock)
        queue = RenditionQueue(limit: options.queueLimit, threads: basis.loading.codecThreads, clock: basis.clock)
    }

    /// Returns the error with which a client's new rendition would fail now, because the queue has no room; `nil` if it has.
    func refusal(for client: ByteString) -> ServerError? {
        do throws(ServerError) {
            try queue.checkRoom(for: client, within: RenditionTime(deadline, clock: clock))
        } catch {
            return error
        }
        return nil
    }

    /// Makes the rendition or its replacement, or fails with `late` at the deadline.
    func makeInTime(
        _ order: RenditionOrder, unless known: ByteString
    ) async -> Result<MadeRendition, ServerError> {
        let terms = RenditionTerms(client: order.client, time: RenditionTime(deadline, clock: clock))
        return await Result(awaiting: { () async throws(ServerError) in
            try await terms.time.limited { () async throws(ServerError) in
                try await makeOrReplace(order.targeted, unless: known, under: terms)
            }
        })
    }

    /// Makes the rendition or, if its source fails, that of the fallback image, with the failure's status and lifetime.
    ///
    /// - Parameter known: The entity tag of the cached copy, or an empty text.
    private func makeOrReplace(
        _ targeted: TargetedRendition, unless known: ByteString, under terms: RenditionTerms
    ) async throws(ServerError) -> MadeRendition {
        work.begins()
        defer { work.ends() }
        do throws(ServerError) {
            return try await make(
                targeted.rendition, targeted.key, allowed: targeted.allowed, unless: known, under: terms)
        } catch {
            guard error != .cancelled, !error.isOverload, let fallback = targeted.rendition.ofFallback else {
                throw error
            }
            do throws(ServerError) {
                let key = fallback.resultKey(mark: watermark?.digest)
                var made = try await make(fallback, key, allowed: targeted.allowed, unless: "", under: terms)
                made.failure = error
                return made
            } catch {}
            throw error
        }
    }

    private func make(
        _ rendition: RenditionRequest, _ key: ByteString, allowed: AllowedSources, unless known: ByteString,
        under terms: RenditionTerms
    ) async throws(ServerError) -> MadeRendition {
        // A cached result may turn out to be valid, for which nothing is made.
        if known.isEmpty { try queue.checkRoom(for: terms.client, within: terms.time) }
        for _ in 1..<Self.attempts {
            do throws(ServerError) {
                return try await makeOnce(rendition, key, allowed: allowed, unless: known, under: terms)
            } catch {
                // The source has been replaced, or purged, since it was found: look it up again.
                guard error == .changed else { throw error }
            }
        }
        return try await makeOnce(rendition, key, allowed: allowed, unless: known, under: terms)
    }

    private func makeOnce(
        _ rendition: RenditionRequest, _ key: ByteString, allowed: AllowedSources, unless known: ByteString,
        under terms: RenditionTerms
    ) async throws(ServerError) -> MadeRendition {
        let found = try await WorkReport.timing(.fetch, by: clock) { () async throws(ServerError) in
            try await find(rendition, allowed)
        }
        let tag = entityTag(found.digest, rendition, key)
        let isKnown = known == tag
        return MadeRendition(
            tag: tag, lifetime: found.lifetime, sourceStatus: found.cacheStatus,
            file: isKnown ? nil : try await file(rendition, found, under: terms))
    }

    /// The number of times that a source may be replaced, or purged, before its bytes are read.
    private static let attempts = 3

    /// Returns the entity tag without decoding: a hash of source, rendition, and all else that affects the pixels.
    private func entityTag(_ digest: String, _ rendition: RenditionRequest, _ key: ByteString) -> ByteString {
        let encoding = encoding(of: rendition)
        let motion = encoding.keepsMotion ? "\(maxAnimationPixels)" : ""
        let speed = encoding.mayBeAVIF ? " \(avifSpeed)" : ""
        // The key contains the version of the decoders, and the watermark.
        let text: ByteString = "\(digest)\n\(limits.side) \(limits.pixels)\(speed)\n\(motion)\n\(key)"
        return "\"\(text.withBytes { KeyDigest.hex(of: $0) }.prefix(32))\""
    }

    private func encoding(of rendition: RenditionRequest) -> RenditionEncoding {
        RenditionEncoding(
            options: rendition.options, accepted: rendition.accepted, avifSpeed: avifSpeed, clock: clock)
    }

    private func find(_ rendition: RenditionRequest, _ allowed: AllowedSources) async throws(ServerError) -> FoundSource
    {
        let source: RenditionSource
        do throws(RenditionError) { source = try RenditionSource(rendition.source, allowed: allowed) } catch {
            throw ServerError(error)
        }
        switch source {
        case .local(let path): return try await local.find(path, byteLimit: rendition.options.maxSourceBytes)
        case .web(let url): return try await find(url, name: nil, for: rendition)
        case .object(let object): return try await find(object.url, name: object.name, for: rendition)
        }
    }

    /// - Parameter name: The name in the cache of sources; `nil` for that of the URL.
    private func find(
        _ url: URL, name: ByteString?, for rendition: RenditionRequest
    ) async throws(ServerError) -> FoundSource {
        try failures.check(rendition.source, for: rendition.options)
        return try await failures.noting([.source, .image], of: rendition.source) { () async throws(ServerError) in
            do throws(ImageError) { return try await web.find(url, name: name) } catch { throw ServerError(error) }
        }
    }

    /// - Throws: `changed` if the source has been replaced, or purged, since it was found.
    private func file(
        _ rendition: RenditionRequest, _ found: FoundSource, under terms: RenditionTerms
    ) async throws(ServerError) -> MadeRendition.File {
        let name = rendition.isLocal ? ByteString(found.digest) : rendition.source
        if rendition.isLocal { try failures.check(name, for: rendition.options) }
        return try await queue.run(for: terms.client, within: terms.time) { (turn) async throws(ServerError) in
            try await failures.noting([.image], of: name) { () async throws(ServerError) in
                let decoding = DecodeTerms(
                    timeLeft: { terms.time.left }, drawings: drawings.budget(of: found.host), turn: turn)
                return try await newFile(rendition, found, under: decoding, turn)
            }
        }
    }

    private func newFile(
        _ rendition: RenditionRequest, _ found: FoundSource, under terms: DecodeTerms, _ turn: RenditionQueue.Turn
    ) async throws(ServerError) -> MadeRendition.File {
        var hasDecoded = false
        do throws(ImageError) {
            let source: FoundSource
            switch try await SourceDemands(options: rendition.options, terms: terms).check(found) {
            case .unchanged(let data, let format):
                return MadeRendition.File(data: data, mediaType: ByteString(format.mediaType))
            case .image(let checked): source = checked
            }
            let layout = RenditionLayout(
                rendition.options, longestSide: limits.side, maxPixels: limits.pixels, watermark: watermark)
            work.beginsDecode()
            let encoding = encoding(of: rendition)
            // Holds the memory of the whole rendition until the file is made.
            let peak = RenditionPeak(layout: layout, encoding: encoding)
            let image = try await WorkReport.timingDecode(by: clock) { (begins) async throws(ImageError) in
                try await source.image(layout, encoding: peak.memory, under: terms, onStart: begins)
            }
            hasDecoded = true
            // Another rendition's turn may have decoded the image.
            try await WorkReport.timing(.queue, by: clock) { () async throws(ImageError) in
                do throws(Interruption) { try await turn.takeForEncoding() } catch { throw .cancelled }
            }
            work.beginsEncode()
            let animation = RenditionAnimation(
                encoding: encoding, layout: layout.ofFrames, maxPixels: maxAnimationPixels, terms: terms)
            return try await WorkReport.timing(.encode, by: clock) { () async throws(ImageError) in
                if let moving = try await animation.file(from: image, found.loader) {
                    return MadeRendition.File(data: moving, mediaType: ByteString(ImageFormat.webp.mediaType))
                }
                let file = try await encoding.file(of: image, found.loader)
                return MadeRendition.File(data: file.data, mediaType: ByteString(file.format.imageFormat.mediaType))
            }
        } catch {
            // Of an animation, a later frame is at fault, which other renditions may leave out.
            throw hasDecoded ? ServerError(error).ofOneRendition : ServerError(error)
        }
    }
}

/// Who asks for a rendition, and until when it is of use.
struct RenditionTerms: Sendable {
    /// The network of the client, for its part of the queue.
    let client: ByteString
    let time: RenditionTime
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
    var file: File?
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

/// Counts the decodes and encodes that have begun, and the renditions in progress.
final class RenditionWork: Sendable {
    private let traffic = Locked(TrafficPeak(least: 1))
    private let decoded = AtomicInteger(0)
    private let encoded = AtomicInteger(0)

    var decodes: Int { decoded.load() }
    var encodes: Int { encoded.load() }

    func beginsDecode() { _ = decoded.add(1) }
    func beginsEncode() { _ = encoded.add(1) }

    func begins() { traffic.withLock { $0.begin() } }
    func ends() { traffic.withLock { $0.end() } }

    /// Returns `true` once each time the renditions in progress have dropped to a quarter of their maximum.
    func hasCalmedDown() -> Bool { traffic.withLock { $0.hasCalmedDown() } }
}
