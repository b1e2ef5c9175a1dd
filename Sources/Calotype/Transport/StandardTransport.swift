import CalotypeBase
package import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTransport
import Foundation

/// A transport for `http`, `https`, `file` and `data` with retries, redirects, content decoding and a limit on bodies:
/// the one that an `ImageLoader` uses, for requests outside of a loader.
package enum StandardTransport {
    package static func make() -> any Transport {
        let exchange = SystemTransport().withStandardLayers(retry: .twice, bodyLimit: HTTPBody.standardLimit)
        return exchange.besideLocalSchemes(others: exchange, bodyLimit: HTTPBody.standardLimit)
    }
}

extension ImageLoaderOptions {
    /// The layers of a loader, for URLs of every scheme.
    func makeTransport(_ cache: HTTPCache?, _ slots: Limiter, _ budget: BodyBudget) -> any Transport {
        guard let exchange else { return layered(SystemTransport(), cache, slots, budget) }
        return layered(exchange, cache, slots, budget)
    }

    /// Read the layers from the innermost outward. The HTTP cache is above the slots: stored responses need no slot.
    private func layered(
        _ exchange: some Transport, _ cache: HTTPCache?, _ slots: Limiter, _ budget: BodyBudget
    ) -> any Transport {
        let limited = exchange.limited(to: slots, budget)
        let others =
            limited
            .withStandardLayers(
                retry: retry, bodyLimit: bodyLimit, clock: clock, redirectLimit: redirectLimit, redirect: redirect)
        guard let cache else { return others.besideLocalSchemes(others: others, bodyLimit: bodyLimit) }
        return
            limited
            .cached(in: cache)
            .withStandardLayers(
                retry: retry, bodyLimit: bodyLimit, clock: clock, redirectLimit: redirectLimit, redirect: redirect
            )
            .besideLocalSchemes(others: others, bodyLimit: bodyLimit)
    }

    /// Returns a function that puts a caller's closure in the place of the exchange.
    func customTransport(
        _ cache: HTTPCache?, _ slots: Limiter, _ budget: BodyBudget
    ) -> @Sendable (@escaping @Sendable () async throws -> Data) -> any Transport {
        { [storedLifetime] fetch in
            let closure = ClosureTransport(fetch: fetch, lifetime: storedLifetime)
                .limited(to: slots, budget, takesToken: false)
            guard let cache else { return closure }
            return closure.cached(in: cache)
        }
    }

    /// Creates the HTTP cache over the disk store, or returns `nil` if there is no store.
    func makeCache(_ diskStore: DiskStore?, _ budget: BodyBudget, _ problems: ProblemReports) -> HTTPCache? {
        guard let diskStore else { return nil }
        let fields = identityFields
        // Without a memory cache, since the loader caches the decoded images.
        let store = DiskHTTPCacheStore(diskStore, memory: 0) { problem in
            problems.report("a stored answer was removed: \(problem)", nil)
        }
        var rules = cacheRules
        rules.fieldsInKey.formUnion(fields)
        var cacheOptions = HTTPCacheOptions()
        cacheOptions.name = cacheName
        cacheOptions.bodyDigest = { BodyDigest.text(of: $0) }
        // The room limits all bodies in transfer.
        cacheOptions.gatheringLimit = .max
        // A slow reader holds bytes and must not wait for a slot: its body ends, and the loader requests it again.
        cacheOptions.servesSlowReaders = false
        cacheOptions.backgroundReader = { [limit = cacheOptions.bodyLimit] body, _ in
            await budget.read(body, limit: limit)
        }
        return HTTPCache(
            rules: rules, store: store, options: cacheOptions, wallClock: wallClock,
            partition: { Digest.identity(of: $0.fields, names: fields).map { "identity \($0)" } ?? "" },
            onProblem: { problems.report("the disk store failed: \($0)", $0) })
    }
}
