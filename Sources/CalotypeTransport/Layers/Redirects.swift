import CalotypeBase
public import CalotypeHTTP
import Foundation

extension Transport {
    /// Follows redirects: 301, 302, 303, 307 and 308 with a `Location` (RFC 9110 §15.4).
    ///
    /// Follows redirects only to http and https; other schemes, above all `file:`, fail with `redirectRefused`.
    /// `Authorization`, `Cookie`, `Proxy-Authorization`, a user in the URL and the request's `credentialFields` are not
    /// sent to another origin, and a user in the redirect's URL is removed. As in browsers, a 303 (except to a HEAD)
    /// and a 301 or 302 to a POST lead to a GET without a body. The response has the last `url`.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of redirects in a row. One more fails with `tooManyRedirects`. The default is 10.
    ///   - decide: Called for each redirect with the next request and the head of the redirect. Returns the request to
    ///     send, or `nil` to fail with `redirectRefused`. By default, all redirects are followed.
    public func followingRedirects(
        limit: Int = 10, decide: (@Sendable (HTTPRequest, HTTPResponse) async -> HTTPRequest?)? = nil
    ) -> some Transport {
        RedirectingTransport(base: self, limit: limit, decide: decide)
    }
}

private struct RedirectingTransport<Base: Transport>: Transport {
    let base: Base
    let limit: Int
    let decide: (@Sendable (HTTPRequest, HTTPResponse) async -> HTTPRequest?)?

    private enum Answer {
        case final(HTTPResponse)
        case redirect(HTTPRequest, head: HTTPResponse)
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var request = request
        for _ in 0...max(limit, 0) {
            switch try await answer(to: request) {
            case .final(let response): return response
            case .redirect(let next, let head): request = try await decided(next, head)
            }
        }
        throw TransportError(.tooManyRedirects, "more than \(limit) redirects in a row")
    }

    /// Sends the request. A separate function, so that a redirect's response is released before the next exchange.
    private func answer(to request: HTTPRequest) async throws(TransportError) -> Answer {
        var response = try await base.send(request)
        guard let next = try request.redirected(by: response) else { return .final(response) }
        response.body = .empty
        return .redirect(next, head: response)
    }

    private func decided(_ next: HTTPRequest, _ head: HTTPResponse) async throws(TransportError) -> HTTPRequest {
        guard let decide else { return next }
        guard let request = await decide(next, head) else {
            throw TransportError(.redirectRefused, "the redirect was declined")
        }
        _ = try HTTPOrigin(request.url)
        return request
    }
}

extension HTTPRequest {
    /// Returns the request that follows the redirect, or `nil` if the response is not a redirect to follow.
    func redirected(by response: HTTPResponse) throws(TransportError) -> HTTPRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.fields["Location"] else {
            return nil
        }
        // A streaming body cannot be sent again.
        if upload != nil, !becomesGet(after: response.status) { return nil }
        var next = self
        next.url = try url.redirected(to: location)
        let isSameOrigin = try HTTPOrigin(url) == HTTPOrigin(next.url)
        next.url = next.url.withUser(of: isSameOrigin ? url : nil)
        next.rawTarget = nil
        next.trustsHost = false
        if becomesGet(after: response.status) { next.dropBody() }
        if !isSameOrigin { next.dropCredentials() }
        next.renewFieldsOfURL()
        return next
    }

    private func becomesGet(after status: Int) -> Bool {
        switch status {
        case 303: method != .head && method != .get
        case 301, 302: method == .post
        default: false
        }
    }

    private mutating func dropBody() {
        method = .get
        body = nil
        upload = nil
        for name: CaselessString in [
            "Content-Type", "Content-Encoding", "Content-Language", "Content-Location", "Content-Length",
        ] {
            fields[name] = nil
        }
    }

    private mutating func dropCredentials() {
        let credentials: [CaselessString] = ["Authorization", "Cookie", "Proxy-Authorization", "Host"]
        for name in credentials + credentialFields { fields[name] = nil }
    }
}

extension URL {
    fileprivate func redirected(to location: ByteString) throws(TransportError) -> URL {
        var shown: String { "\"\(location.withoutUserInfo.string.prefix(200))\"" }
        guard let target = URL(reference: location, relativeTo: self) else {
            throw TransportError(.redirectRefused, "the redirect's target is not a URL: \(shown)")
        }
        let scheme = CaselessString(target.scheme ?? "")
        guard scheme == "http" || scheme == "https" else {
            throw TransportError(.redirectRefused, "redirect to \"\(scheme.lowercased):\" refused")
        }
        guard target.host?.isEmpty == false else {
            throw TransportError(.redirectRefused, "the redirect's target has no host: \(shown)")
        }
        return target.inheritingFragment(of: self)
    }

    /// Returns the URL with the earlier URL's fragment, unless it has its own (RFC 9110 §10.2.2).
    private func inheritingFragment(of earlier: URL) -> URL {
        guard fragment == nil, let kept = earlier.fragment,
            var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        parts.fragment = kept
        return parts.url ?? self
    }
}
