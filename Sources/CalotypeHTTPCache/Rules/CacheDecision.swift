package import CalotypeHTTP

/// The decision about a request. RFC 9111 §4. Indices are positions in the variants that were given.
package enum CacheDecision: Hashable, Sendable {
    /// Answer from the store: ``CacheRules/answer(_:from:validated:now:)``.
    case serve(Int, Freshness)
    /// Answer from the store, and send the request with these fields behind the client's back, once for all who ask
    /// (RFC 5861 §3).
    case serveAndRevalidate(Int, Freshness, Validation)
    /// Send the request with these fields; a 304 is for ``CacheRules/validated(_:for:by:with:requestTime:responseTime:)``.
    case validate(Validation, ForwardReason)
    /// Ask for what is missing of a stored part; a 206 is for ``CacheRules/combine(_:with:for:requestTime:responseTime:)``.
    case resume(Int, HTTPFields)
    /// Send the request as it is.
    case forward(ForwardReason)
    /// 504: the client wants nothing but what is stored (§5.2.1.7).
    case onlyIfCached
}

/// The fields that turn a request into a validation (RFC 9111 §4.3.1).
package struct Validation: Hashable, Sendable {
    /// The stored response that is to be confirmed; nil where none matches the request, but one of them may be what the
    /// origin would send.
    package let index: Int?
    /// Positions of the responses whose validators are in the fields.
    package let candidates: [Int]
    /// To set in the request, in place of its own fields of these names.
    package let fields: HTTPFields
    /// A Boolean value indicating whether the fields carry conditions of the client's too, so that a 304 may be for it
    /// alone.
    package let includesClientConditions: Bool
}

/// Why a request goes to the origin: the `fwd` parameter of RFC 9211 §2.2. May grow.
package struct ForwardReason: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The cache was told not to handle the request.
    package static let bypass = ForwardReason(rawValue: "bypass")
    package static let method = ForwardReason(rawValue: "method")
    /// Nothing is stored for the URL.
    package static let uriMiss = ForwardReason(rawValue: "uri-miss")
    /// No stored variant matches.
    package static let varyMiss = ForwardReason(rawValue: "vary-miss")
    package static let miss = ForwardReason(rawValue: "miss")
    /// The request's own directives or conditions.
    package static let request = ForwardReason(rawValue: "request")
    package static let stale = ForwardReason(rawValue: "stale")
    /// A part is stored that does not hold what was asked for.
    package static let partial = ForwardReason(rawValue: "partial")
}
