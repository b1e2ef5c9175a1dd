internal import CalotypeBase
public import CalotypeHTTP
internal import Foundation

extension HTTPCache {
    /// Returns a stored response from memory that needs no validation, without suspending, in a few microseconds.
    ///
    /// Returns `nil` if memory has no such response or the request's policy is not `useProtocol`. In both cases, no
    /// request has been sent: send it with the transport of `cached(in:)`.
    public func immediateAnswer(to request: HTTPRequest) -> HTTPResponse? {
        immediateAnswer(to: inbound(request), requestKey(for: request))
    }

    /// Returns the request; in a gateway, without the client's caching directives.
    func inbound(_ request: HTTPRequest) -> HTTPRequest {
        guard options.isGateway, request.fields.contains("Cache-Control") || request.fields.contains("Pragma") else {
            return request
        }
        var request = request
        request.fields = request.fields.removing(["Cache-Control", "Pragma"])
        return request
    }

    func immediateAnswer(to request: HTTPRequest, _ key: RequestKey) -> HTTPResponse? {
        guard let variants = immediateVariants(for: request, key) else { return nil }
        let (now, generation) = (wallClock.now, purgeGeneration)
        if let known = precomputedAnswer(to: request, variants, now: now, purges: generation) {
            return known.response(to: request.url, now: now)
        }
        return freshAnswer(to: request, key.key, variants, now: now, purges: generation)
    }

    /// Returns the result of `make` for the response of ``immediateAnswer(to:)``, if there is one. Hits within a second
    /// may share a result, so that `make` must depend only on the status, fields and body of the response.
    package func immediateAnswer<Product: AnyObject & Sendable>(
        to request: HTTPRequest, make: (HTTPResponse) -> Product
    ) -> Product? {
        let (request, key) = (inbound(request), requestKey(for: request))
        guard let variants = immediateVariants(for: request, key) else { return nil }
        let (now, generation) = (wallClock.now, purgeGeneration)
        if let known = precomputedAnswer(to: request, variants, now: now, purges: generation) {
            return known.product(now: now, make)
        }
        return freshAnswer(to: request, key.key, variants, now: now, purges: generation).map(make)
    }

    /// Returns `true` if the cache has no response for the request, fresh or stale, and no exchange in flight that the
    /// request would join; `false` also if only a look-up that takes time could decide. Does not suspend.
    package func surelyLacks(_ request: HTTPRequest) -> Bool {
        let key = requestKey(for: request).key
        // In the order in which a response passes through them, so that none is missed.
        return !flights.isInFlight(ExchangeFlight(of: request, key, in: self)) && transfers.items(for: key).isEmpty
            && files?.surelyLacks(key) == true
    }

    private func immediateVariants(for request: HTTPRequest, _ key: RequestKey) -> [StoredVariant]? {
        guard request.cachePolicy == .useProtocol, let variants = store.immediateVariants(of: key.key) else {
            return nil
        }
        return key.variance == nil ? variants : variants.filter { key.covers($0.head) }
    }

    /// - Parameter generation: The generation of purges, read before this call judges the variants by them.
    private func freshAnswer(
        to request: HTTPRequest, _ key: ByteString, _ variants: [StoredVariant], now: Double, purges generation: Int
    ) -> HTTPResponse? {
        guard purged(variants, key) == nil,
            case .serve(let index, let freshness) = rules.decide(request, variants: variants.map(\.head), now: now),
            let body = variants[index].body
        else { return nil }
        if variants.onlyExactMatch(for: request) == index {
            remember(request, key, variants[index], freshness: freshness, now: now, purges: generation)
        }
        noteUse(of: variants[index], among: variants)
        let status = CacheStatus(hit: true, ttl: freshness.wholeTTL)
        return answer(
            to: request, key: key, from: variants[index], body: body, source: freshness.isFresh ? .fresh : .stale,
            freshness, status, now: now)
    }

    /// - Returns: `nil` if the body does not have the length that the head announces.
    func answer(
        to request: HTTPRequest, key: ByteString, from variant: StoredVariant, body: Data,
        source: CacheOutcome.Source, _ freshness: Freshness, _ status: CacheStatus, now: Double
    ) -> HTTPResponse? {
        guard body.count == variant.head.bodyLength else { return nil }
        let answer = rules.answer(request, from: variant.head, validated: source == .revalidated, now: now)
        return response(
            to: request, key: key, from: variant, answer, source: source, freshness, status, now: now
        ) { range in
            let start = body.startIndex
            return HTTPBody(
                range.count == body.count ? body : body[(start + range.lowerBound)..<(start + range.upperBound)])
        }
    }

    /// - Parameter body: Returns a range of the stored bytes as a body.
    func response(
        to request: HTTPRequest, key: ByteString, from variant: StoredVariant, _ answer: ClientAnswer,
        source: CacheOutcome.Source, _ freshness: Freshness, _ status: CacheStatus, now: Double,
        body: (Range<Int>) -> HTTPBody
    ) -> HTTPResponse {
        let head = variant.head
        var response: HTTPResponse
        switch answer {
        case .whole(let fields):
            response = HTTPResponse(
                url: request.url, status: head.status, fields: fields,
                body: request.method == .head ? .empty : body(0..<head.bodyLength))
        case .part(let range, let fields):
            response = HTTPResponse(url: request.url, status: 206, fields: fields, body: body(range))
        case .notModified(let fields):
            response = HTTPResponse(url: request.url, status: 304, fields: fields)
        case .unsatisfiable(let fields):
            response = HTTPResponse(url: request.url, status: 416, fields: fields)
        }
        response.say(status, CacheOutcome(source, freshness, of: head.fields, now: now), by: self)
        response.identity = identity(of: variant, key)
        return response
    }
}

extension Freshness {
    var wholeTTL: Int { Int(max(-1e12, min(1e12, ttl.rounded(.down)))) }
}

extension HTTPResponse {
    mutating func say(_ status: CacheStatus, _ outcome: CacheOutcome? = nil, by cache: HTTPCache) {
        fields["Cache-Status"] = status.appended(to: fields["Cache-Status"], by: cache.options.name)
        cacheOutcome = outcome
        cacheOutcome?.status = status
    }
}
