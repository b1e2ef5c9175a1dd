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
    private let renditions: RenditionTransport
    private let purges: FleetPurges
    private let refusals = PreparedRefusals()
    private let wallClock: WallClock
    private let localLifetime: Int?
    private let ownFields: AnswerFields
    private let asides: AsideAnswers
    private let fallback: FallbackAnswer
    private let namesSource: Bool
    private let tagField: TagField?
    private let clients: ClientFinder
    /// Answers images by POST; `nil` if none are taken.
    private let posts: PostAnswers?
    let journal: AnswerLog
    /// A placeholder: the request's subject is the rendition, and the cache key identifies it.
    static let url = URL(string: "http://renditions.invalid/") ?? URL(fileURLWithPath: "/")

    init(
        _ options: ServingOptions, _ sources: SourceOptions, _ cache: HTTPCache, over renditions: RenditionTransport,
        obeying purges: FleetPurges, uploads: Uploads?, basis: ServerBasis
    ) {
        targets = ClientTargets(options, mark: renditions.mark, basis)
        self.cache = cache
        results = renditions.cached(in: cache)
        (self.renditions, self.purges) = (renditions, purges)
        wallClock = basis.wallClock
        localLifetime = sources.localLifetime
        ownFields = AnswerFields(scriptOrigin: options.scriptOrigin)
        (asides, fallback, namesSource) = (AsideAnswers(options), options.fallback, options.namesSource)
        (clients, tagField) = (options.clients, options.tagField)
        journal = AnswerLog(basis, monotonicClock: options.listener.clock)
        posts = uploads.map { [targets, journal] uploads in
            PostAnswers(uploads, targets, over: renditions, journal: journal, wallClock: basis.wallClock)
        }
    }

    func answer(_ request: ListenerRequest) -> ListenerAnswer {
        var arrival = journal.arrival(request, from: clients.client(of: request), ownFields.fields(for: request))
        guard !request.fields.isLoop else {
            let loop = ServerError(508, "the request comes from such a server: a source leads back to one")
            return refusal(ListenerResponse(loop), loop.reason, arrival, for: request)
        }
        if let answer = posts?.answer(request, arrival) { return answer }
        guard request.method == .get || request.method == .head else {
            let response = ownFields.answer(toMethod: request.method)
            return refusal(response, "the method is \(request.method.rawValue)", arrival, for: request)
        }
        do throws(RenditionError) {
            let rendition = try targets.rendition(for: request)
            if namesSource { arrival.fields["Link"] = rendition.source.link }
            if let tagField { arrival.fields[tagField.name] = rendition.tags(in: tagField) }
            if let refusal = purges.refusal {
                note(refusal, to: arrival, for: rendition)
                return .now(ListenerResponse(refusal).adding(arrival.fields))
            }
            let down = down(request, rendition)
            let lifetime = clientLifetime(of: rendition)
            let isBehind = purges.control.isBehind
            if !isBehind, rendition.request.isDeliveredPlainly,
                let hit = cache.immediateAnswer(to: down, make: { PreparedHit($0, lifetime: lifetime, fallback) })
            {
                journal.note(hit.noted, to: arrival, for: rendition.logged)
                let prepared = rendition.request.accepted == nil ? hit.plain : hit.negotiated
                return .now(prepared, adding: arrival.fields)
            }
            // No task is started for a refusal, so that the work in progress keeps the processors.
            let asker = RenditionAsker(
                network: ByteString(arrival.client?.network ?? ""), trace: request.fields.trace)
            if let refusal = renditions.refusal(for: asker.network), cache.surelyLacks(down) {
                note(refusal, to: arrival, for: rendition)
                return .now(refusals[refusal], adding: arrival.fields)
            }
            let order = RenditionOrder(rendition, for: asker)
            return .later { [arrival] in
                if isBehind { await purges.control.catchUp() }
                return await make(down, for: order, arrival).adding(arrival.fields)
            }
        } catch {
            if let aside = asides.answer(to: request) { return .now(aside.adding(arrival.fields)) }
            if let posts, let response = posts.refusal(ofReading: request) {
                return refusal(response, "the method is \(request.method.rawValue)", arrival, for: request)
            }
            return refusal(ListenerResponse(ServerError(error)), error.message, arrival, for: request)
        }
    }

    private func note(_ refusal: ServerError, to arrival: AnswerLog.Arrival, for rendition: Rendition) {
        let noted = AnswerLog.Answer(
            status: refusal.status, outcome: ServerMetrics.Outcome(refusal), bytes: refusal.body.count,
            reason: refusal.reason)
        journal.note(noted, to: arrival, for: rendition.logged)
    }

    /// Notes an answer that the listener broke off.
    func noteCut(_ request: ListenerRequest, _ cut: Listener.Cut) {
        journal.noteCut(
            cut, of: request, from: clients.client(of: request), id: ownFields.fields(for: request)["X-Request-ID"],
            for: targets.logged(request))
    }

    private func refusal(
        _ response: ListenerResponse, _ reason: String, _ arrival: AnswerLog.Arrival, for request: ListenerRequest
    ) -> ListenerAnswer {
        // Not for the preflight of a script, which asks for no rendition.
        if response.status >= 400 {
            let noted = AnswerLog.Answer(
                status: response.status, outcome: .rejected, bytes: response.bytes?.count ?? 0, reason: reason)
            journal.note(noted, to: arrival, for: targets.logged(request))
        }
        return .now(response.adding(arrival.fields))
    }

    /// Returns the request to the cache: the key of the rendition, with the client's conditions and range.
    private func down(_ request: ListenerRequest, _ rendition: Rendition) -> HTTPRequest {
        var fields: HTTPFields = [:]
        for name: CaselessString in ["If-None-Match", "If-Modified-Since", "Range", "If-Range"] {
            for value in request.fields.values(of: name) { fields.append(value, to: name) }
        }
        var down = HTTPRequest(Self.url, method: request.method, fields: fields)
        down.cacheKey = rendition.key
        down.takesBodyAsFile = true
        return down
    }

    /// Returns the lifetime in responses to clients, if it differs from the one after which the server's own cache looks
    /// at a local file again; otherwise `nil`.
    private func clientLifetime(of rendition: Rendition) -> Int? {
        rendition.source.isLocal ? localLifetime : nil
    }

    private func make(
        _ down: HTTPRequest, for order: RenditionOrder, _ arrival: AnswerLog.Arrival
    ) async -> ListenerResponse {
        let rendition = order.rendition
        var down = down
        down.subject = RequestSubject(order, host: rendition.source.host)
        do throws(TransportError) {
            let response = try await results.send(down)
            return delivered(response, for: order, arrival)
        } catch {
            guard error.code != .cancelled else {
                let left = AnswerLog.Answer(status: 499, outcome: .left, work: order.work.contents)
                journal.note(left, to: arrival, for: rendition.logged)
                return .drop
            }
            let failure = ServerError(error)
            let noted = AnswerLog.Answer(
                status: failure.status, outcome: ServerMetrics.Outcome(failure), bytes: failure.body.count,
                reason: failure.reason, work: order.work.contents)
            journal.note(noted, to: arrival, for: rendition.logged)
            return ListenerResponse(failure)
        }
    }

    /// Returns the response to the client for a response of the cache, and notes it.
    private func delivered(
        _ response: HTTPResponse, for order: RenditionOrder, _ arrival: AnswerLog.Arrival
    ) -> ListenerResponse {
        var response = response
        let rendition = order.rendition
        let reason = response.fields.takeReason() ?? response.rangeFault
        let source = response.fields.takeSource()
        response.fields.farMark = nil
        let work = order.work.contents
        let outcome = ServerMetrics.Outcome(response, worked: work.hasBegun)
        response.fields.state(clientLifetime(of: rendition), for: response.status)
        fallback.apply(to: &response)
        let noted = AnswerLog.Answer(
            status: response.status, outcome: outcome, bytes: response.bodySize, reason: reason, source: source,
            work: work)
        journal.note(noted, to: arrival, for: rendition.logged)
        response.complete(for: rendition.request, now: wallClock.now)
        if let slice = response.body.slice {
            return ListenerResponse(status: response.status, fields: response.fields, file: slice)
        }
        if let whole = response.body.whole {
            return ListenerResponse(status: response.status, fields: response.fields, body: whole)
        }
        var streamed = ListenerResponse(
            status: response.status, fields: response.fields, stream: response.body, length: response.contentLength)
        streamed.headWaitsForBody = true
        return streamed
    }
}

extension HTTPResponse {
    /// The size of the body, in bytes; 0 for a stream of unknown length.
    fileprivate var bodySize: Int { body.slice?.range.count ?? body.whole?.count ?? contentLength ?? 0 }
}

extension PreparedHit {
    fileprivate var noted: AnswerLog.Answer {
        AnswerLog.Answer(status: status, outcome: outcome, bytes: bytes, reason: reason, source: source)
    }
}

extension ListenerResponse {
    func adding(_ more: HTTPFields) -> ListenerResponse {
        var response = self
        for field in more { response.fields[field.name] = field.value }
        return response
    }
}
