import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import CalotypeURLs

/// Finds the rendition that a client's request names: verifies and parses the request's target, or remembers it.
struct ClientTargets: Sendable {
    private let negotiated: AcceptedFormats
    private let enforced: AcceptedFormats
    private let prefix: ByteString
    private let mark: ByteString?
    private let wallClock: WallClock
    private let known: KnownTargets
    private let noteIgnored: @Sendable (String) -> Void
    private let metrics: ServerMetrics

    /// - Parameter mark: The digest of the server's watermark.
    init(_ options: ServingOptions, mark: ByteString?, _ basis: ServerBasis) {
        (negotiated, enforced) = (options.negotiated.union(options.enforced), options.enforced)
        (prefix, noteIgnored, self.mark) = (options.pathPrefix, options.noteIgnored, mark)
        (known, metrics, wallClock) = (basis.known, basis.metrics, basis.wallClock)
    }

    /// Returns the rendition of a request whose target has been verified and parsed, now or earlier.
    func rendition(for request: ListenerRequest) throws(RenditionError) -> Rendition {
        guard request.target.utf8.count <= 8192 else { throw RenditionError(414, "the URL is longer than 8192 bytes") }
        try known.rules.token?.check(request.fields)
        guard let target = own(request.target) else {
            throw RenditionError(404, "the path does not begin with \(prefix)")
        }
        let name = KnownTargets.Name(
            target: target,
            accept: negotiated.isEmpty ? [] : request.fields.values(of: "Accept"))
        let rendition = if let known = known[name] { known } else { try parsed(name, known.rules) }
        if let expires = rendition.options.expires, Double(expires) < wallClock.now {
            throw RenditionError(404, "the URL has expired")
        }
        return rendition
    }

    // MARK: Images by POST

    /// Returns what a POST asks for, once its head has been verified and parsed.
    func posted(_ request: ListenerRequest) throws(RenditionError) -> PostedPath {
        guard request.target.utf8.count <= 8192 else { throw RenditionError(414, "the URL is longer than 8192 bytes") }
        guard let target = own(request.target) else {
            throw RenditionError(404, "the path does not begin with \(prefix)")
        }
        let posted = try PostRules(rules: known.rules).admitted(request, target, now: wallClock.now)
        note(posted.ignored)
        return posted
    }

    /// Returns the renditions of an image that a client has sent.
    ///
    /// - Parameter fields: Those of the request.
    func renditions(_ posted: PostedPath, of image: PostedImage, for fields: HTTPFields) -> [Rendition] {
        let client = AcceptedFormats(accept: fields.values(of: "Accept"))
        return posted.results.map { options in
            var request = RenditionRequest(source: image.url, options: options)
            request.accept(client, negotiated: negotiated, enforced: enforced)
            return Rendition(of: image, request, mark: mark)
        }
    }

    /// Whether a path is that of a POST.
    func isPosted(_ request: ListenerRequest) -> Bool {
        guard let target = own(request.target), let path = SignedPath.withoutSignature(target) else { return false }
        return (try? known.rules.grammar.posted(path)) != nil
    }

    /// The rules for images by POST.
    var postRules: PostRules { PostRules(rules: known.rules) }

    /// Returns the URL of a POST for the log, whether or not it can be parsed.
    func loggedPost(_ request: ListenerRequest) -> LoggedURL {
        own(request.target).map { LoggedURL(postedTarget: $0) } ?? .none
    }

    /// Returns a request's URL for the log, whether or not it can be parsed.
    func logged(_ request: ListenerRequest) -> LoggedURL {
        own(request.target).map { LoggedURL(target: $0, known.rules.grammar) } ?? .none
    }

    /// Returns a target without the server's prefix, or `nil` if it lacks that.
    private func own(_ target: String) -> ByteString? {
        let target = ByteString(target)
        guard !prefix.isEmpty else { return target }
        return target.hasPrefix("\(prefix)/") ? target.dropFirst(prefix.count) : nil
    }

    private func note(_ ignored: [ByteString]) {
        for option in ignored {
            noteIgnored(option.string)
            metrics.ignored(option.string)
        }
    }

    /// Parses the target. Nothing is loaded before its signature has been verified.
    private func parsed(_ name: KnownTargets.Name, _ rules: ServingRules) throws(RenditionError) -> Rendition {
        let path = try rules.verified(try SignedPath(target: name.target))
        let parsed = try rules.grammar.request(for: path)
        note(parsed.ignored)
        var request = parsed.request
        request.accept(AcceptedFormats(accept: name.accept), negotiated: negotiated, enforced: enforced)
        let rendition = try Rendition(request, mark: mark, allowed: rules.allowed)
        // A target with a skipped option is parsed each time, so that each request reports the option.
        if parsed.ignored.isEmpty { known.insert(rendition, for: name, under: rules) }
        return rendition
    }
}

extension RenditionRequest {
    /// Takes into account the formats that a client accepts.
    ///
    /// - Parameters:
    ///   - negotiated: Those that a client may get if the URL names none.
    ///   - enforced: Those that a client gets even if the URL names another one.
    fileprivate mutating func accept(
        _ client: AcceptedFormats, negotiated: AcceptedFormats, enforced: AcceptedFormats
    ) {
        if isNegotiable, !negotiated.isEmpty {
            accepted = client.intersection(negotiated)
        } else if !enforced.isEmpty {
            enforce(enforced, for: client)
        }
    }
}
