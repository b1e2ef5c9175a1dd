import CalotypeConcurrency
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTransport
import Foundation

// The HTTP cache, seen from the loader: mounted below what answers `http:` and `https:`, over the disk store.

extension ImageLoaderOptions {
    /// Returns `nil` if there is no store to keep anything in.
    func makeCache(_ diskStore: DiskStore?, _ room: Room, _ problems: ProblemReports) -> HTTPCache? {
        guard let diskStore else { return nil }
        let fields = identityFields
        // No memory of its own: the loader remembers what was made of the bytes.
        let store = DiskHTTPCacheStore(diskStore, memory: 0) { problem in
            problems.report("a stored answer was removed: \(problem)", nil)
        }
        var rules = cacheRules
        rules.fieldsInKey.formUnion(fields)
        var cacheOptions = HTTPCacheOptions()
        cacheOptions.bodyDigest = { BodyDigest.text(of: $0) }
        // The room counts all bodies under way.
        cacheOptions.gatheringLimit = .max
        // What holds bytes waits for no place: it lets go of them, and the loader asks again.
        cacheOptions.servesSlowReaders = false
        cacheOptions.backgroundReader = { [limit = cacheOptions.bodyLimit] body, _ in
            await room.read(body, limit: limit)
        }
        return HTTPCache(
            rules: rules, store: store, options: cacheOptions, wallClock: wallClock,
            partition: { Digest.identity(of: $0.fields, names: fields).map { "identity \($0)" } ?? "" },
            onProblem: { problems.report("the disk store failed: \($0)", $0) })
    }

    /// The layers above the exchange that every request over the web passes.
    func makeTransport(_ cache: HTTPCache?, _ places: Limiter, _ room: Room) -> any Transport {
        guard let exchange else { return layered(StandardTransport.exchange(), cache, places, room) }
        return layered(exchange, cache, places, room)
    }

    private func layered(
        _ exchange: some Transport, _ cache: HTTPCache?, _ places: Limiter, _ room: Room
    ) -> any Transport {
        let placed = exchange.placed(in: places, room)
        guard let cache else { return complete(placed) }
        return complete(WebCached(web: placed.cached(in: cache), others: placed))
    }

    private func complete(_ web: some Transport) -> any Transport {
        LocalSchemes(
            web: web.withStandardLayers(retry: retry, bodyLimit: bodyLimit, clock: clock, redirect: redirect),
            bodyLimit: bodyLimit)
    }
}

extension ImageLoader {
    /// The request as it goes down to the cache and the wire; nil where there is nothing to ask.
    func outgoingRequest(_ job: Job, _ key: OriginalFlightKey, _ consent: StorageConsent?) -> HTTPRequest? {
        guard var request = cacheRequest(job) else { return nil }
        request.takesBodyLate = true
        request.allowsConstrainedNetwork = job.request.lowDataSource == nil
        request.credentialFields = options.identityFields
        request.storageConsent = consent
        request.cachePolicy = job.request.rules.inCache(reads: key.readsDisk)
        if !job.request.source.isLocal {
            if job.request.rules.asksOrigin {
                // Beside directives of the request's own, whatever they are.
                request.fields.append("no-cache", to: "Cache-Control")
            } else if key.isConfirming, cache != nil, request.fields["Cache-Control"] == nil {
                // RFC 9111 §5.2.1.1: nothing that is older than this very moment.
                request.fields["Cache-Control"] = "max-age=0"
            }
        }
        guard request.isWeb else { return request }
        let waits = job.request.waitsForConnectivity
        request.timeouts = timeouts(of: request, connectivity: waits ? options.connectivityTimeout : nil)
        if request.fields["Accept"] == nil { request.fields["Accept"] = accept }
        return request
    }

    /// The timeouts of a request over the web: its own, and the loader's where it has the standard ones.
    private func timeouts(of request: HTTPRequest, connectivity: Duration?) -> HTTPRequest.Timeouts {
        let (standard, ours) = (HTTPRequest.Timeouts(), options.timeouts)
        var timeouts = request.timeouts
        if timeouts.connect == standard.connect { timeouts.connect = ours.connect }
        if timeouts.idle == standard.idle { timeouts.idle = ours.idle }
        if timeouts.total == nil, timeouts.pace == nil {
            timeouts.pace = ours.pace ?? (ours.total == nil ? options.pace : nil)
        }
        timeouts.total = timeouts.total ?? ours.total
        timeouts.connectivity = timeouts.connectivity ?? connectivity
        // A body that waits for room is no slow server.
        timeouts.countsPauses = false
        return timeouts
    }

    /// The request under which the HTTP cache stores the original, or `nil` if it stores none.
    func cacheRequest(_ job: Job) -> HTTPRequest? {
        switch job.request.source.kind {
        case .http(let request): return request.named(job.request.cacheKey)
        case .custom:
            var custom = HTTPRequest(ImageLoader.customURL)
            custom.cacheKey = job.source
            return custom
        case .bytes, .nowhere: return nil
        }
    }

    /// Never asked: custom sources go by their keys.
    private static let customURL = URL(filePath: "/custom")

    /// The transport for a job. A custom source's closure takes a place and stands below the cache, as an exchange does.
    func transport(for job: Job) -> any Transport {
        guard case .custom(_, let fetch) = job.request.source.kind else { return transport }
        let source = SourceTransport(fetch: fetch, lifetime: options.storedLifetime)
            .placed(in: places, room, takesToken: false)
        guard let cache else { return source }
        return source.cached(in: cache)
    }

    /// Removes the stored original: on request, or because its bytes turned out to be no image.
    func removeOriginal(_ job: Job) async {
        guard let cache, let request = cacheRequest(job), request.isWeb || job.request.source.isCustom else { return }
        // In a separate task: the removal does not end with the caller's task, which may belong to a view that is torn down.
        await Task {
            do throws(ImageError) {
                await cache.removeStored(for: try await prepare(request))
            } catch {
                report("stored bytes were not removed, because the request could not be prepared: \(error)", error)
            }
        }.value
    }

    /// The request as `ImageLoaderOptions.prepare` makes it, if it goes over the web.
    func prepare(_ request: HTTPRequest) async throws(ImageError) -> HTTPRequest {
        guard let prepare = options.prepare, request.isWeb else { return request }
        let outcome: Result<HTTPRequest, ImageError>
        do {
            outcome = .success(try await prepare(request))
        } catch let error as ImageError {
            outcome = .failure(error)
        } catch {
            outcome = .failure(
                ImageError(
                    .preparationFailed, "the request could not be prepared: \(error)", url: request.url,
                    underlying: error))
        }
        // Whatever the closure made of the cancellation, it is one.
        if Task.isCancelled { throw .cancelled }
        let changed = try outcome.get()
        try ImageSource.request(changed).check(schemes: options.schemes)
        // A request that was created from the URL alone lacks what the loader says to the layers below.
        var prepared = request
        prepared.url = changed.url
        prepared.method = changed.method
        prepared.fields = changed.fields
        prepared.body = changed.body
        prepared.timeouts = timeouts(of: changed, connectivity: request.timeouts.connectivity)
        prepared.cacheKey = changed.cacheKey ?? request.cacheKey
        return prepared
    }

    /// Returns whether `prepare` has told the server who asks: the keys of memory do not know it.
    func isPersonal(_ prepared: HTTPRequest, _ job: Job) -> Bool {
        guard options.prepare != nil, let original = job.request.source.web else { return false }
        return options.identityFields.contains {
            prepared.fields.values(of: $0) != original.fields.values(of: $0)
        }
    }

    /// The part of the original that this request stores on disk.
    func storageExtent(_ job: Job) -> StorageConsent.Extent {
        guard diskStore != nil, job.request.caching.contains(.writeDisk) else { return .nothing }
        if options.storage.keepsOriginals, !options.storage.isAutomatic || job.isPlain { return .whole }
        // The head says whether the processed image may be shown.
        return options.storage.keepsPrints && !job.isPlain ? .head : .nothing
    }
}

extension CachePolicy {
    fileprivate func inCache(reads: Bool) -> HTTPCachePolicy {
        if !readsCaches { return .reload }
        if !reads { return .unstored }
        if !mayLoad { return .storedOnly }
        return readsExpired ? .storedElseLoad : .useProtocol
    }
}

/// Sends HTTP requests through the cache, and requests with other schemes past it.
private struct WebCached<Web: Transport, Others: Transport>: Transport {
    let web: Web
    let others: Others

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await request.isWeb ? web.send(request) : others.send(request)
    }
}

extension HTTPRequest {
    var isWeb: Bool {
        let scheme = url.caselessScheme
        return scheme == "http" || scheme == "https"
    }
}

/// Who of those that share a download wants its answer stored. One is enough.
final class StorageConsents: Sendable {
    private let table = Locked([OriginalFlightKey: (consent: StorageConsent, users: Int)]())

    /// Until `leave`, all who join the download of `key` share one consent: also those that read the store and those that do
    /// not, whose downloads are one in the HTTP cache.
    ///
    /// - Parameter isWithdrawn: Returns whether the source has been removed since the request came.
    func join(
        _ key: OriginalFlightKey, giving extent: StorageConsent.Extent,
        until isWithdrawn: @escaping @Sendable () -> Bool
    ) -> StorageConsent {
        let key = key.ofDownload
        let consent = table.withLock { table in
            let (consent, users) = table[key] ?? (StorageConsent(isWithdrawn: isWithdrawn), 0)
            table[key] = (consent, users + 1)
            return consent
        }
        consent.give(extent)
        return consent
    }

    func leave(_ key: OriginalFlightKey) {
        let key = key.ofDownload
        table.withLock { table in
            guard let (consent, users) = table[key] else { return }
            table[key] = users > 1 ? (consent, users - 1) : nil
        }
    }
}
