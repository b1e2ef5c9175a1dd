import CalotypeHTTP
import CalotypeHTTPCache

/// The record of the redirects behind an image: its freshness is the least of all responses that led to it.
///
/// The record is part of the request, so that a retry, which begins with the original URL, begins with an empty record.
extension ImageLoaderOptions {
    /// Decides as `redirect`, and records each redirect in the request that follows it.
    var recordingRedirects: @Sendable (HTTPRequest, HTTPResponse) async -> HTTPRequest? {
        { [redirect, cacheRules, wallClock] next, head in
            let redirects = next.redirects + [cacheRules.redirect(head, to: next, now: wallClock.now)]
            var decided: HTTPRequest? = if let redirect { await redirect(next, head) } else { next }
            decided?.redirects = redirects
            return decided
        }
    }
}

extension Transport {
    /// Puts the record of a request into its response. Apply it below the layer that follows redirects.
    func reportingRedirects() -> some Transport { RedirectReport(base: self) }
}

private struct RedirectReport<Base: Transport>: Transport {
    let base: Base

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard !request.redirects.isEmpty else { return try await base.send(request) }
        var response = try await base.send(request)
        response.redirects = request.redirects
        return response
    }
}

extension CacheRules {
    fileprivate func redirect(_ head: HTTPResponse, to next: HTTPRequest, now: Double) -> RedirectOutcome {
        var outcome = head.cacheOutcome ?? self.outcome(of: head, to: next, requestTime: now, responseTime: now)
        // RFC 9111 §4.2.2 has no heuristic for 302, 303 and 307. The program's own default applies to them all the same.
        if !outcome.isExplicit, defaultLifetime > .zero {
            let end = max(outcome.freshUntil ?? 0, now + defaultLifetime / .seconds(1))
            (outcome.freshUntil, outcome.usableWhileRevalidatingUntil) = (end, end)
        }
        return RedirectOutcome(status: head.status, outcome)
    }
}
