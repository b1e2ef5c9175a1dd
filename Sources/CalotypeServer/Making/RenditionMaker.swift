import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeURLs

/// Makes the files of renditions. Read from its top to its end, this file has the order of the work, and where each limit
/// applies: deadline, room in the queue, source, entity tag, place in the queue, demands, layout, decode, encode.
struct RenditionMaker: Sendable {
    let sources: ServerSources
    let settings: ResultSettings
    let watermark: WatermarkImage?
    let clock: any Clock<Duration>
    let deadline: Duration
    let failures: SourceFailures
    let drawings: DrawingBudgets
    let queue: RenditionQueue
    let metrics: ServerMetrics
    let work = RenditionWork()
    /// The decodes that several results share; `nil` if each has its own.
    let shared: SharedDecodes?

    init(_ options: MakingOptions, _ sources: ServerSources, _ basis: ServerBasis) {
        self.sources = sources
        settings = ResultSettings(options)
        watermark = options.mark
        (clock, metrics) = (basis.clock, basis.metrics)
        deadline = options.deadline
        failures = SourceFailures(
            lifetime: options.failureMemory, wallClock: basis.wallClock, purges: basis.purges)
        drawings = DrawingBudgets(clock: basis.clock)
        queue = RenditionQueue(limit: options.queueLimit, threads: basis.loading.codecThreads, clock: basis.clock)
        shared = options.sharesDecodes ? SharedDecodes(in: queue, counting: work, clock: basis.clock) : nil
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

    // MARK: Deadline, replacement, repetition

    /// Makes the rendition or its replacement, or fails with `late` at the deadline.
    ///
    /// - Parameter known: The entity tag of the cached copy, or an empty text.
    func makeInTime(_ order: RenditionOrder, unless known: ByteString) async -> Result<MadeRendition, ServerError> {
        let terms = RenditionTerms(asker: order.asker, time: RenditionTime(deadline, clock: clock))
        return await Result(awaiting: { () async throws(ServerError) in
            try await terms.time.limited { () async throws(ServerError) in
                work.begins()
                defer { work.ends() }
                return try await makeOrReplace(order.rendition, unless: known, under: terms)
            }
        })
    }

    /// Makes the rendition or, if its source fails, that of the fallback image, with the failure's status and lifetime.
    private func makeOrReplace(
        _ rendition: Rendition, unless known: ByteString, under terms: RenditionTerms
    ) async throws(ServerError) -> MadeRendition {
        do throws(ServerError) {
            return try await make(rendition, unless: known, under: terms)
        } catch {
            guard error != .cancelled, !error.isOverload, let fallback = rendition.fallback else { throw error }
            do throws(ServerError) {
                var made = try await make(fallback, unless: "", under: terms)
                made.failure = error
                return made
            } catch let second { throw error.adding(ofFallback: second) }
        }
    }

    /// The number of times that a source may be replaced, or purged, before its bytes are read.
    private static let attempts = 3

    private func make(
        _ rendition: Rendition, unless known: ByteString, under terms: RenditionTerms
    ) async throws(ServerError) -> MadeRendition {
        // A cached result may turn out to be valid, for which nothing is made.
        if known.isEmpty { try queue.checkRoom(for: terms.asker.network, within: terms.time) }
        for _ in 1..<Self.attempts {
            do throws(ServerError) {
                return try await makeOnce(rendition, unless: known, under: terms)
            } catch {
                // The source has been replaced, or purged, since it was found: look it up again.
                guard error == .changed else { throw error }
            }
        }
        return try await makeOnce(rendition, unless: known, under: terms)
    }

    // MARK: Source, entity tag, known answer, place in the queue

    private func makeOnce(
        _ rendition: Rendition, unless known: ByteString, under terms: RenditionTerms
    ) async throws(ServerError) -> MadeRendition {
        // Before the source is looked for, so that a decode of it waits for this rendition.
        let sharing = shared.flatMap { shared in
            canShareDecode(rendition)
                ? SharingTerms(time: terms.time, arrival: shared.arrivals.expect(at: rendition.source.url)) : nil
        }
        defer { sharing?.arrival.remove() }
        let found = try await WorkReport.timing(.fetch, by: clock) { () async throws(ServerError) in
            try await find(rendition, for: terms.asker)
        }
        let tag = entityTag(of: rendition, found)
        var made = MadeRendition(tag: tag, lifetime: found.lifetime, sourceStatus: found.cacheStatus)
        if let route = DecodeRoute(inTag: known), known == entityTag(of: rendition, found, by: route) {
            // The cached copy was drawn from a bitmap that it shared with others.
            made.tag = known
        } else if tag != known {
            let file = try await file(rendition, found, under: terms, sharing)
            if let route = file.route { made.tag = entityTag(of: rendition, found, by: route) }
            made.file = file
        }
        return made
    }

    /// Whether the rendition can be drawn from a bitmap that it shares with other sizes.
    private func canShareDecode(_ rendition: Rendition) -> Bool {
        let options = rendition.options
        return options.info == nil && !SourceDemands(options: options, terms: DecodeTerms()).readsBytes
            && layout(of: rendition).canShareDecode
    }

    private func find(
        _ rendition: Rendition, for asker: RenditionAsker
    ) async throws(ServerError) -> FoundSource {
        let source = rendition.source, limit = rendition.options.maxSourceBytes
        // The failures of a file are those of its bytes, which have yet to be found.
        guard !source.isLocal else { return try await sources.find(source, byteLimit: limit, for: asker) }
        try failures.check(source.url, for: rendition.options)
        return try await failures.noting([.source, .image], of: source.url) { () async throws(ServerError) in
            try await sources.find(source, byteLimit: limit, for: asker)
        }
    }

    /// Returns the entity tag without decoding.
    private func entityTag(of rendition: Rendition, _ found: FoundSource, by route: DecodeRoute? = nil) -> ByteString {
        settings.entityTag(of: rendition, from: found.digest, encoding(of: rendition), by: route)
    }

    /// - Throws: `changed` if the source has been replaced, or purged, since it was found.
    private func file(
        _ rendition: Rendition, _ found: FoundSource, under terms: RenditionTerms, _ sharing: SharingTerms?
    ) async throws(ServerError) -> MadeRendition.File {
        let isLocal = rendition.source.isLocal
        let name = isLocal ? ByteString(found.digest) : rendition.source.url
        if isLocal { try failures.check(name, for: rendition.options) }
        return try await queue.run(for: terms.asker.network, within: terms.time) { (turn) async throws(ServerError) in
            try await failures.noting([.image], of: name) { () async throws(ServerError) in
                let decoding = DecodeTerms(
                    timeLeft: { terms.time.left }, drawings: drawings.budget(of: found.host), turn: turn)
                return try await newFile(rendition, found, under: decoding, turn, sharing: sharing)
            }
        }
    }

    // MARK: Demands, layout, decode, encode

    /// - Parameter sharing: The terms on which other results may share the decode; `nil` (the default) if none may.
    func newFile(
        _ rendition: Rendition, _ found: FoundSource, under terms: DecodeTerms, _ turn: RenditionQueue.Turn,
        sharing: SharingTerms? = nil
    ) async throws(ServerError) -> MadeRendition.File {
        var hasDecoded = false
        do throws(ImageError) {
            let source: FoundSource
            switch try await SourceDemands(options: rendition.options, terms: terms).check(found) {
            case .unchanged(let data, let format):
                let facts = SourceFacts(format: ByteString(format.rawValue), bytes: data.count)
                return MadeRendition.File(data: data, mediaType: ByteString(format.mediaType), source: facts)
            case .image(let checked): source = checked
            }
            if let facts = rendition.options.info {
                return try await FactsMaking(options: facts, terms: terms, work: work, clock: clock).file(
                    of: source, turn)
            }
            let result = SharedResult(layout: layout(of: rendition), encoding: encoding(of: rendition))
            let drawn = try await WorkReport.timingDecode(by: clock) { (begins) async throws(ImageError) in
                try await image(
                    for: result, of: source, at: rendition.source.url, under: terms, turn, sharing, onStart: begins)
            }
            hasDecoded = true
            // Another rendition's turn may have decoded the image.
            try await WorkReport.timing(.queue, by: clock) { () async throws(ImageError) in
                do throws(Interruption) { try await turn.takeForEncoding() } catch { throw .cancelled }
            }
            work.beginsEncode(isShared: drawn.header != nil)
            countGainMap(of: drawn.image.bitmap)
            return try await WorkReport.timing(.encode, by: clock) { () async throws(ImageError) in
                try await drawn.file(of: result, source, maxAnimation: settings.maxAnimationPixels, under: terms)
            }
        } catch {
            // Of an animation, a later frame is at fault, which other renditions may leave out.
            throw hasDecoded ? ServerError(error).ofOneRendition : ServerError(error)
        }
    }

    func countGainMap(of bitmap: Bitmap) {
        guard bitmap.gainMap != nil || bitmap.gainMapFault != nil else { return }
        metrics.foundGainMap(bitmap.gainMapFault?.rawValue ?? "kept")
    }

    /// Decodes the image of the result, together with that of others if they may share it.
    private func image(
        for result: SharedResult, of source: FoundSource, at url: ByteString, under terms: DecodeTerms,
        _ turn: RenditionQueue.Turn, _ sharing: SharingTerms?, onStart: @escaping @Sendable () -> Void
    ) async throws(ImageError) -> SharedImage {
        if let shared, let sharing, let drawings = terms.drawings,
            let image = try await shared.image(
                for: result, of: source, at: url, drawings: drawings, turn, under: sharing, onStart: onStart)
        {
            return image
        }
        work.beginsDecode()
        // Holds the memory of the whole rendition until the file is made.
        let peak = RenditionPeak(layout: result.layout, encoding: result.encoding)
        return SharedImage(
            image: try await source.image(result.layout, encoding: peak.memory, under: terms, onStart: onStart))
    }

    func layout(of rendition: Rendition) -> RenditionLayout {
        RenditionLayout(
            rendition.options, longestSide: settings.limits.side, maxPixels: settings.limits.pixels,
            watermark: watermark, gainMapSide: encoding(of: rendition).gainMapSide, gamut: settings.gamut)
    }

    func encoding(of rendition: Rendition) -> RenditionEncoding {
        RenditionEncoding(
            options: rendition.options, accepted: rendition.request.accepted, encoders: settings.encoders,
            keepsGainMaps: settings.keepsGainMaps, clock: clock)
    }
}
