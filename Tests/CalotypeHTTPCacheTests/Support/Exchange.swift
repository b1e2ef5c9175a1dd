import CalotypeHTTP
import Foundation
import Testing

@testable import CalotypeHTTPCache

/// The starting time of all tests, in seconds since 1970: a quarter of a second past a full second.
let noon = 1_767_225_600.25

let pictureURL = "http://origin.test/picture"

func get(_ fields: HTTPFields = [:], _ url: String = pictureURL, method: HTTPMethod = .get) throws -> HTTPRequest {
    HTTPRequest(try #require(URL(string: url)), method: method, fields: fields.dated)
}

extension HTTPFields {
    /// The fields with each value "@n" replaced by the date n seconds after noon.
    var dated: HTTPFields {
        HTTPFields(
            map { field in
                guard field.value.hasPrefix("@"), let offset = Double(field.value.string.dropFirst()) else {
                    return field
                }
                return Field(name: field.name, value: HTTPDate.format(noon + offset))
            })
    }
}

/// The outcome of the second of two requests.
enum Use: Equatable {
    /// The first response was not stored.
    case notStored
    case served
    /// The response was served stale, and revalidated in the background.
    case servedMeanwhile
    case validated
    case forwarded
    case onlyIfCached
}

/// An exchange at noon, stored if that is allowed, and a request some seconds later.
struct Exchange: Sendable, CustomTestStringConvertible {
    static let both: [CacheRules.Mode] = [.shared, .private]
    static let shared: [CacheRules.Mode] = [.shared]
    static let alone: [CacheRules.Mode] = [.private]

    let claim: String
    let modes: [CacheRules.Mode]
    let status: Int
    let response: HTTPFields
    let first: HTTPFields
    let second: HTTPFields
    let wait: Double
    let expected: Use

    init(
        _ claim: String, _ modes: [CacheRules.Mode], status: Int = 200, _ response: HTTPFields,
        first: HTTPFields = [:], second: HTTPFields = [:], after wait: Double = 3, _ expected: Use
    ) {
        self.claim = claim
        self.modes = modes
        self.status = status
        self.response = response
        self.first = first
        self.second = second
        self.wait = wait
        self.expected = expected
    }

    /// Creates a case for both modes of the cache.
    init(
        _ claim: String, status: Int = 200, _ response: HTTPFields, first: HTTPFields = [:], second: HTTPFields = [:],
        after wait: Double = 3, _ expected: Use
    ) {
        self.init(
            claim, Self.both, status: status, response, first: first, second: second, after: wait, expected)
    }

    var testDescription: String { claim }

    func check() throws {
        for mode in modes { #expect(try use(in: mode) == expected, "\(mode.rawValue)") }
    }

    private func use(in mode: CacheRules.Mode) throws -> Use {
        var rules = CacheRules(mode)
        rules.negativeLifetime = .zero
        guard let stored = try stored(by: rules) else { return .notStored }
        switch rules.decide(try get(second), variants: [stored], now: noon + wait) {
        case .serve: return .served
        case .serveAndRevalidate: return .servedMeanwhile
        case .validate: return .validated
        case .resume, .forward: return .forwarded
        case .onlyIfCached: return .onlyIfCached
        }
    }

    func stored(by rules: CacheRules) throws -> StoredResponse? {
        let decision = rules.storing(
            try get(first), status: status, fields: response.dated, requestTime: noon, responseTime: noon)
        guard case .store(let head) = decision else { return nil }
        return head.ended(bodyLength: 10, isComplete: true)
    }
}

/// Returns a stored response of ten bytes to a plain GET at noon.
func stored(
    _ fields: HTTPFields, status: Int = 200, first: HTTPFields = [:], by rules: CacheRules = CacheRules(.shared),
    at time: Double = noon
) throws -> StoredResponse {
    let decision = rules.storing(
        try get(first), status: status, fields: fields.dated, requestTime: time, responseTime: time)
    guard case .store(let head) = decision else {
        throw NotStored(decision: decision)
    }
    return try #require(head.ended(bodyLength: head.part?.range.count ?? 10, isComplete: true))
}

struct NotStored: Error {
    let decision: StoringDecision
}
