import CalotypeConcurrency
import CalotypeHTTP
import CalotypeHTTPCache
import Foundation
import ResourceProvider

// Where originals come from, and how their bodies get into memory.

extension ImageLoader {
    /// Sends the request, and once more for each time that its body breaks off. What the cache kept of that is not loaded
    /// twice (RFC 9111 §3.4).
    func download(
        _ job: Job, _ key: OriginalFlightKey, _ consent: StorageConsent?,
        _ onUpdate: @escaping @Sendable (LoadUpdate) -> Void
    ) async throws(ImageError) -> Original {
        if case .bytes(let data, let digest) = job.request.source.kind { return try makeOriginal(data, digest) }
        guard let outgoing = outgoingRequest(job, key, consent) else {
            throw ImageError(.invalidURL, "the request has no URL")
        }
        guard job.request.rules.mayLoad || (cache != nil && key.readsDisk) || job.request.source.isLocal else {
            throw ImageError(
                .notInCache, "not in the cache, and the network was not to be asked", url: job.request.source.url)
        }
        let request = try await prepare(outgoing)
        let transport = transport(for: job)
        var resumptions = options.resumptions
        while true {
            do throws(TransportError) {
                return try await send(request, over: transport, job, onUpdate)
            } catch {
                guard resumptions > 0, error.isBreak, request.method == .get else {
                    throw ImageError(error, url: job.request.source.url)
                }
                resumptions -= 1
            }
        }
    }

    /// A separate function, so that the bytes it holds are released before the next try.
    private func send(
        _ request: HTTPRequest, over transport: any Transport, _ job: Job,
        _ onUpdate: @escaping @Sendable (LoadUpdate) -> Void
    ) async throws(TransportError) -> Original {
        let asked = options.wallClock.now
        let response = try await transport.send(request)
        guard (200..<300).contains(response.status) else {
            await drainShortBody(of: response)
            let (status, url) = (response.status, job.request.source.url)
            throw .loader(ImageError(.badStatus, "the server answered \(status)", url: url, status: status))
        }
        if response.status == 206, request.fields["Range"] == nil {
            throw TransportError(.malformedResponse, "the server sent a part of what was asked for as a whole")
        }
        if response.isBodyLate, response.contentLength != 0 { return makeOriginal(response, request, asked, job, nil) }
        let bytes = try await receive(response, isPersonal: isPersonal(request, job), onUpdate)
        guard !bytes.data.isEmpty else {
            throw .loader(ImageError(.dataIsEmpty, "the answer has no body", url: job.request.source.url))
        }
        return makeOriginal(response, request, asked, job, bytes)
    }

    /// Reads the short body of an answer that is no image, because the cache stores an answer at its end. A long one is
    /// released, which ends its transfer.
    private func drainShortBody(of response: HTTPResponse) async {
        let limit = 64 << 10
        guard cache != nil, !response.isBodyLate, response.contentLength ?? 0 <= limit else { return }
        let share = room.shareOfArrival()
        var chunks = response.body.makeAsyncIterator()
        var received = 0
        while received <= limit, let chunk = try? await share.next(of: &chunks) { received += chunk.count }
    }

    private func receive(
        _ response: HTTPResponse, isPersonal: Bool, _ onUpdate: (LoadUpdate) -> Void
    ) async throws(TransportError) -> Original.Bytes {
        let expected = response.contentLength
        if let data = response.body.whole {
            let bytes = Original.Bytes(data, room.share(of: data.count))
            onUpdate(LoadUpdate(progress: LoadProgress(received: data.count, expected: expected)))
            return bytes
        }
        let arrival = ArrivingBody(expecting: expected, isPersonal: isPersonal)
        return try await collect(response.body, arrival, room.shareOfArrival()) { received in
            onUpdate(
                LoadUpdate(progress: LoadProgress(received: received, expected: expected), body: arrival))
        }
    }

    private func collect(
        _ body: HTTPBody, _ arrival: ArrivingBody, _ share: Room.Share, _ onChunk: (_ received: Int) -> Void
    ) async throws(TransportError) -> Original.Bytes {
        // Those who wait may hold it beyond a failure, and the next try needs the room.
        defer { _ = arrival.take() }
        var chunks = body.makeAsyncIterator()
        while let chunk = try await share.next(of: &chunks) { onChunk(arrival.append(chunk)) }
        let data = arrival.take()
        share.settle(data.count)
        return Original.Bytes(data, share, arrival: arrival)
    }

    /// The body of an original that was stored, or lies in a file, when there is room for it.
    func readStored(
        _ original: Original, _ job: Job, _ flight: BodyFlights.Flight
    ) async -> Result<Original.Bytes, ImageError> {
        do throws(TransportError) {
            let share: Room.Share
            do throws(Interruption) {
                share = try await room.share(stored: original.expectedLength ?? 0)
            } catch {
                throw error == .overloaded ? .overloaded : .cancelled
            }
            // After the wait: a request that is cancelled meanwhile leaves the body to the next one.
            if let bytes = original.bytes { return .success(bytes) }
            guard let body = original.takeBody() else { throw .bodyBegun }
            let expected = original.expectedLength
            let arrival = ArrivingBody(expecting: expected, isPersonal: false)
            // Without the body: what is stored is there before a preview of it would be.
            let bytes = try await collect(body, arrival, share) { received in
                flight.report(LoadUpdate(progress: LoadProgress(received: received, expected: expected)))
            }
            // Before the flight ends, so that a request that comes later finds either the flight or the bytes.
            original.share(bytes)
            return .success(bytes)
        } catch {
            return .failure(ImageError(error, url: job.request.source.url))
        }
    }

    private func makeOriginal(
        _ response: HTTPResponse, _ request: HTTPRequest, _ asked: Double, _ job: Job, _ bytes: Original.Bytes?
    ) -> Original {
        let body = bytes == nil ? response.body : .empty
        guard !job.request.source.isCustom else {
            let length: HTTPFields = response.contentLength.map { ["Content-Length": "\($0)"] } ?? [:]
            let head = StoredHead(url: "", status: 200, fields: length)
            let origin = response.cacheOutcome.map { ImageResponse.Origin($0.source) } ?? .source
            return Original(body, head, origin == .network ? .source : origin, nil, response.identity, bytes: bytes)
        }
        let head = StoredHead(
            url: ByteString(response.url.absoluteString), status: response.status, fields: response.fields)
        guard request.isWeb else {
            let identity = response.identity ?? dataIdentity(request)
            return Original(body, head, .source, nil, identity, bytes: bytes)
        }
        let outcome =
            response.cacheOutcome
            ?? options.cacheRules.outcome(
                of: response, to: request, requestTime: asked, responseTime: options.wallClock.now)
        let status = response.cacheOutcome == nil ? nil : response.fields["Cache-Status"]
        let provenance = Provenance(
            outcome, status: status, isPersonal: isPersonal(request, job), receivedAt: options.wallClock.now)
        return Original(
            body, head, ImageResponse.Origin(outcome.source), provenance, response.identity, bytes: bytes)
    }

    /// Bytes that the caller has.
    private func makeOriginal(_ data: Data, _ digest: String) throws(ImageError) -> Original {
        guard !data.isEmpty else { throw ImageError(.dataIsEmpty, "the source has no bytes") }
        return Original(
            .empty, StoredHead(url: "", status: 200, fields: [:]), .source, nil, BodyIdentity("data \(digest)"),
            bytes: Original.Bytes(data, room.share(of: data.count)))
    }

    /// A `data:` URL is its bytes.
    private func dataIdentity(_ request: HTTPRequest) -> BodyIdentity? {
        guard options.storage.keepsPrints, request.localScheme == .data else { return nil }
        return BodyIdentity("data \(Digest.sha256(request.url.absoluteString.utf8))")
    }
}

extension TransportError {
    /// Another request has read the body, and is done with its bytes or was cancelled. The store has it still.
    fileprivate static let bodyBegun = TransportError(bodyBegunCode, "another request has read the body")
    fileprivate static let bodyBegunCode = Code(rawValue: "bodyBegun")

    /// The connection ended before the body did.
    fileprivate var isBreak: Bool { code == .connectionLost || code == .truncatedBody }
}

extension ImageResponse.Origin {
    init(_ source: CacheOutcome.Source) {
        switch source {
        case .fresh: self = .disk
        case .revalidated: self = .revalidated
        case .stale: self = .stale
        default: self = .network
        }
    }
}

extension ImageError {
    /// The stored body is there, for a request that asks for it again.
    var isBegunBody: Bool { (underlying as? TransportError)?.code == TransportError.bodyBegunCode }
}
