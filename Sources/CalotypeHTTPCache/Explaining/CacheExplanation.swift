package import CalotypeHTTP

/// The decisions of a cache about a response, with the rules behind them.
package struct CacheExplanation: Hashable, Sendable {
    /// Whether the cache stores the response.
    package let isStored: Bool
    /// The lifetime and the age on arrival, in seconds.
    package let lifetime: Double
    package let age: Double
    /// The end of freshness, in seconds since 1970; `nil` if the response is not stored, or is validated before each use.
    package let freshUntil: Double?
    /// One or several rulings of each topic, in the order of the topics.
    package let rulings: [CacheRuling]
}

/// One decision, and the sections of the standards on which it is based.
package struct CacheRuling: Hashable, Sendable {
    /// The subject of a decision.
    package enum Topic: String, Sendable, CaseIterable {
        case storing, freshness, staleness, validation, variants, search, groups, ranges, repetition
    }

    package let topic: Topic
    /// The decision in words, with excerpts of field values, which may contain any character.
    package let text: String
    /// The sections, such as "RFC 9111 §4.2.1".
    package let sections: [String]

    init(_ topic: Topic, _ text: String, _ sections: String...) {
        (self.topic, self.text, self.sections) = (topic, text, sections)
    }
}

extension CacheRules {
    /// Returns the decisions about a response, as a cache with these rules makes them.
    ///
    /// - Parameters:
    ///   - request: The request as sent to the origin.
    ///   - response: The response to it, or to the same request by HEAD. The body is not read.
    ///   - requestTime: The time of the request, in seconds since 1970.
    ///   - responseTime: The time of the response's arrival, in seconds since 1970.
    package func explanation(
        of response: HTTPResponse, to request: HTTPRequest, requestTime: Double, responseTime: Double
    ) -> CacheExplanation {
        let decision = storing(
            request, status: response.status, fields: response.fields, requestTime: requestTime,
            responseTime: responseTime)
        switch decision {
        case .no(let refusal):
            return CacheExplanation(
                isStored: false, lifetime: 0, age: 0, freshUntil: nil,
                rulings: [
                    CacheRuling(.storing, "not stored: \(refusal.cause)", refusal.section),
                    CacheRuling(.repetition, "goes to the origin", "RFC 9111 §4"),
                ])
        case .store(let head):
            let whole = head.ended(bodyLength: response.contentLength ?? 0, isComplete: true)
            let stored = head.isComplete ? whole ?? head : head
            let freshness = freshness(of: stored, now: responseTime)
            return CacheExplanation(
                isStored: true, lifetime: freshness.lifetime, age: freshness.age,
                freshUntil: freshness.needsValidation ? nil : responseTime + freshness.ttl,
                rulings: storingRulings(stored, request, freshness)
                    + [freshnessRuling(stored, freshness, now: responseTime)]
                    + stalenessRulings(stored, freshness) + [validationRuling(stored)]
                    + variantRulings(stored) + searchRulings(stored) + groupRulings(stored)
                    + rangeRulings(stored) + [repetitionRuling(stored, request, now: responseTime)])
        }
    }
}

extension StoringRefusal {
    /// The cause in words.
    package var cause: String {
        switch self {
        case .method: "the method"
        case .status: "a status for this request alone"
        case .requestContent: "the request's content"
        case .requestNoStore: "the request's no-store"
        case .noStore: "no-store"
        case .notUnderstood: "must-understand, with an unknown status"
        case .isPrivate: "private"
        case .authorization: "the request's Authorization, without public, must-revalidate or s-maxage"
        case .setCookie: "Set-Cookie, without public or a lifetime"
        case .variesByAnything: "Vary names no list of fields"
        case .notReusable: "neither a lifetime nor a validator"
        case .range: "a part without a valid range"
        }
    }

    /// The section with the rule.
    package var section: String {
        switch self {
        case .method, .status, .notReusable, .setCookie: "RFC 9111 §3"
        case .requestContent: "RFC 9110 §9.3.1"
        case .requestNoStore: "RFC 9111 §5.2.1.5"
        case .noStore: "RFC 9111 §5.2.2.5"
        case .notUnderstood: "RFC 9111 §5.2.2.3"
        case .isPrivate: "RFC 9111 §5.2.2.7"
        case .authorization: "RFC 9111 §3.5"
        case .variesByAnything: "RFC 9111 §4.1"
        case .range: "RFC 9111 §3.3"
        }
    }
}
