import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import CalotypeURLs

/// Decides about the head of a POST, before a byte of its body is read.
struct PostRules {
    let rules: ServingRules

    /// Returns what the path asks for.
    ///
    /// - Parameters:
    ///   - target: The target of the request without the server's prefix.
    ///   - now: The seconds since 1970.
    /// - Throws: 403 for a page of another origin, an invalid signature, or a URL that is neither signed for a time nor
    ///   accompanied by the token; 404 for an expired one; 400 if the path is no list of options.
    func admitted(
        _ request: ListenerRequest, _ target: ByteString, now: Double
    ) throws(RenditionError) -> PostedPath {
        guard permits(request) else {
            throw RenditionError(403, "pages of this origin may not send images to this server")
        }
        let hasToken = try checkToken(request.fields)
        let path = try rules.verifiedForPost(try SignedPath(target: target))
        let posted = try rules.grammar.posted(path, limit: rules.post.resultLimit)
        for result in posted.results {
            if let expires = result.expires {
                guard Double(expires) >= now else { throw RenditionError(404, "the URL has expired") }
            } else if rules.verifiesSignatures, !hasToken {
                throw RenditionError(403, "the URL of a POST needs exp, or the request the server's token for POST")
            }
        }
        return posted
    }

    /// Returns `true` if the request has the token for POST.
    private func checkToken(_ fields: HTTPFields) throws(RenditionError) -> Bool {
        guard let token = rules.post.token else {
            try rules.token?.check(fields)
            return false
        }
        // A signed URL may have an expiry in its place.
        if rules.verifiesSignatures, !fields.contains("Authorization"), rules.token == nil { return false }
        try token.check(fields)
        return true
    }

    // MARK: Pages of other origins

    /// Whether the request comes from no page, from one of this server, or from one that the operator has named.
    func permits(_ request: ListenerRequest) -> Bool {
        let fields = request.fields
        if let origin = origin(of: request) { return permitsOrigin(origin) || isOwn(origin, of: request) }
        return !fields.values(of: "Sec-Fetch-Site").contains { $0.lowercasedASCII == "cross-site" }
            && !fields.contains("Origin")
    }

    /// Returns the one value of Origin, or `nil` if there is none or more than one.
    func origin(of request: ListenerRequest) -> ByteString? {
        let origins = request.fields.values(of: "Origin")
        return origins.count == 1 ? origins[0] : nil
    }

    func permitsOrigin(_ origin: ByteString) -> Bool {
        rules.post.origins.contains("*") || rules.post.origins.contains(origin.lowercasedASCII)
    }

    /// Whether an origin is the server, as the client names it: behind a proxy, the scheme is unknown.
    private func isOwn(_ origin: ByteString, of request: ListenerRequest) -> Bool {
        guard let host = request.fields["Host"]?.lowercasedASCII, !host.isEmpty else { return false }
        let origin = origin.lowercasedASCII
        return origin == "https://\(host)" || origin == "http://\(host)"
    }
}
