import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import CalotypeURLs

/// Finds the rendition that a client's request names: verifies and parses the request's target, or remembers it.
struct ClientTargets: Sendable {
    private let signer: URLSigner?
    private let grammar: RenditionGrammar
    private let negotiated: AcceptedFormats
    private let allowed: AllowedSources
    private let mark: ByteString?
    private let wallClock: WallClock
    private let known = KnownTargets()
    private let report: @Sendable (String) -> Void

    /// - Parameter mark: The digest of the server's watermark.
    init(_ options: RenditionServer.Options, mark: ByteString?) {
        signer = options.signer
        grammar = options.grammar
        negotiated = options.negotiated
        allowed = options.allowed
        self.mark = mark
        wallClock = options.wallClock
        report = options.report
    }

    /// Returns the rendition of a request whose target has been verified and parsed, now or earlier.
    func rendition(for request: ListenerRequest) throws(RenditionError) -> TargetedRendition {
        guard request.target.utf8.count <= 8192 else { throw RenditionError(414, "the URL is longer than 8192 bytes") }
        let name = KnownTargets.Name(
            target: ByteString(request.target),
            accept: negotiated == .neither ? [] : request.fields.values(of: "Accept"))
        let targeted = if let known = known[name] { known } else { try parsed(name) }
        if let expires = targeted.rendition.options.expires, Double(expires) < wallClock.now {
            throw RenditionError(404, "the URL has expired")
        }
        return targeted
    }

    /// Returns a request's URL for the log, whether or not it can be parsed.
    func logged(_ request: ListenerRequest) -> LoggedURL { LoggedURL(target: ByteString(request.target), grammar) }

    /// Parses the target. Nothing is loaded before its signature has been verified.
    private func parsed(_ name: KnownTargets.Name) throws(RenditionError) -> TargetedRendition {
        let path = try verified(try SignedPath(target: name.target))
        let parsed = try grammar.request(for: path)
        for option in parsed.ignored { report("option \(option.quoted) is left out") }
        try parsed.request.checkSources(allowed)
        var rendition = parsed.request
        if rendition.isNegotiable, negotiated != .neither {
            rendition.accepted = AcceptedFormats(accept: name.accept).intersection(negotiated)
        }
        let targeted = TargetedRendition(rendition, mark: mark)
        // A target with a skipped option is parsed each time, so that each request reports the option.
        if parsed.ignored.isEmpty { known.insert(targeted, for: name) }
        return targeted
    }

    private func verified(_ path: SignedPath) throws(RenditionError) -> ByteString {
        guard let signer else { return path.repaired?.path ?? path.path }
        if signer.isValid(path.signature, for: path.path) { return path.path }
        if let repaired = path.repaired, signer.isValid(path.signature, for: repaired.path) { return repaired.path }
        throw RenditionError(403, "the signature is not that of this URL")
    }
}
