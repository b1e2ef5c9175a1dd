import Calotype
import CalotypeHTTPCache

/// An explanation of the cache's decision about one image, with the rules behind the decision.
struct CacheVerdict: Hashable, Sendable, Encodable {
    /// The decision in words, such as "fresh for 59 s" or "stale; the origin confirmed it (304)".
    let decision: String
    /// The sections of the standards that contain the rules, such as "RFC 9111 §4.2".
    let rules: [String]
    let status: String?

    var text: String { rules.isEmpty ? decision : "\(decision) (\(rules.joined(separator: ", ")))" }

    private typealias Verdict = (decision: String, rules: [String])

    init(_ report: CacheDecisionReport) {
        status = report.status?.string
        (decision, rules) = CacheVerdict.verdict(report.outcome)
    }

    private static func verdict(_ outcome: CacheOutcome) -> Verdict {
        guard let member = outcome.status else { return ("the cache was not used", []) }
        if member.hit { return hit(member, outcome) }
        return outcome.source == .stale ? failedOrigin(member) : asked(member)
    }

    private static func hit(_ member: CacheStatus, _ outcome: CacheOutcome) -> Verdict {
        let ttl = member.ttl ?? 0
        if outcome.source == .fresh {
            let rule = outcome.isExplicit ? "RFC 9111 §4.2.1" : "RFC 9111 §4.2.2"
            return ("fresh for \(seconds(ttl))\(outcome.isExplicit ? "" : " by heuristic")", [rule])
        }
        let age = "stale for \(seconds(-ttl))"
        if member.detail == "stale-while-revalidate" {
            return ("\(age), used during revalidation", ["RFC 5861 §3"])
        }
        return ("\(age), used because the request accepts it", ["RFC 9111 §4.2.4"])
    }

    private static func failedOrigin(_ member: CacheStatus) -> Verdict {
        let failure =
            member.forwardStatus.map { "the origin answered \($0)" }
            ?? (member.detail == "malformed" ? "the origin's response was malformed" : "the origin cannot be reached")
        return ("stale, used because \(failure)", ["RFC 9111 §4.2.4", "RFC 5861 §4"])
    }

    private static func asked(_ member: CacheStatus) -> Verdict {
        let (text, rule) = reason(member)
        if member.forwardStatus == 304 {
            return ("\(text); the origin confirmed it (304)\(goodFor(member))", [rule, "RFC 9111 §4.3.4"])
        }
        let (kept, keptRule) = storing(member)
        let answer = member.forwardStatus.map { "; the origin answered \($0)" } ?? ""
        let shared = member.collapsed ? "; shared with another request" : ""
        return ("\(text)\(answer)\(shared); \(kept)", rule == keptRule ? [rule] : [rule, keptRule])
    }

    /// Returns the reason for a request to the origin (RFC 9211 §2.2).
    private static func reason(_ member: CacheStatus) -> (text: String, rule: String) {
        switch member.forward {
        case .uriMiss, .miss: ("not stored before", "RFC 9111 §4")
        case .varyMiss: ("no stored variant matches", "RFC 9111 §4.1")
        case .stale: ("stale", "RFC 9111 §4.2")
        case .partial: ("only a part was stored", "RFC 9111 §3.4")
        case .request: ("the request does not accept the stored response", "RFC 9111 §5.2.1")
        case .method: ("the method bypasses the cache", "RFC 9111 §4")
        case .bypass, nil: ("the cache was bypassed", "RFC 9111 §4")
        }
    }

    private static func storing(_ member: CacheStatus) -> (text: String, rule: String) {
        if member.stored || member.collapsed { return ("stored\(goodFor(member))", "RFC 9111 §3") }
        guard let word = member.detail else { return ("not stored", "RFC 9111 §3") }
        guard let refusal = StoringRefusal(rawValue: word) else { return ("not stored: \(word)", "RFC 9111 §3") }
        return ("not stored: \(refusal.cause)", refusal.section)
    }

    private static func goodFor(_ member: CacheStatus) -> String {
        guard let ttl = member.ttl, ttl > 0 else { return ", revalidated on each use" }
        return ", fresh for \(seconds(ttl))"
    }

    private static func seconds(_ count: Int) -> String {
        switch abs(count) {
        case ..<120: "\(count) s"
        case ..<7200: "\(count / 60) min"
        case ..<172_800: "\(count / 3600) h"
        default: "\(count / 86_400) days"
        }
    }
}
