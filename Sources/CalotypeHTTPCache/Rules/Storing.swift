/// The decision whether a response may be stored, and as what. RFC 9111 §3.
package enum StoringDecision: Hashable, Sendable {
    /// The head to store; once the body has ended, ``StoredResponse/ended(bodyLength:isComplete:)`` has the last word.
    case store(StoredResponse)
    case no(StoringRefusal)
}

/// Why a response is not stored: a word for Cache-Status' `detail`. May grow.
package struct StoringRefusal: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The method's answers are not for later requests.
    package static let method = StoringRefusal(rawValue: "method")
    /// Interim, or an answer to this request's conditions or range alone.
    package static let status = StoringRefusal(rawValue: "status")
    /// The request said no-store.
    package static let requestNoStore = StoringRefusal(rawValue: "request-no-store")
    package static let noStore = StoringRefusal(rawValue: "no-store")
    /// must-understand, and we do not know the status.
    package static let notUnderstood = StoringRefusal(rawValue: "not-understood")
    /// For one user, and the cache is shared.
    package static let isPrivate = StoringRefusal(rawValue: "private")
    /// The request carried Authorization, and nothing allows a shared cache to keep the answer.
    package static let authorization = StoringRefusal(rawValue: "authorization")
    /// Set-Cookie, the cache is shared, and nothing explicit allows it to share the answer.
    package static let setCookie = StoringRefusal(rawValue: "set-cookie")
    /// `Vary: *`, or a Vary that is no list of names.
    package static let variesByAnything = StoringRefusal(rawValue: "vary")
    /// Nothing says that it may be stored, or it could never be used again: neither freshness nor a validator.
    package static let notReusable = StoringRefusal(rawValue: "not-reusable")
    /// A 206 without a Content-Range that makes sense.
    package static let range = StoringRefusal(rawValue: "range")
}
