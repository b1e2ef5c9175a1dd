internal import CalotypeHTTP
internal import Foundation

// Requests for the rest of a body: to complete a stored part, or for a reader too slow for its shared download.

extension CacheExchange {
    /// Requests the rest of a stored part (RFC 9111 §3.3). After a 304, a 416 or a 206 that does not continue the part,
    /// removes the part and returns `nil`.
    func resumed(
        _ plan: ExchangePlan, _ index: Int, _ fields: HTTPFields, drains: Bool
    ) async throws(TransportError) -> ExchangeOutcome? {
        let part = plan.variants[index]
        let exchanged = try await send(fields)
        let response = exchanged.response
        switch response.status {
        case 206:
            let combined = rules.combine(
                part.head, with: response.fields, for: asked, requestTime: exchanged.sent,
                responseTime: exchanged.came)
            // Read the stored bytes only now, so that a request in the transport's queue keeps none in memory.
            if case .append(let head) = combined, rules.mayStay(head),
                head.ended(bodyLength: head.bodyLength, isComplete: true)?.isComplete == true,
                let (start, writer) = await start(with: part, of: head.bodyLength)
            {
                let place = StorePlace(key: key, head: head, removals: exchanged.removals)
                return streaming(exchanged, place, plan, start: start, writer: writer, drains: drains)
            }
            fallthrough
        case 416, 304:
            await cache.remove([part.id], key)
            return nil
        default:
            return try await taken(exchanged, plan, drains: drains)
        }
    }

    /// Opens a stored part, and a writer for the whole body if it is large. A large part is read from the store while the
    /// body passes, and never as a whole.
    ///
    /// - Returns: `nil` if the part is gone.
    private func start(
        with part: StoredVariant, of length: Int
    ) async -> (start: BodyStart, writer: (any HTTPBodyWriter)?)? {
        let count = part.head.bodyLength
        guard count > 0 else { return nil }
        let writer = cache.streams(length) ? await cache.writer(for: key, length: length) : nil
        if writer != nil || cache.streams(count) {
            return await cache.streamedBody(of: part, key, in: 0..<count).map { (.stored($0, count), writer) }
        }
        guard let bytes = await cache.body(of: part, key), bytes.count == count else { return nil }
        return (.bytes(bytes), nil)
    }

    /// Fetches the rest of a body in a separate exchange, for a reader whose next bytes its shared download has
    /// dropped. Requires a strong ETag, which alone proves that both parts belong to one representation.
    func rest(of head: StoredResponse) -> Transfer.Rest {
        { [self] offset throws(TransportError) in
            let part = head.holding(offset, part: StoredPart(range: 0..<offset, completeLength: nil))
            guard cache.options.servesSlowReaders, asked.method == .get, head.isComplete,
                let fields = rules.rest(of: part)
            else { throw Transfer.leftBehind(at: offset) }
            let exchanged = try await send(fields)
            let response = exchanged.response
            guard response.status == 206, response.contentLength != nil,
                case .append(let whole) = rules.combine(
                    part, with: response.fields, for: asked, requestTime: exchanged.sent,
                    responseTime: exchanged.came),
                whole.ended(bodyLength: whole.bodyLength, isComplete: true)?.isComplete == true
            else { throw Transfer.leftBehind(at: offset) }
            return response.body
        }
    }
}
