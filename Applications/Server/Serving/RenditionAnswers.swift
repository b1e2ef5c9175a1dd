import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeListener
import CalotypeURLs
import Foundation

/// Answers clients' requests: verifies and parses the URL, then finds the rendition in the cache or has it made.
struct RenditionAnswers: Sendable {
    private let cache: HTTPCache
    private let results: any Transport
    private let signer: URLSigner?
    private let grammar: RenditionGrammar
    private let negotiated: AcceptedFormats
    private let allowed: AllowedSources
    private let wallClock: WallClock
    private let localLifetime: Int?
    private let mark: ByteString?
    private let known = KnownTargets()
    private let ownFields: AnswerFields
    private let journal: AnswerLog
    private let report: @Sendable (String) -> Void
    /// A placeholder, because the cache key alone identifies the rendition.
    static let url = URL(string: "http://renditions.invalid/") ?? URL(fileURLWithPath: "/")

    /// - Parameter mark: The digest of the server's watermark.
    init(
        _ options: RenditionServer.Options, cache: HTTPCache, over renditions: RenditionTransport, mark: ByteString?,
        _ journal: AnswerLog
    ) {
        self.cache = cache
        results = renditions.cached(in: cache)
        signer = options.signer
        grammar = options.grammar
        negotiated = options.negotiated
        allowed = options.allowed
        wallClock = options.wallClock
        localLifetime = options.localLifetime
        self.mark = mark
        ownFields = AnswerFields(scriptOrigin: options.scriptOrigin)
        self.journal = journal
        report = options.report
    }

    func answer(_ request: ListenerRequest) -> ListenerAnswer {
        let fields = ownFields.fields(for: request)
        guard request.method == .get || request.method == .head else {
            let answer = ownFields.answer(toMethod: request.method)
            journal.note(answer.status, fields, asked(by: request), "the method is \(request.method.rawValue)")
            return .now(answer.adding(fields))
        }
        do throws(RenditionError) {
            let targeted = try targeted(by: request)
            let down = down(request, targeted)
            let lifetime = clientLifetime(of: targeted.rendition)
            if targeted.rendition.isDeliveredPlainly,
                let hit = cache.immediateAnswer(to: down, make: { PreparedHit($0, lifetime: lifetime) })
            {
                journal.note(hit.status, fields, LoggedURL(targeted.rendition), hit.reason)
                return .now(targeted.rendition.accepted == nil ? hit.plain : hit.negotiated, adding: fields)
            }
            return .later { await make(down, for: targeted.rendition, fields).adding(fields) }
        } catch {
            journal.note(error.status, fields, asked(by: request), error.message)
            return .now(ListenerResponse(RenditionFailure(error.status, error.message)).adding(fields))
        }
    }

    // MARK: The client's request

    private func asked(by request: ListenerRequest) -> LoggedURL {
        LoggedURL(target: ByteString(request.target), grammar)
    }

    /// Returns the rendition of a request whose target has been verified and parsed, now or earlier.
    private func targeted(by request: ListenerRequest) throws(RenditionError) -> TargetedRendition {
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

    /// Returns the request to the cache: the key of the rendition, with the client's conditions and range.
    private func down(_ request: ListenerRequest, _ targeted: TargetedRendition) -> HTTPRequest {
        var fields: HTTPFields = [:]
        for name: CaselessString in ["If-None-Match", "If-Modified-Since", "Range", "If-Range"] {
            for value in request.fields.values(of: name) { fields.append(value, to: name) }
        }
        var down = HTTPRequest(Self.url, method: request.method, fields: fields)
        down.cacheKey = targeted.key
        down.revalidationGroup = targeted.sourceHost
        down.takesBodyAsFile = true
        return down
    }

    /// Returns the lifetime in responses to clients, if it differs from the one after which the server's own cache looks
    /// at a local file again; otherwise `nil`.
    private func clientLifetime(of rendition: RenditionRequest) -> Int? {
        rendition.isLocal ? localLifetime : nil
    }

    // MARK: The response

    private func make(
        _ down: HTTPRequest, for rendition: RenditionRequest, _ own: HTTPFields
    ) async -> ListenerResponse {
        do throws(TransportError) {
            var response = try await results.send(down)
            let reason = response.fields.takeReason()
            journal.note(response.status, own, LoggedURL(rendition), reason ?? response.rangeFault)
            response.fields.state(clientLifetime(of: rendition), for: response.status)
            response.complete(for: rendition, now: wallClock.now)
            if let slice = response.body.slice {
                return ListenerResponse(status: response.status, fields: response.fields, file: slice)
            }
            if let whole = response.body.whole {
                return ListenerResponse(status: response.status, fields: response.fields, body: whole)
            }
            return ListenerResponse(
                status: response.status, fields: response.fields, stream: response.body, length: response.contentLength)
        } catch {
            guard error.code != .cancelled else { return .drop }
            let failure = RenditionFailure(error)
            journal.note(failure.status, own, LoggedURL(rendition), failure.reason)
            return ListenerResponse(failure)
        }
    }
}

extension RenditionFailure {
    /// Takes the failure that `RenditionTransport` has thrown as this error, or creates one for an error of the cache.
    fileprivate init(_ error: TransportError) {
        if let own = error.underlying as? RenditionFailure {
            self = own
            return
        }
        switch error.code {
        case .overloaded: self.init(503, error.message)
        case .timedOut: self.init(504, error.message)
        default: self.init(502, "the rendition cannot be made")
        }
    }
}

extension ListenerResponse {
    /// Creates the response for a failure. No cache may store the response.
    init(_ failure: RenditionFailure) {
        var fields = failure.fields(cacheControl: "no-store")
        fields["Content-Length"] = nil
        if failure.status == 503 { fields["Retry-After"] = "\(failure.retryAfter ?? 1)" }
        self.init(status: failure.status, fields: fields, body: failure.body)
    }

    fileprivate func adding(_ more: HTTPFields) -> ListenerResponse {
        var response = self
        for field in more { response.fields[field.name] = field.value }
        return response
    }
}

/// A stored response, serialized once for all hits within a second. `negotiated` also has `Vary: Accept`.
private final class PreparedHit: Sendable {
    let status: Int
    /// The reason for the log, if the response is a failure.
    let reason: String?
    let plain: PreparedResponse
    let negotiated: PreparedResponse

    /// - Parameter response: A response whose body is complete in memory.
    init(_ response: HTTPResponse, lifetime: Int?) {
        var response = response
        status = response.status
        reason = response.fields.takeReason() ?? response.rangeFault
        response.fields.state(lifetime, for: response.status)
        func prepared(_ fields: HTTPFields) -> PreparedResponse {
            PreparedResponse(
                ListenerResponse(status: response.status, fields: fields, body: response.body.whole ?? Data()))
        }
        plain = prepared(response.fields)
        negotiated = prepared(response.fields.varyingByAccept)
    }
}

extension HTTPFields {
    /// Replaces the lifetime of a successful response.
    fileprivate mutating func state(_ lifetime: Int?, for status: Int) {
        guard let lifetime, status < 300 || status == 304 else { return }
        self["Cache-Control"] = RenditionLifetime.seconds(lifetime).cacheControl
    }

    fileprivate var varyingByAccept: HTTPFields {
        var fields = self
        fields["Vary"] = "Accept"
        return fields
    }
}

extension HTTPResponse {
    /// The reason for a 416; otherwise `nil`.
    fileprivate var rangeFault: String? { status == 416 ? "the range is outside of the result" : nil }
}
