public import CalotypeBase
public import Foundation

/// A final response: its head, and a body that is read as it arrives.
public struct HTTPResponse: Sendable {
    /// The URL of the response: the last one after redirects.
    public var url: URL {
        get { parts.value.url }
        set { parts.value.url = newValue }
    }
    /// The status code.
    public var status: Int {
        get { parts.value.status }
        set { parts.value.status = newValue }
    }
    /// The header fields.
    public var fields: HTTPFields {
        get { parts.value.fields }
        _modify { yield &parts.value.fields }
    }
    /// "1.0", "1.1" or "2"; empty for schemes without a version (`file:`, `data:`).
    public var version: ByteString {
        get { parts.value.version }
        set { parts.value.version = newValue }
    }
    /// The body, which is read once.
    public var body: HTTPBody {
        get { parts.value.body }
        set { parts.value.body = newValue }
    }
    /// The HTTP cache's report on the response; `nil` without a cache, and for a 504 in reply to `only-if-cached`.
    package var cacheOutcome: CacheOutcome? {
        get { parts.value.cacheOutcome }
        set { parts.value.cacheOutcome = newValue }
    }
    /// The redirects that led to the response, in their order. Empty by default, and unless a layer records them.
    package var redirects: [RedirectOutcome] {
        get { parts.value.redirects }
        set { parts.value.redirects = newValue }
    }
    /// The identity of the stored body; `nil` if the body will not be stored, or if the cache computes no identities.
    package var identity: BodyIdentity? {
        get { parts.value.identity }
        set { parts.value.identity = newValue }
    }

    private var parts: CopyOnWrite<Parts>

    private struct Parts {
        var url: URL
        var status: Int
        var fields: HTTPFields
        var version: ByteString
        var body: HTTPBody
        var cacheOutcome: CacheOutcome?
        var identity: BodyIdentity?
        var redirects: [RedirectOutcome] = []
    }

    /// Creates a response, for transports.
    public init(url: URL, status: Int, fields: HTTPFields = [:], version: ByteString = "1.1", body: HTTPBody = .empty) {
        parts = CopyOnWrite(Parts(url: url, status: status, fields: fields, version: version, body: body))
    }

    /// Content-Length as a number (RFC 9110 §8.6), or `nil` if it is absent or not a number.
    ///
    /// Several equal values, in a list or in several lines, count as one.
    public var contentLength: Int? { fields.contentLength }
}

extension HTTPFields {
    package var contentLength: Int? {
        guard let joined = self["Content-Length"] else { return nil }
        if let length = joined.asDigits { return length }
        let numbers = Set(joined.split(separator: 0x2C).filter { !$0.isEmpty }.map(\.trimmed.asDigits))
        return numbers.count == 1 ? numbers.first ?? nil : nil
    }
}
