import CalotypeBase

/// Requests to an HTTP cache, each with the origin's replies and the response that the client gets. The same case runs
/// against the library and through a proxy.
package struct CacheCase: Sendable, CustomStringConvertible {
    package typealias Fields = [(name: String, value: String)]

    /// The kinds of caches for which the case holds.
    package enum Mode: String, Sendable, CaseIterable { case shared, `private` }

    /// A reply of the origin. A value "@n" is the date n seconds from now; a reply without Date has "@0".
    package struct Reply: Sendable {
        package let status: Int
        package let fields: Fields
        package let body: String

        package init(_ status: Int, _ fields: [String: String] = [:], _ body: String = "") {
            self.status = status
            self.fields = fields.merging(["Date": "@0"]) { own, _ in own }.map { ($0.key, $0.value) }
            self.body = body
        }
    }

    package struct Step: Sendable {
        package let method: String
        package let request: Fields
        /// The replies to the requests that the origin gets, in order. If empty, the cache must not ask.
        package let replies: [Reply]
        package let status: Int
        package let body: String?
        /// Fields that the last request to the origin has; `nil` if it lacks the field.
        package let seen: [String: String?]
        /// Fields that the client's response has; `nil` if it lacks the field.
        package let got: [String: String?]

        package init(
            _ method: String = "GET", _ request: [String: String] = [:], from replies: [Reply] = [], is status: Int,
            _ body: String? = nil, seen: [String: String?] = [:], got: [String: String?] = [:]
        ) {
            self.method = method
            self.request = request.map { ($0.key, $0.value) }
            self.replies = replies
            self.status = status
            self.body = body
            self.seen = seen
            self.got = got
        }
    }

    package let claim: String
    package let modes: [Mode]
    package let steps: [Step]

    package init(_ claim: String, in modes: [Mode] = Mode.allCases, _ steps: [Step]) {
        self.claim = claim
        self.modes = modes
        self.steps = steps
    }

    package var description: String { claim }
}

extension CacheCase {
    /// Returns the value with a date in place of "@n".
    package static func value(_ text: String, now: Double, date: (Double) -> String) -> String {
        guard text.hasPrefix("@"), let offset = Double(text.dropFirst()) else { return text }
        return date(now + offset)
    }
}

/// The replies that the origin of a case still has to give, and the requests that it got.
package final class CacheCaseScript: Sendable {
    private let rest = Locked<[CacheCase.Reply]>([])

    package init() {}

    package func add(_ replies: [CacheCase.Reply]) { rest.withLock { $0 += replies } }

    /// The number of replies that were not asked for.
    package var count: Int { rest.withLock { $0.count } }

    package func next() -> CacheCase.Reply {
        rest.withLock { $0.isEmpty ? CacheCase.Reply(500, [:], "the cache asked too often") : $0.removeFirst() }
    }
}
