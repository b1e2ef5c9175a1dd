package import CalotypeBase
package import CalotypeHTTP

/// The caching rules of a response that also bind the responses which a gateway makes from it, such as thumbnails of an
/// image.
package struct DerivedCaching: Hashable, Sendable {
    /// Whether no cache may share the result: the response has `no-store` or `private` (RFC 9111 §5.2.2.5, §5.2.2.7).
    package let isUnshared: Bool
    /// The remaining lifetime that the origin states for private caches, in seconds, or `nil` if it states none, or the
    /// same as for this cache.
    package let privateLifetime: Double?
    /// The directives that the result repeats: `must-revalidate` and `proxy-revalidate`.
    package let directives: [ByteString]
    /// Whether the response has `immutable` (RFC 8246), which the result then states as well.
    package let isImmutable: Bool
    /// Whether the response has `s-maxage`, which the result then states as well.
    package let hasSharedLifetime: Bool
    /// Whether a cache may serve the result stale (RFC 9111 §4.2.4).
    package let mayBeStale: Bool
}

extension CacheRules {
    /// - Parameters:
    ///   - fields: The fields of a response of this cache, whose `Age` is that of now.
    ///   - now: The time, in seconds since 1970.
    package func derivedCaching(from fields: HTTPFields, now: Double) -> DerivedCaching {
        let own = directives(in: fields)
        let general = ResponseDirectives(fields.values(of: "Cache-Control"))
        let isUnshared = [own, general].contains { $0.forbidStoring(200) || $0.isPrivate != .absent }
        var demands: [ByteString] = []
        if own.mustRevalidate || general.mustRevalidate { demands.append("must-revalidate") }
        if own.proxyRevalidate || general.proxyRevalidate { demands.append("proxy-revalidate") }
        return DerivedCaching(
            isUnshared: isUnshared, privateLifetime: privateLifetime(from: fields, now: now), directives: demands,
            isImmutable: general.immutable, hasSharedLifetime: own.sharedMaxAge != nil,
            mayBeStale: demands.isEmpty && own.sharedMaxAge == nil)
    }

    /// Returns the remaining lifetime in a private cache, which ignores `s-maxage` and CDN-Cache-Control.
    private func privateLifetime(from fields: HTTPFields, now: Double) -> Double? {
        let stored = StoredResponse(
            url: "", method: .get, status: 200, fields: fields, requestTime: now, responseTime: now, varying: [],
            bodyLength: 0, part: nil)
        let freshness = CacheRules.private.freshness(of: stored, now: now), own = self.freshness(of: stored, now: now)
        // Two lifetimes of the same response differ by what the origin states, and never by a part of a second.
        if freshness.ttl == own.ttl, freshness.needsValidation == own.needsValidation { return nil }
        if freshness.needsValidation { return 0 }
        return freshness.source.isExplicit ? max(0, freshness.ttl) : nil
    }
}
