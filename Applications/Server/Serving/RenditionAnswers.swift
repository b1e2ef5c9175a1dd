import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeListener
import CalotypeURLs
import Foundation

/// Answers clients' requests from the cache of results, which has missing renditions made.
struct RenditionAnswers: Sendable {
    private let targets: ClientTargets
    private let cache: HTTPCache
    private let results: any Transport
    private let wallClock: WallClock
    private let localLifetime: Int?
    private let ownFields: AnswerFields
    private let journal: AnswerLog
    /// A placeholder: the request's subject is the rendition, and the cache key identifies it.
    static let url = URL(string: "http://renditions.invalid/") ?? URL(fileURLWithPath: "/")

    init(
        _ options: RenditionServer.Options, _ targets: ClientTargets, cache: HTTPCache,
        over renditions: RenditionTransport,
        _ journal: AnswerLog
    ) {
        self.targets = targets
        self.cache = cache
        results = renditions.cached(in: cache)
        wallClock = options.wallClock
        localLifetime = options.localLifetime
        ownFields = AnswerFields(scriptOrigin: options.scriptOrigin)
        self.journal = journal
    }

    func answer(_ request: ListenerRequest) -> ListenerAnswer {
        let fields = ownFields.fields(for: request)
        guard !request.fields.isLoop else {
            let loop = ServerError(508, "the request comes from such a server: a source leads back to one")
            journal.note(loop.status, fields, targets.logged(request), loop.reason)
            return .now(ListenerResponse(loop).adding(fields))
        }
        guard request.method == .get || request.method == .head else {
            let answer = ownFields.answer(toMethod: request.method)
            journal.note(answer.status, fields, targets.logged(request), "the method is \(request.method.rawValue)")
            return .now(answer.adding(fields))
        }
        do throws(RenditionError) {
            let targeted = try targets.rendition(for: request)
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
            journal.note(error.status, fields, targets.logged(request), error.message)
            return .now(ListenerResponse(ServerError(error)).adding(fields))
        }
    }

    /// Returns the request to the cache: the key of the rendition, with the client's conditions and range.
    private func down(_ request: ListenerRequest, _ targeted: TargetedRendition) -> HTTPRequest {
        var fields: HTTPFields = [:]
        for name: CaselessString in ["If-None-Match", "If-Modified-Since", "Range", "If-Range"] {
            for value in request.fields.values(of: name) { fields.append(value, to: name) }
        }
        var down = HTTPRequest(Self.url, method: request.method, fields: fields)
        down.cacheKey = targeted.key
        down.subject = RequestSubject(targeted, host: targeted.sourceHost)
        down.takesBodyAsFile = true
        return down
    }

    /// Returns the lifetime in responses to clients, if it differs from the one after which the server's own cache looks
    /// at a local file again; otherwise `nil`.
    private func clientLifetime(of rendition: RenditionRequest) -> Int? {
        rendition.isLocal ? localLifetime : nil
    }

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
            let failure = ServerError(error)
            journal.note(failure.status, own, LoggedURL(rendition), failure.reason)
            return ListenerResponse(failure)
        }
    }
}

extension ListenerResponse {
    fileprivate func adding(_ more: HTTPFields) -> ListenerResponse {
        var response = self
        for field in more { response.fields[field.name] = field.value }
        return response
    }
}
