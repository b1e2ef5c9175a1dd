/// Whether a response may be stored, and as what. RFC 9111 §3.
public enum StoringDecision: Hashable, Sendable {
    /// The head to store; once the body has ended, ``StoredResponse/ended(bodyLength:isComplete:)`` has the last word.
    case store(StoredResponse)
    case no(StoringRefusal)
}

/// Why a response is not stored: a word for Cache-Status' `detail`. May grow.
public struct StoringRefusal: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The method's answers are not for later requests.
    public static let method = StoringRefusal(rawValue: "method")
    /// Interim, or an answer to this request's conditions or range alone.
    public static let status = StoringRefusal(rawValue: "status")
    /// The request said no-store.
    public static let requestNoStore = StoringRefusal(rawValue: "request-no-store")
    public static let noStore = StoringRefusal(rawValue: "no-store")
    /// must-understand, and we do not know the status.
    public static let notUnderstood = StoringRefusal(rawValue: "not-understood")
    /// For one user, and the cache is shared.
    public static let isPrivate = StoringRefusal(rawValue: "private")
    /// The request carried Authorization, and nothing allows a shared cache to keep the answer.
    public static let authorization = StoringRefusal(rawValue: "authorization")
    /// Set-Cookie, the cache is shared, and nothing explicit allows it to share the answer.
    public static let setCookie = StoringRefusal(rawValue: "set-cookie")
    /// `Vary: *`, or a Vary that is no list of names.
    public static let variesByAnything = StoringRefusal(rawValue: "vary")
    /// Nothing says that it may be stored, or it could never be used again: neither freshness nor a validator.
    public static let notReusable = StoringRefusal(rawValue: "not-reusable")
    /// A 206 without a Content-Range that makes sense.
    public static let range = StoringRefusal(rawValue: "range")
}
