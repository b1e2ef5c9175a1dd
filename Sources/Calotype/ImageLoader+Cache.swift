import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import Foundation
import ResourceProvider

// The HTTP cache, seen from the loader: mounted below what answers `http:` and `https:`, over the disk store.

extension ImageLoaderOptions {
    /// Nil where there is no store to keep anything in.
    func makeCache() -> HTTPCache? {
        guard let diskStore else { return nil }
        let fields = identityFields
        let tell = onProblem
        // No memory of its own: the loader remembers what was made of the bytes.
        let store = DiskHTTPCacheStore(diskStore, memory: 0) { problem in
            tell?(LoaderProblem(message: "a stored answer was removed: \(problem)", underlying: nil))
        }
        var rules = cacheRules
        rules.fieldsInKey.formUnion(fields)
        return HTTPCache(
            rules: rules, store: store, wallClock: wallClock,
            partition: { Digest.identity(of: $0.fields, names: fields).map { "identity \($0)" } ?? "" },
            onProblem: { tell?(LoaderProblem(message: "the disk store failed: \($0)", underlying: $0)) })
    }

    func makeTransport(_ cache: HTTPCache?) -> any Transport {
        if let transportAroundCache { return transportAroundCache(cache) }
        guard let transport else { return StandardTransport.make(cache: cache) }
        guard let cache else { return transport }
        return WebCached(web: cached(transport, in: cache), others: transport)
    }

    private func cached(_ transport: some Transport, in cache: HTTPCache) -> any Transport {
        transport.cached(in: cache)
    }
}

extension ImageLoader {
    /// What is stored and may be used without asking anybody. Waits for no place among the downloads.
    func atHand(_ job: Job) async throws(ImageError) -> Original? {
        if job.request.source.isCustom { return await stored(job) }
        guard cache != nil, var http = job.request.source.web else { return nil }
        http = http.named(job.request.cacheKey)
        http.credentialFields = options.identityFields
        http.cachePolicy = job.request.policy.readsExpired ? .storedOnly : .storedByProtocol
        do throws(ImageError) {
            let answer = try await exchanged(http) { _ in }
            return Original(answer)
        } catch {
            // A stored answer that is no success is one: what was not there is not asked for again so soon.
            if error.code == .badStatus || error.code == .cancelled { throw error }
            return nil
        }
    }

    /// The request as it goes down to the cache and the wire.
    func wired(
        _ request: HTTPRequest, _ job: Job, _ key: OriginalFlightKey, _ consent: StorageConsent?
    ) -> HTTPRequest {
        var wired = request.named(job.request.cacheKey)
        wired.credentialFields = options.identityFields
        if wired.isWeb, wired.fields["Accept"] == nil { wired.fields["Accept"] = accept }
        if job.request.policy.asksOrigin, wired.isWeb, wired.fields["Cache-Control"] == nil {
            wired.fields["Cache-Control"] = "no-cache"
        }
        guard cache != nil else { return wired }
        wired.storageConsent = consent
        wired.cachePolicy = key.readsDisk ? .useProtocol : .reload
        // RFC 9111 §5.2.1.1: nothing that is older than this very moment.
        if key.isConfirming, wired.fields["Cache-Control"] == nil { wired.fields["Cache-Control"] = "max-age=0" }
        return wired
    }

    /// Sees to it that the bytes are kept if one of those who share them wants it, whoever does the work.
    func original(
        _ job: Job, _ key: OriginalFlightKey,
        _ load: (StorageConsent?) async throws(ImageError) -> Original
    ) async throws(ImageError) -> Original {
        guard options.diskStore != nil else { return try await load(nil) }
        let consent = consents.join(key, giving: wantsOriginalKept(job))
        defer { consents.leave(key) }
        let original = try await load(consent)
        await keep(original, job)
        return original
    }
}

/// A transport of the user's own: what it brings over the web passes through the cache, files and the like do not.
private struct WebCached: Transport {
    let web: any Transport
    let others: any Transport

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

    /// Until `leave`, all who join the download of `key` share one consent.
    func join(_ key: OriginalFlightKey, giving: Bool) -> StorageConsent {
        let consent = table.withLock { table in
            let (consent, users) = table[key] ?? (StorageConsent(), 0)
            table[key] = (consent, users + 1)
            return consent
        }
        if giving { consent.give() }
        return consent
    }

    func leave(_ key: OriginalFlightKey) {
        table.withLock { table in
            guard let (consent, users) = table[key] else { return }
            table[key] = users > 1 ? (consent, users - 1) : nil
        }
    }
}
