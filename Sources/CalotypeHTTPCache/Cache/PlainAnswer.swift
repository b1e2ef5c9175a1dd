internal import CalotypeHTTP
internal import Foundation
internal import ResourceProvider

/// The answer of a URL's only variant to a GET that asks for nothing special: made once by the rules, good until the
/// variant is stale. What changes from hit to hit is its age.
struct PlainAnswer: Sendable {
    let url: URL
    let status: Int
    /// Without Age and Cache-Status.
    let fields: HTTPFields
    let body: Data
    let upstreamCacheStatus: String?
    let outcome: CacheOutcome
    /// When it was made, and until when it is right; seconds since 1970.
    let made: Double
    let freshUntil: Double

    func response(now: Double) -> HTTPResponse {
        var fields = fields
        let age = outcome.age + (now - made)
        fields.append(String(Int(min(age, DeltaSeconds.limit))), to: "Age")
        let ttl = Int(min(freshUntil - now, 1e12).rounded(.down))
        fields.append(CacheStatus(hit: true, ttl: ttl).appended(to: upstreamCacheStatus), to: "Cache-Status")
        var response = HTTPResponse(url: url, status: status, fields: fields, body: HTTPBody(body))
        var outcome = outcome
        outcome.age = age
        response.cacheOutcome = outcome
        return response
    }
}

/// What was made of a variant's head.
final class VariantMemo: Sendable {
    let plainAnswer = Locked<PlainAnswer?>(nil)
}

extension StoredVariant {
    func plainAnswer(now: Double) -> HTTPResponse? {
        guard let plain = memo.plainAnswer.withLock({ $0 }), plain.made <= now, now < plain.freshUntil else {
            return nil
        }
        return plain.response(now: now)
    }
}

extension HTTPCache {
    func rememberPlainAnswer(
        _ request: HTTPRequest, _ variant: StoredVariant, _ freshness: Freshness, now: Double
    ) {
        let head = variant.head
        guard freshness.isFresh, head.isComplete, head.varying.isEmpty, let body = variant.body,
            body.count == head.bodyLength, now >= head.responseTime,
            case .whole(var fields) = rules.answer(request, from: head, now: now)
        else { return }
        let upstream = fields["Cache-Status"]
        for name in ["Age", "Cache-Status"] { fields[name] = nil }
        let plain = PlainAnswer(
            url: request.url, status: head.status, fields: fields, body: body, upstreamCacheStatus: upstream,
            outcome: outcome(variant, .fresh, freshness, now: now), made: now, freshUntil: now + freshness.ttl)
        variant.memo.plainAnswer.withLock { $0 = plain }
    }
}

extension HTTPRequest {
    /// A GET without directives, conditions or a range.
    var isPlainGet: Bool {
        method == .get && rawTarget.map { $0.utf8.first == 0x2F } ?? true
            && !fields.contains { Self.isSpecial($0.name) }
    }

    private static func isSpecial(_ name: String) -> Bool {
        switch name.utf8.count {
        case 5: name.equalsIgnoringASCIICase("Range")
        case 6: name.equalsIgnoringASCIICase("Pragma")
        case 8: name.equalsIgnoringASCIICase("If-Range") || name.equalsIgnoringASCIICase("If-Match")
        case 13: name.equalsIgnoringASCIICase("Cache-Control") || name.equalsIgnoringASCIICase("If-None-Match")
        case 17: name.equalsIgnoringASCIICase("If-Modified-Since")
        case 19: name.equalsIgnoringASCIICase("If-Unmodified-Since")
        default: false
        }
    }
}
