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
        rules.fieldsInKey.formUnion(fields.map { $0.lowercased() })
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
        let scheme = url.scheme?.lowercased()
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
