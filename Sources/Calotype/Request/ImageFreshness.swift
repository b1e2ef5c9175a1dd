import CalotypeHTTP

/// The times until which the memory cache may show an image: the least of all responses that led to it, a pure function of
/// them.
///
/// | a response | is fresh | may be shown during its revalidation |
/// |---|---|---|
/// | with a lifetime | until its end | within stale-while-revalidate |
/// | a failure or a temporary redirect without one | never (RFC 9111 §4.2.2) | never |
/// | another without one | for `assumed`, or for the lifetime that the HTTP cache guesses, if that is longer | always |
struct ImageFreshness: Equatable, Sendable {
    /// In seconds since 1970, as all times here.
    let freshUntil: Double
    let usableUntil: Double

    /// - Parameters:
    ///   - assumed: The lifetime of a response that states none, in seconds.
    ///   - now: The time at which the response arrived.
    init(of outcome: CacheOutcome, status: Int, assumed: Double, now: Double) {
        // A program's own store may return any times.
        let end = outcome.freshUntil.flatMap { $0.isNaN ? nil : $0 } ?? -.infinity
        let isTemporary = [302, 303, 307].contains(status)
        if outcome.isExplicit || isTemporary || status >= 400 {
            let usable = outcome.usableWhileRevalidatingUntil ?? -.infinity
            (freshUntil, usableUntil) = (end, usable.isNaN ? end : usable)
        } else {
            (freshUntil, usableUntil) = (max(end, now + assumed), .infinity)
        }
    }

    private init(_ freshUntil: Double, _ usableUntil: Double) {
        (self.freshUntil, self.usableUntil) = (freshUntil, usableUntil)
    }

    /// Returns the freshness of a chain of responses.
    func limited(by other: ImageFreshness) -> ImageFreshness {
        ImageFreshness(min(freshUntil, other.freshUntil), min(usableUntil, other.usableUntil))
    }
}

extension CacheOutcome {
    /// Returns the outcome with the freshness of the whole chain, for what another cache makes of the response.
    func limited(by redirects: [RedirectOutcome]) -> CacheOutcome {
        redirects.reduce(into: self) { chain, redirect in
            let (ours, theirs) = (chain, redirect.outcome)
            if theirs.source == .stale { chain.source = .stale }
            chain.freshUntil = ours.freshUntil.flatMap { end in theirs.freshUntil.map { min(end, $0) } }
            chain.usableWhileRevalidatingUntil = ours.usableWhileRevalidatingUntil.flatMap { end in
                theirs.usableWhileRevalidatingUntil.map { min(end, $0) }
            }
        }
    }
}
