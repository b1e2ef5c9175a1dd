import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeListener
import CalotypeURLs

/// Answers requests in imaginary's form. Read from its top to its end, this file has the order of the work: path and method, key,
/// operations, place, body, image, result.
///
/// Nothing is stored, and nothing is loaded: the image is the body. It is made as those of URLs are.
struct ImaginaryAnswers: Sendable {
    private let grammar: ImaginaryGrammar
    private let key: ClientToken?
    private let uploads: Uploads
    private let renditions: RenditionTransport
    private let known: KnownTargets
    private let clients: ClientFinder
    private let ownFields = AnswerFields(scriptOrigin: nil)
    /// Since the start of the server.
    private let uptime: Stopwatch
    let journal: AnswerLog

    init(
        _ options: ImaginaryOptions, _ serving: ServingOptions, over renditions: RenditionTransport, uploads: Uploads,
        basis: ServerBasis
    ) {
        (grammar, key, clients) = (options.grammar, options.key, serving.clients)
        (self.uploads, self.renditions, known) = (uploads, renditions, basis.known)
        uptime = Stopwatch(basis.clock)
        journal = AnswerLog(basis, monotonicClock: options.listener.clock)
    }

    private struct Order: Sendable {
        let parsed: ImaginaryGrammar.Parsed
        let form: MultipartForm?
        let asker: RenditionAsker
        let arrival: AnswerLog.Arrival
        let reply: ImaginaryReply
    }

    func answer(_ request: ListenerRequest) -> ListenerAnswer {
        let arrival = journal.arrival(request, from: clients.client(of: request), ownFields.fields(for: request))
        let target = ImaginaryTarget(ByteString(request.target))
        var reply = ImaginaryReply(arrival.fields)
        do throws(ServerError) {
            try admit(request, to: target)
            let parsed = try parsed(request, target)
            reply.variesByAccept = parsed.followsAccept
            if parsed.task == .health { return .now(health(to: arrival, reply)) }
            guard let body = request.upload else { throw ServerError(400, "the request has no body: it is the image") }
            let form = try request.form()
            try uploads.check(request)
            let network = ByteString(arrival.client?.network ?? "")
            let place = try uploads.enter(network)
            if let refusal = renditions.refusal(for: network) { throw refusal }
            let asker = RenditionAsker(network: network, trace: request.fields.trace)
            let order = Order(parsed: parsed, form: form, asker: asker, arrival: arrival, reply: reply)
            return .later { await make(order, from: body, in: place) }
        } catch {
            note(error, to: arrival)
            // The body is not read: the connection cannot go on.
            return .now(reply.failure(error, at: target.path, isLast: request.upload != nil))
        }
    }

    // MARK: Path and method, key, operations

    private func admit(_ request: ListenerRequest, to target: ImaginaryTarget) throws(ServerError) {
        do throws(RenditionError) {
            try ImaginaryGrammar.check(request.method.rawValue, at: target.path)
        } catch { throw ServerError(error) }
        // As in imaginary, an empty field does not count.
        let field = request.fields.values(of: "API-Key").first
        guard let key else { return try admitOwnPages(request) }
        guard let given = field?.isEmpty == false ? field : target.key, key.isEqual(to: given) else {
            throw ServerError(
                401, "the API key is missing or wrong: send it in the field API-Key, or the parameter key")
        }
    }

    /// Refuses requests from pages of other sites, which every visitor's browser could send to a port of this machine.
    private func admitOwnPages(_ request: ListenerRequest) throws(ServerError) {
        guard request.method != .post || PostRules(rules: known.rules).permits(request) else {
            throw ServerError(403, "pages of this origin may not send images to this server")
        }
    }

    private func parsed(
        _ request: ListenerRequest, _ target: ImaginaryTarget
    ) throws(ServerError) -> ImaginaryGrammar.Parsed {
        do throws(RenditionError) {
            return try grammar.request(
                target, method: request.method.rawValue, accept: request.fields.values(of: "Accept"))
        } catch { throw ServerError(error) }
    }

    private func health(to arrival: AnswerLog.Arrival, _ reply: ImaginaryReply) -> ListenerResponse {
        let response = reply.health(after: uptime.elapsed())
        note(response, .hit, to: arrival)
        return response
    }

    // MARK: Body, image, result

    private func make(_ order: Order, from body: HTTPBody, in place: Uploads.Place) async -> ListenerResponse {
        let work = WorkReport()
        var hasArrived = false
        do throws(ServerError) {
            let whole = try await uploads.receive(body, in: place)
            hasArrived = true
            let image = try await uploads.image(in: whole, order.form)
            return try await made(order, of: image, work)
        } catch {
            guard error != .cancelled else {
                let left = AnswerLog.Answer(status: 499, outcome: .left, work: work.contents)
                journal.note(left, to: order.arrival, for: LoggedURL(order.arrival))
                return .drop
            }
            note(error.ofPost, to: order.arrival, work.contents)
            return order.reply.failure(error.ofPost, isLast: !hasArrived)
        }
    }

    private func made(
        _ order: Order, of image: PostedImage, _ work: WorkReport
    ) async throws(ServerError) -> ListenerResponse {
        guard case .rendition(let options) = order.parsed.task else {
            let header = try await renditions.maker.headerInTime(of: image, for: order.asker)
            let response = order.reply.description(of: header)
            note(response, .made, to: order.arrival)
            return response
        }
        let rendition = Rendition(
            of: image, RenditionRequest(source: image.url, options: options), mark: renditions.mark)
        let results = await renditions.results(of: [rendition], isList: false, for: order.asker, to: work)
        guard let file = try results.get().first?.get() else { throw ServerError(500, "nothing was made") }
        let response = order.reply.file(file)
        note(response, .made, to: order.arrival, of: file.source, work.contents)
        return response
    }

    // MARK: Log

    private func note(
        _ response: ListenerResponse, _ outcome: ServerMetrics.Outcome, to arrival: AnswerLog.Arrival,
        of source: SourceFacts? = nil, _ work: WorkReport.Contents? = nil
    ) {
        let noted = AnswerLog.Answer(
            status: response.status, outcome: outcome, bytes: response.bytes?.count ?? 0, source: source, work: work)
        journal.note(noted, to: arrival, for: LoggedURL(arrival))
    }

    private func note(_ error: ServerError, to arrival: AnswerLog.Arrival, _ work: WorkReport.Contents? = nil) {
        let noted = AnswerLog.Answer(
            status: error.status, outcome: work?.hasBegun == true ? ServerMetrics.Outcome(error) : .rejected,
            bytes: error.body.count, reason: error.reason, work: work)
        journal.note(noted, to: arrival, for: LoggedURL(arrival))
    }

    /// Notes an answer that the listener broke off.
    func noteCut(_ request: ListenerRequest, _ cut: Listener.Cut) {
        journal.noteCut(
            cut, of: request, from: clients.client(of: request), id: ownFields.fields(for: request)["X-Request-ID"],
            for: LoggedURL(imaginaryTarget: ByteString(request.target)))
    }
}

extension LoggedURL {
    fileprivate init(_ arrival: AnswerLog.Arrival) {
        self.init(imaginaryTarget: ByteString(arrival.request.target))
    }
}

extension RenditionMaker {
    /// Reads the header of an image that a client has sent, with a place in the queue and the deadline of a rendition.
    func headerInTime(of image: PostedImage, for asker: RenditionAsker) async throws(ServerError) -> ImageHeader {
        let time = RenditionTime(deadline, clock: clock)
        return try await time.limited { () async throws(ServerError) in
            let found = try await sources.find(RenditionSource(image), byteLimit: nil)
            return try await queue.run(for: asker.network, within: time) { (turn) async throws(ServerError) in
                let terms = DecodeTerms(
                    timeLeft: { time.left }, drawings: drawings.budget(of: found.host), turn: turn)
                do throws(ImageError) {
                    return try await found.loader.header(of: found.data(), under: terms)
                } catch { throw ServerError(error) }
            }
        }
    }
}
