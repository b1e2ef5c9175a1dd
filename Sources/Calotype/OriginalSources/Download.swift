import CalotypeBase
import CalotypeHTTP
import CalotypeTransport
import Foundation

/// A download: sends a request and reads the body of the response, unless the body is in a store or a file.
struct Download: Sendable {
    let budget: BodyBudget
    /// The maximum number of retries after a body broke off.
    let resumptions: Int
    /// Whether a cache stores each response once its body has been read to the end.
    let feedsCache: Bool
    let wallClock: WallClock

    struct Answer {
        /// The response. Its body has not been read yet if ``bytes`` is `nil`.
        let response: HTTPResponse
        let bytes: Original.Bytes?
        /// The time of the request, in seconds since 1970.
        let requestTime: Double
    }

    /// Sends the request, and repeats it if the body breaks off. The HTTP cache then resumes the body (RFC 9111 §3.4).
    ///
    /// - Parameters:
    ///   - accepted: The statuses whose bodies are returned. Others fail with `badStatus`.
    ///   - isPersonal: Returns whether the response is for a user whom the keys do not identify.
    func answer(
        to request: HTTPRequest, over transport: any Transport, url: URL?,
        accepting accepted: AcceptedStatuses = .successes, isPersonal: (HTTPResponse) -> Bool = { _ in false },
        _ onUpdate: (LoadUpdate) -> Void
    ) async throws(ImageError) -> Answer {
        var resumptions = resumptions
        while true {
            var hasHead = false
            do throws(TransportError) {
                return try await attempt(
                    request, transport, url, accepting: accepted, isPersonal, onUpdate, hasHead: &hasHead)
            } catch {
                // A failure before the head is the transport's to retry.
                guard hasHead, resumptions > 0, error.isBreak, request.method == .get else {
                    throw ImageError(error, url: url)
                }
                resumptions -= 1
            }
        }
    }

    private func attempt(
        _ request: HTTPRequest, _ transport: any Transport, _ url: URL?, accepting accepted: AcceptedStatuses,
        _ isPersonal: (HTTPResponse) -> Bool, _ onUpdate: (LoadUpdate) -> Void, hasHead: inout Bool
    ) async throws(TransportError) -> Answer {
        let requestTime = wallClock.now
        let response = try await transport.send(request)
        hasHead = true
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
        let bytes = try await receive(response, isPersonal(response), onUpdate)
        guard !bytes.data.isEmpty else {
            throw .loader(ImageError(.dataIsEmpty, "the response has no body", url: url))
        }
        return Answer(response: response, bytes: bytes, requestTime: requestTime)
    }

    /// Reads the body of an error response so that the cache stores it. Abandons a body of more than 64 KiB.
    private func drainShortBody(of response: HTTPResponse) async {
        let limit = 64 << 10
        guard feedsCache, !response.body.isLazy, response.contentLength ?? 0 <= limit else { return }
        await budget.read(response.body, limit: limit)
    }

    private func receive(
        _ response: HTTPResponse, _ isPersonal: Bool, _ onUpdate: (LoadUpdate) -> Void
    ) async throws(TransportError) -> Original.Bytes {
        let expected = response.contentLength
        if let data = response.body.whole {
            let bytes = Original.Bytes(data, budget.reserve(data.count))
            onUpdate(LoadUpdate(progress: LoadProgress(received: data.count, expected: expected)))
            return bytes
        }
        let arrival = ArrivingBody(expecting: expected, isPersonal: isPersonal)
        return try await arrival.collect(response.body, budget.reserveArrival()) { received in
            onUpdate(
                LoadUpdate(progress: LoadProgress(received: received, expected: expected), body: arrival))
        }
    }
}

extension ArrivingBody {
    /// Reads a body to its end. Drops the bytes after a failure, because watchers may still hold this object.
    func collect(
        _ body: HTTPBody, _ reservation: BodyBudget.Reservation, _ onChunk: (_ received: Int) -> Void
    ) async throws(TransportError) -> Original.Bytes {
        defer { _ = take() }
        var chunks = body.makeAsyncIterator()
        while let chunk = try await reservation.next(of: &chunks) { onChunk(append(chunk)) }
        let data = take()
        reservation.settle(data.count)
        return Original.Bytes(data, reservation)
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
