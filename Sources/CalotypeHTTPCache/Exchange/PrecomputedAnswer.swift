internal import CalotypeBase
internal import CalotypeHTTP
internal import Foundation

/// A response computed in advance from the only variant of a URL that matches a request exactly: for a plain GET, or a 304
/// for a client that has this variant. It is valid while the variant is fresh. Only Age and Cache-Status change from hit
/// to hit.
final class PrecomputedAnswer: Sendable {
    /// The name of the cache.
    private let cache: String
    /// The URL of the request for which it was computed.
    private let url: URL
    private let status: Int
    /// The fields without Age and Cache-Status.
    private let fields: HTTPFields
    private let body: Data
    private let upstreamCacheStatus: ByteString?
    private let outcome: CacheOutcome
    private let identity: BodyIdentity?
    /// The times of this object's creation and of the variant's expiry, in seconds since 1970.
    private let made: Double
    private let freshUntil: Double
    /// The generation of the purges that left the variant as it is.
    private let purges: Int
    private let latest = Locked<Product?>(nil)

    /// The result of a caller's `make`, valid while age and remaining lifetime are the same in whole seconds.
    private struct Product {
        let age: Int
        let ttl: Int
        let value: any AnyObject & Sendable
    }

    /// - Parameter fields: The complete fields, as of `now`.
    init(
        cache: String, url: URL, status: Int, fields: HTTPFields, body: Data, outcome: CacheOutcome,
        identity: BodyIdentity?, now: Double, freshUntil: Double, purges: Int
    ) {
        self.cache = cache
        self.url = url
        self.status = status
        upstreamCacheStatus = fields["Cache-Status"]
        self.fields = fields.removing(["Age", "Cache-Status"])
        self.body = body
        self.outcome = outcome
        self.identity = identity
        made = now
        self.freshUntil = freshUntil
        self.purges = purges
    }

    func isRight(at now: Double, purges generation: Int) -> Bool {
        made <= now && now < freshUntil && purges == generation
    }

    private func age(at now: Double) -> Double { outcome.age + (now - made) }
    private func wholeAge(at now: Double) -> Int { Int(min(age(at: now), DeltaSeconds.limit)) }
    private func wholeTTL(at now: Double) -> Int { Int(min(freshUntil - now, 1e12).rounded(.down)) }

    /// Returns the result of `make` for the response, or an earlier result for the same age and remaining lifetime.
    func product<Value: AnyObject & Sendable>(now: Double, _ make: (HTTPResponse) -> Value) -> Value {
        let (age, ttl) = (wholeAge(at: now), wholeTTL(at: now))
        let known = latest.withLock { $0 }
        if let known, known.age == age, known.ttl == ttl, let value = known.value as? Value { return value }
        let value = make(response(to: url, now: now))
        latest.withLock { $0 = Product(age: age, ttl: ttl, value: value) }
        return value
    }

    func response(to url: URL, now: Double) -> HTTPResponse {
        var fields = fields
        fields.append("\(wholeAge(at: now))", to: "Age")
        let status = CacheStatus(hit: true, ttl: wholeTTL(at: now))
        fields.append(status.appended(to: upstreamCacheStatus, by: cache), to: "Cache-Status")
        var response = HTTPResponse(url: url, status: self.status, fields: fields, body: HTTPBody(body))
        var outcome = outcome
        outcome.age = age(at: now)
        outcome.status = status
        response.cacheOutcome = outcome
        response.identity = identity
        return response
    }
}

final class VariantMemo: Sendable {
    let plainAnswer = Locked<PrecomputedAnswer?>(nil)
    let confirmation = Locked<PrecomputedAnswer?>(nil)
    /// The time of the last use that the store recorded, in seconds since 1970.
    let noted = AtomicInteger(0)
    let mark = AtomicInteger(0)
}

extension [StoredVariant] {
    /// Returns the position of the variant stored for the values that the request has in the fields of Vary, or `nil` if
    /// there is none, or several because their Vary differs.
    func onlyExactMatch(for request: HTTPRequest) -> Int? {
        if count == 1, self[0].head.varying.isEmpty { return 0 }
        var presented = PresentedFields(request.fields)
        var match: Int?
        for index in indices where presented.isKey(of: self[index].head) {
            guard match == nil else { return nil }
            match = index
        }
        return match
    }
}

extension StoredVariant {
    /// Returns the storage for the precomputed response to this request, or `nil` if such requests get none.
    fileprivate func precomputed(for request: HTTPRequest) -> Locked<PrecomputedAnswer?>? {
        switch request.form {
        case .plain: memo.plainAnswer
        case .confirming(let tag): tag == head.fields["ETag"] ? memo.confirmation : nil
        case .special: nil
        }
    }
}

extension HTTPCache {
    /// Returns the precomputed response if it is valid for this request.
    ///
    /// - Parameter generation: The generation of the purges.
    func precomputedAnswer(
        to request: HTTPRequest, _ variants: [StoredVariant], now: Double, purges generation: Int
    ) -> PrecomputedAnswer? {
        guard let match = variants.onlyExactMatch(for: request),
            let answer = variants[match].precomputed(for: request)?.withLock({ $0 }),
            answer.isRight(at: now, purges: generation)
        else { return nil }
        noteUse(of: variants[match], among: variants)
        return answer
    }

    /// Notes the use of one of several variants. A variant that has none beside it does not need it.
    func noteUse(of variant: StoredVariant, among variants: [StoredVariant]) {
        if variants.count > 1 { uses.note(variant.id) }
    }

    /// Precomputes the response to a plain GET, or to one that validates this variant by its ETag, for the next hits.
    func remember(
        _ request: HTTPRequest, _ key: ByteString, _ variant: StoredVariant, freshness: Freshness, now: Double,
        purges generation: Int
    ) {
        let head = variant.head
        guard freshness.isFresh, head.isComplete, let body = variant.body,
            body.count == head.bodyLength, now >= head.responseTime, let place = variant.precomputed(for: request)
        else { return }
        func precomputed(_ status: Int, _ fields: HTTPFields, _ body: Data) -> PrecomputedAnswer {
            PrecomputedAnswer(
                cache: options.name, url: request.url, status: status, fields: fields, body: body,
                outcome: CacheOutcome(.fresh, freshness, of: head.fields, now: now),
                identity: identity(of: variant, key), now: now, freshUntil: now + freshness.ttl,
                purges: generation)
        }
        let answer: PrecomputedAnswer? =
            switch rules.answer(request, from: head, now: now) {
            case .whole(let fields): precomputed(head.status, fields, body)
            case .notModified(let fields): precomputed(304, fields, Data())
            case .part, .unsatisfiable: nil
            }
        place.withLock { $0 = answer }
    }
}

extension HTTPRequest {
    /// A GET for the whole response, without conditions, if this is a GET or HEAD; otherwise the request itself.
    var plain: HTTPRequest {
        guard method == .get || method == .head else { return self }
        var plain = self
        plain.method = .get
        plain.fields = fields.removing([
            "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "Range", "If-Range",
        ])
        return plain
    }

    enum Form {
        /// A GET without content, directives, conditions or a range.
        case plain
        /// A plain GET with one If-None-Match line, which has this value.
        case confirming(ByteString)
        case special
    }

    var form: Form {
        guard method == .get, !hasContent, rawTarget?.hasPrefix("/") ?? true else { return .special }
        var form = Form.plain
        for field in fields where Self.isSpecial(field.name) {
            guard case .plain = form, field.name == "If-None-Match" else { return .special }
            form = .confirming(field.value)
        }
        return form
    }

    private static func isSpecial(_ name: CaselessString) -> Bool {
        switch name.count {
        case 5: name == "Range"
        case 6: name == "Pragma"
        case 8: name == "If-Range" || name == "If-Match"
        case 13: name == "Cache-Control" || name == "If-None-Match"
        case 17: name == "If-Modified-Since"
        case 19: name == "If-Unmodified-Since"
        default: false
        }
    }
}
