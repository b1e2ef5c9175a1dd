import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTransport
import Foundation

/// A download: sends a request and reads the body of the response, unless the body is in a store or a file.
struct Download: Sendable {
    let budget: BodyBudget
    /// The maximum number of retries after a body broke off.
    let resumptions: Int
    /// Whether a cache stores each response once its body has been read to the end.
    let feedsCache: Bool
    let rules: CacheRules
    let wallClock: WallClock

    struct Answer {
        /// The response. Its body has not been read yet if ``bytes`` is `nil`.
        let response: HTTPResponse
        let bytes: Original.Bytes?
        /// The time of the request, in seconds since 1970.
        let requestTime: Double
    }

    /// The parts of one attempt that the next one needs.
    private struct Progress {
        var resumptionsLeft: Int
        var hasHead = false
        /// The bytes of the body that broke off, if the next attempt may request the rest.
        var broken: BrokenBody?
    }

    /// Sends the request, and repeats it if the body breaks off. The repetition requests the rest only: for a response that
    /// the HTTP cache stores, the cache does that (RFC 9111 §3.4), and for others, this function.
    ///
    /// - Parameters:
    ///   - accepted: The statuses whose bodies are returned. Others fail with `badStatus`.
    ///   - isPersonal: Returns whether the response is for a user whom the keys do not identify.
    func answer(
        to request: HTTPRequest, over transport: any Transport, url: URL?,
        accepting accepted: AcceptedStatuses = .successes, isPersonal: (HTTPResponse) -> Bool = { _ in false },
        _ onUpdate: (LoadUpdate) -> Void
    ) async throws(ImageError) -> Answer {
        var progress = Progress(resumptionsLeft: resumptions)
        while true {
            progress.hasHead = false
            do throws(TransportError) {
                let answer = try await attempt(
                    request, over: transport, url: url, accepting: accepted, isPersonal: isPersonal,
                    onUpdate: onUpdate, progress: &progress)
                // Without an answer, the server has sent another part than the rest. The next attempt has no bytes to
                // continue.
                if let answer { return answer }
            } catch {
                // A failure before the head is the transport's to retry.
                guard progress.hasHead, progress.resumptionsLeft > 0, error.isBreak, request.method == .get else {
                    progress.broken?.drop()
                    throw ImageError(error, url: url)
                }
                progress.resumptionsLeft -= 1
            }
        }
    }

    /// - Returns: `nil` if the response to a request for the rest of a body is neither the rest nor a whole response.
    private func attempt(
        _ request: HTTPRequest, over transport: any Transport, url: URL?, accepting accepted: AcceptedStatuses,
        isPersonal: (HTTPResponse) -> Bool, onUpdate: (LoadUpdate) -> Void, progress: inout Progress
    ) async throws(TransportError) -> Answer? {
        let requestTime = wallClock.now
        let response = try await transport.send(progress.broken?.requestingRest(of: request) ?? request)
        progress.hasHead = true
        if let broken = progress.broken.take() {
            if let whole = broken.interrupted.completed(
                by: response, requestTime: requestTime, responseTime: wallClock.now)
            {
                broken.readOn()
                return try await read(
                    whole, to: request, requestTime, into: broken.received, onUpdate: onUpdate, progress: &progress)
            }
            broken.drop()
            if [206, 304, 416].contains(response.status) { return nil }
        }
        try request.checkAsked(for: response.status)
        guard accepted.contains(response.status) else {
            await drainShortBody(of: response)
            let status = response.status
            var error = ImageError(.badStatus, "the server answered \(status)", url: url, status: status)
            error.retryAfter = response.retryAfter(now: wallClock.now)
            throw .loader(error)
        }
        if response.body.isLazy, response.contentLength != 0 {
            return Answer(response: response, bytes: nil, requestTime: requestTime)
        }
        let answer =
            if let data = response.body.whole {
                whole(data, of: response, requestTime, onUpdate)
            } else {
                try await read(
                    response, to: request, requestTime,
                    into: ReceivedBody(expecting: response.contentLength, isPersonal: isPersonal(response), budget),
                    onUpdate: onUpdate, progress: &progress)
            }
        guard answer.bytes?.data.isEmpty == false else {
            throw .loader(ImageError(.dataIsEmpty, "the response has no body", url: url))
        }
        return answer
    }

    /// Reads the body of an error response so that the cache stores it. Abandons a body of more than 64 KiB.
    private func drainShortBody(of response: HTTPResponse) async {
        let limit = 64 << 10
        guard feedsCache, !response.body.isLazy, response.contentLength ?? 0 <= limit else { return }
        await budget.read(response.body, limit: limit)
    }

    private func whole(
        _ data: Data, of response: HTTPResponse, _ requestTime: Double, _ onUpdate: (LoadUpdate) -> Void
    ) -> Answer {
        let bytes = Original.Bytes(data, budget.reserve(data.count))
        onUpdate(LoadUpdate(progress: LoadProgress(received: data.count, expected: response.contentLength)))
        return Answer(response: response, bytes: bytes, requestTime: requestTime)
    }

    /// Reads the body to its end. If it breaks off, keeps its bytes for the next attempt, where that is possible.
    private func read(
        _ response: HTTPResponse, to request: HTTPRequest, _ requestTime: Double, into body: ReceivedBody,
        onUpdate: (LoadUpdate) -> Void, progress: inout Progress
    ) async throws(TransportError) -> Answer {
        let expected = response.contentLength
        do throws(TransportError) {
            let bytes = try await body.collect(response.body) { received in
                onUpdate(
                    LoadUpdate(
                        progress: LoadProgress(received: received, expected: expected), body: body.arrival))
            }
            return Answer(response: response, bytes: bytes, requestTime: requestTime)
        } catch {
            if error.isBreak, progress.resumptionsLeft > 0 {
                progress.broken = BrokenBody(body, of: response, to: request, requestTime: requestTime, under: rules)
            }
            if progress.broken == nil { body.drop() }
            throw error
        }
    }
}

extension TransportError {
    /// Wraps one of the loader's own errors, so that the transport's layers can throw it.
    static func loader(_ error: ImageError) -> TransportError {
        TransportError(Code(rawValue: "loader"), error.message, underlying: error)
    }

    /// Whether the connection ended before the body did.
    fileprivate var isBreak: Bool { code == .connectionLost || code == .truncatedBody }
}
