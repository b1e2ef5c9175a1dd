import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import CalotypeURLs
import Foundation

/// Answers images by POST. Read from its top to its end, this file has the order of the work: head, place, body, image, results.
///
/// Nothing is stored. The results are made as those of URLs are: with the same queue, memory, deadline and processes.
struct PostAnswers: Sendable {
    private let uploads: Uploads
    private let targets: ClientTargets
    private let renditions: RenditionTransport
    private let journal: AnswerLog
    private let wallClock: WallClock

    init(
        _ uploads: Uploads, _ targets: ClientTargets, over renditions: RenditionTransport, journal: AnswerLog,
        wallClock: WallClock
    ) {
        (self.uploads, self.targets, self.renditions) = (uploads, targets, renditions)
        (self.journal, self.wallClock) = (journal, wallClock)
    }

    // MARK: Head and place

    /// Returns `nil` for a request that is neither a POST nor the question of a page whether it may send one.
    func answer(_ request: ListenerRequest, _ arrival: AnswerLog.Arrival) -> ListenerAnswer? {
        guard request.method == .post else {
            if let answer = preflight(request) { return .now(answer.adding(arrival.fields)) }
            guard request.upload != nil else { return nil }
            let error = ServerError(400, "only a POST has a body here")
            note(error, to: arrival)
            return .now(PostReply(request, targets.postRules, arrival.fields).failure(error, isLast: true))
        }
        let reply = PostReply(request, targets.postRules, arrival.fields)
        do throws(ServerError) {
            let posted = try posted(request)
            guard let body = request.upload else { throw ServerError(400, "the body is empty") }
            let form = try request.form()
            try uploads.check(request)
            let network = ByteString(arrival.client?.network ?? "")
            let place = try uploads.enter(network)
            if let refusal = renditions.refusal(for: network) { throw refusal }
            let asker = RenditionAsker(network: network, trace: request.fields.trace)
            let order = PostOrder(posted: posted, form: form, asker: asker, reply: reply, arrival: arrival)
            return .later { await make(order, from: body, in: place) }
        } catch {
            note(error, to: arrival)
            // The body is not read: the connection cannot go on.
            return .now(reply.failure(error, isLast: request.upload != nil))
        }
    }

    private func posted(_ request: ListenerRequest) throws(ServerError) -> PostedPath {
        do throws(RenditionError) { return try targets.posted(request) } catch { throw ServerError(error) }
    }

    /// Answers a page's question whether it may send an image (the preflight of Fetch); `nil` for other requests.
    private func preflight(_ request: ListenerRequest) -> ListenerResponse? {
        let rules = targets.postRules
        guard request.method.rawValue == "OPTIONS",
            request.fields["Access-Control-Request-Method"] == "POST", let origin = rules.origin(of: request),
            rules.permitsOrigin(origin)
        else { return nil }
        return ListenerResponse(
            status: 204,
            fields: [
                "Allow": "POST, OPTIONS", "Access-Control-Allow-Origin": origin, "Vary": "Origin",
                "Access-Control-Allow-Methods": "POST", "Access-Control-Allow-Headers": "Authorization, Content-Type",
                "Access-Control-Max-Age": "86400",
            ])
    }

    /// Returns the refusal of a GET or HEAD whose URL is one for POST, or that has a body; `nil` for others.
    func refusal(ofReading request: ListenerRequest) -> ListenerResponse? {
        guard targets.isPosted(request) else { return nil }
        var response = ListenerResponse(ServerError(405, "this URL takes an image by POST"))
        response.fields["Allow"] = "POST, OPTIONS"
        return response
    }

    // MARK: Body, image, results

    private func make(_ order: PostOrder, from body: HTTPBody, in place: Uploads.Place) async -> ListenerResponse {
        let work = WorkReport(), reply = order.reply
        var hasArrived = false
        do throws(ServerError) {
            let whole = try await uploads.receive(body, in: place)
            hasArrived = true
            let image = try await uploads.image(in: whole, order.form)
            let wanted = targets.renditions(order.posted, of: image, for: order.arrival.request.fields)
            let results = await renditions.results(
                of: wanted, isList: order.posted.isList, for: order.asker, to: work)
            return try answer(results.get(), of: wanted, to: order, after: work.contents)
        } catch {
            guard error != .cancelled else {
                let left = AnswerLog.Answer(status: 499, outcome: .left, work: work.contents)
                journal.note(left, to: order.arrival, for: logged(order.arrival))
                return .drop
            }
            note(error.ofPost, to: order.arrival, work.contents)
            return reply.failure(error.ofPost, isLast: !hasArrived)
        }
    }

    /// - Throws: The first failure if nothing could be made.
    private func answer(
        _ files: [RenditionMaker.FileResult], of wanted: [Rendition], to order: PostOrder,
        after work: WorkReport.Contents
    ) throws(ServerError) -> ListenerResponse {
        var made: MadeRendition.File?, failure: ServerError?
        for file in files {
            switch file {
            case .success(let file): made = made ?? file
            case .failure(let error): failure = failure ?? error
            }
        }
        guard let made else { throw failure ?? ServerError(500, "nothing was made") }
        let now = wallClock.now
        let response =
            order.posted.isList
            ? order.reply.list(files, wanted, now: now) : order.reply.file(made, wanted[0], now: now)
        let noted = AnswerLog.Answer(
            status: response.status, outcome: .made, bytes: response.bytes?.count ?? 0,
            reason: failure?.reason ?? made.excess, source: made.source, work: work)
        journal.note(noted, to: order.arrival, for: logged(order.arrival))
        return response
    }

    // MARK: Log

    private func note(_ error: ServerError, to arrival: AnswerLog.Arrival, _ work: WorkReport.Contents? = nil) {
        let noted = AnswerLog.Answer(
            status: error.status, outcome: work?.hasBegun == true ? ServerMetrics.Outcome(error) : .rejected,
            bytes: error.body.count, reason: error.reason, work: work)
        journal.note(noted, to: arrival, for: logged(arrival))
    }

    private func logged(_ arrival: AnswerLog.Arrival) -> LoggedURL { targets.loggedPost(arrival.request) }
}

/// What a POST asks for, known from its head.
private struct PostOrder {
    let posted: PostedPath
    let form: MultipartForm?
    let asker: RenditionAsker
    let reply: PostReply
    let arrival: AnswerLog.Arrival
}

extension RenditionTransport {
    /// Makes all results of an image, and notes the work.
    func results(
        of renditions: [Rendition], isList: Bool, for asker: RenditionAsker, to work: WorkReport
    ) async -> Result<[RenditionMaker.FileResult], ServerError> {
        guard let first = renditions.first else { return .success([]) }
        return await work.reporting(to: metrics) {
            if isList { return await maker.makeAllInTime(renditions, for: asker) }
            return await maker.makeInTime(RenditionOrder(first, for: asker), unless: "").map { made in
                made.file.map { [.success($0)] } ?? []
            }
        }
    }
}

extension ListenerRequest {
    /// Returns the form in which the image is, or `nil` if it is the whole body.
    ///
    /// - Throws: 415 for a compressed body, 400 for a form that is not valid.
    func form() throws(ServerError) -> MultipartForm? {
        let codings = fields.values(of: "Content-Encoding").filter { $0.lowercasedASCII != "identity" }
        guard codings.isEmpty else { throw ServerError(415, "a body with Content-Encoding is not read") }
        let types = fields.values(of: "Content-Type")
        guard types.count < 2 else { throw ServerError(400, "the request has more than one Content-Type") }
        guard let type = types.first else { return nil }
        return try MultipartForm(type: type)
    }
}
