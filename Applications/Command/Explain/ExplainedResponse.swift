import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import Foundation

/// A request and the head of its response, with the times of both in seconds since 1970.
struct ExplainedExchange: Sendable {
    let request: HTTPRequest
    let response: HTTPResponse
    let requestTime: Double
    let responseTime: Double

    /// The request whose response is stored. A HEAD stands for the GET, whose body is not needed.
    var stored: HTTPRequest {
        var request = request
        request.method = .get
        return request
    }
}

/// The decisions of some caches about one response.
struct ExplainedResponse: Sendable {
    let exchange: ExplainedExchange
    let caches: [(cache: ExplainedCache, explanation: CacheExplanation)]

    init(_ exchange: ExplainedExchange, _ caches: [ExplainedCache]) {
        self.exchange = exchange
        self.caches = caches.map { cache in
            let explanation = cache.rules.explanation(
                of: exchange.response, to: exchange.stored, requestTime: exchange.requestTime,
                responseTime: exchange.responseTime)
            return (cache, explanation)
        }
    }

    // MARK: Text

    /// The page: the response, its fields, and one paragraph for each cache.
    var lines: [OutputLine] {
        let response = exchange.response
        let url = ByteString(response.url.absoluteString)
        var lines: [OutputLine] = ["\(name: url): \("\(response.status)"), by \(exchange.request.method.rawValue)"]
        lines += response.fields.filter(\.concernsCaches).map { field in
            let value = field.isSecret ? "…" : field.value.displayed.shortened
            return OutputLine("  \(field.name.string.shortened): \(value)")
        }
        for index in caches.indices { lines += paragraph(index) }
        return lines
    }

    /// Returns the decisions of a cache; if an earlier one decides on the same subjects, only the differences from it.
    private func paragraph(_ index: Int) -> [OutputLine] {
        let (cache, explanation) = caches[index]
        let topics = explanation.topics
        let earlier = caches[..<index].first { $0.explanation.topics == topics }
        guard let earlier else { return ["", OutputLine(cache.title)] + lines(explanation, of: topics) }
        let different = topics.filter { explanation.rulings(on: $0) != earlier.explanation.rulings(on: $0) }
        let title = "\(cache.title): like \(earlier.cache.title.loweringFirst)\(different.isEmpty ? "" : ", but")"
        return ["", OutputLine(title)] + lines(explanation, of: different)
    }

    private func lines(_ explanation: CacheExplanation, of topics: [CacheRuling.Topic]) -> [OutputLine] {
        topics.flatMap { topic in
            explanation.rulings(on: topic).enumerated().map { number, ruling in
                let heading = number == 0 ? topic.heading : ""
                let padding = String(repeating: " ", count: 15 - heading.count)
                return OutputLine("  \(heading)\(padding)\(ruling.text) (\(ruling.sections.joined(separator: ", ")))")
            }
        }
    }
}

extension CacheExplanation {
    fileprivate var topics: [CacheRuling.Topic] {
        CacheRuling.Topic.allCases.filter { topic in rulings.contains { $0.topic == topic } }
    }

    fileprivate func rulings(on topic: CacheRuling.Topic) -> [CacheRuling] { rulings.filter { $0.topic == topic } }
}

extension CacheRuling.Topic {
    fileprivate var heading: String {
        switch self {
        case .storing: "storage"
        case .freshness: "freshness"
        case .staleness: "once stale"
        case .validation: "validation"
        case .variants: "variants"
        case .search: "other queries"
        case .groups: "groups"
        case .ranges: "interruption"
        case .repetition: "asked again"
        }
    }
}

extension HTTPFields.Field {
    private static let names: [CaselessString] = [
        "Accept-Ranges", "Age", "Cache-Control", "Cache-Group-Invalidation", "Cache-Groups", "Cache-Status",
        "CDN-Cache-Control", "Content-Encoding", "Content-Length", "Content-Range", "Content-Type", "Date", "ETag",
        "Expires",
        "Last-Modified", "Location", "No-Vary-Search", "Pragma", "Set-Cookie", "Surrogate-Control", "Vary",
    ]

    fileprivate var concernsCaches: Bool { Self.names.contains(name) }
    fileprivate var isSecret: Bool { name == "Set-Cookie" }
}

extension String {
    /// The text, shortened to a line or two of a terminal.
    fileprivate var shortened: String { utf8.count > 160 ? "\(prefix(140))… (\(utf8.count) bytes)" : self }

    fileprivate var loweringFirst: String {
        let second = dropFirst().first
        return second == " " ? prefix(1).lowercased() + dropFirst() : self
    }
}

// MARK: JSON

extension ExplainedResponse: Encodable {
    private enum Key: String, CodingKey {
        case ok, url, method, status, time, fields, caches
    }

    private struct Field: Encodable {
        let name: String
        let value: String
        let valueBytes: Data?
    }

    private struct Rule: Encodable {
        let subject: String
        let decision: String
        let sections: [String]
    }

    private struct Cache: Encodable {
        let cache: String
        let stored: Bool
        let lifetime: JSONNumber?
        let age: JSONNumber?
        /// The end of freshness, in seconds since 1970.
        let freshUntil: JSONNumber?
        let rules: [Rule]
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(true, forKey: .ok)
        try object.encode(exchange.response.url.withoutUserInfo.absoluteString, forKey: .url)
        try object.encode(exchange.request.method.rawValue.string, forKey: .method)
        try object.encode(exchange.response.status, forKey: .status)
        try object.encode(JSONNumber(value: exchange.responseTime.rounded(.down)), forKey: .time)
        let fields = exchange.response.fields.filter { !$0.isSecret }.map { field in
            Field(name: field.name.string, value: field.value.displayed, valueBytes: field.value.bytesUnlessText)
        }
        try object.encode(fields, forKey: .fields)
        let caches = caches.map { cache, explanation in
            let rules = explanation.rulings.map { ruling in
                Rule(subject: ruling.topic.rawValue, decision: ruling.text, sections: ruling.sections)
            }
            return Cache(
                cache: cache.name, stored: explanation.isStored,
                lifetime: explanation.isStored ? JSONNumber(value: explanation.lifetime) : nil,
                age: explanation.isStored ? JSONNumber(value: explanation.age.rounded(.down)) : nil,
                freshUntil: explanation.freshUntil.map { JSONNumber(value: $0.rounded(.down)) }, rules: rules)
        }
        try object.encode(caches, forKey: .caches)
    }
}
