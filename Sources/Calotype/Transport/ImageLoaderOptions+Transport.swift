import CalotypeBase
import CalotypeHTTP
import CalotypeTransport
import Foundation

extension ImageLoaderOptions {
    func makeTransport(_ cache: ResponseCache, _ downloads: Downloads) -> any Transport {
        if let transport { return layered(downloads.limit(transport), cache) }
        guard let queue = downloads.queue else { return layered(downloads.limit(SystemTransport()), cache) }
        guard let transportLayers else { return layered(queue, cache) }
        return layered(transportLayers(queue), cache)
    }

    /// Adds the layers, from the innermost outward. The HTTP cache is above the limits: stored responses need no slot.
    private func layered(_ limited: some Transport, _ cache: ResponseCache) -> any Transport {
        withStandardLayers(cache.layered(withFixedLifetime(limited)).reportingRedirects())
            .besideLocalSchemes(others: withStandardLayers(limited), bodyLimit: bodyLimit)
    }

    private func withFixedLifetime(_ transport: some Transport) -> any Transport {
        guard let fixedLifetime else { return transport }
        return transport.overridingFreshness(Int(min(max(fixedLifetime / .seconds(1), 0), Double(1 << 31))))
    }

    private func withStandardLayers(_ transport: some Transport) -> some Transport {
        transport.withStandardLayers(
            retry: retry, bodyLimit: bodyLimit, clock: clock, redirectLimit: redirectLimit,
            redirect: recordingRedirects)
    }

    /// Returns a function that puts a caller's closure in place of the exchange.
    func customTransport(
        _ cache: ResponseCache, _ downloads: Downloads
    ) -> @Sendable (@escaping @Sendable () async throws -> Data) -> any Transport {
        { [storedLifetime] fetch in
            let closure = ClosureTransport(fetch: fetch, lifetime: storedLifetime)
            return cache.layered(downloads.limit(closure, takesToken: false))
        }
    }
}
