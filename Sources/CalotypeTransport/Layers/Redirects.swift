public import CalotypeHTTP
import Foundation

extension Transport {
    /// Follows redirects: 301, 302, 303, 307 and 308 with a `Location` (RFC 9110 §15.4).
    ///
    /// Only to http and https; anything else, `file:` above all, fails with `redirectRefused`. `Authorization`,
    /// `Cookie`, `Proxy-Authorization` and the request's `credentialFields` do not go along to another origin. After 303, and
    /// after 301 and 302 to a POST, a GET without body follows, as browsers do. The response's `url` is the last one.
    ///
    /// - Parameter limit: redirects in a row; one more fails with `tooManyRedirects`. 10 by default.
    public func followingRedirects(limit: Int = 10) -> some Transport {
        RedirectingTransport(base: self, limit: limit)
    }
}

private struct RedirectingTransport<Base: Transport>: Transport {
    let base: Base
    let limit: Int

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var request = request
        for _ in 0...max(limit, 0) {
            let response = try await base.send(request)
            guard let next = try request.redirected(by: response) else { return response }
            request = next
        }
        throw TransportError(.tooManyRedirects, "more than \(limit) redirects in a row")
    }
}

extension HTTPRequest {
    /// The request to which the response sends on; nil where it does not.
    func redirected(by response: HTTPResponse) throws(TransportError) -> HTTPRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.fields["Location"] else {
            return nil
        }
        // A body that was sent as it came cannot be sent again.
        if upload != nil, !becomesGet(after: response.status) { return nil }
        var next = self
        next.url = try url.redirected(to: location)
        next.rawTarget = nil
        if becomesGet(after: response.status) { next.dropBody() }
        if try HTTPOrigin(url) != HTTPOrigin(next.url) { next.dropCredentials() }
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
        guard let target = URL(reference: location, relativeTo: self) else {
            throw TransportError(
                .redirectRefused, "the redirect's target is not a URL: \"\(location.string.prefix(200))\"")
        }
        let scheme = CaselessString(target.scheme ?? "")
        guard scheme == "http" || scheme == "https" else {
            throw TransportError(.redirectRefused, "redirect to \"\(scheme.lowercased):\" refused")
        }
        guard target.host?.isEmpty == false else {
            throw TransportError(
                .redirectRefused, "the redirect's target names no host: \"\(location.string.prefix(200))\"")
        }
        return target.inheritingFragment(of: self)
    }

    /// RFC 9110 §10.2.2: the fragment stays unless the new location has one of its own.
    private func inheritingFragment(of earlier: URL) -> URL {
        guard fragment == nil, let kept = earlier.fragment,
            var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        parts.fragment = kept
        return parts.url ?? self
    }
}
