public import CalotypeBase
public import Foundation

/// An HTTP request for a transport.
public struct HTTPRequest: Hashable, Sendable {
    /// The request's method. The default is GET.
    public var method: HTTPMethod {
        get { parts.value.method }
        set { parts.value.method = newValue }
    }
    /// The URL.
    public var url: URL {
        get { parts.value.url }
        set { parts.value.url = newValue }
    }
    /// The header fields.
    public var fields: HTTPFields {
        get { parts.value.fields }
        _modify { yield &parts.value.fields }
    }
    /// The body. If `nil` (the default), the request has neither a body nor a Content-Length.
    public var body: Data? {
        get { parts.value.body }
        set { parts.value.body = newValue }
    }
    /// A streaming body, in place of ``body``. A request with a streaming body is never repeated.
    package var upload: HTTPUpload? {
        get { parts.value.upload }
        set { parts.value.upload = newValue }
    }
    /// Whether the request has a body, even an empty one.
    package var hasContent: Bool { body != nil || upload != nil }
    /// The limits on the request's duration.
    public var timeouts: Timeouts {
        get { parts.value.timeouts }
        _modify { yield &parts.value.timeouts }
    }
    /// The request target to send unchanged in place of the URL's path and query, as a proxy does; `nil` by default.
    package var rawTarget: ByteString? {
        get { parts.value.rawTarget }
        set { parts.value.rawTarget = newValue }
    }
    /// The policy for HTTP caches. The default is `useProtocol`.
    package var cachePolicy: HTTPCachePolicy {
        get { parts.value.cachePolicy }
        set { parts.value.cachePolicy = newValue }
    }
    /// The cache key in place of the URL, for example for signed URLs. If `nil` (the default), caches use the URL.
    public var cacheKey: ByteString? {
        get { parts.value.cacheKey }
        set { parts.value.cacheKey = newValue }
    }
    /// The names of further fields with credentials. Like `Authorization` and `Cookie`, these fields are not sent to
    /// another origin after a redirect.
    public var credentialFields: [CaselessString] {
        get { parts.value.credentialFields }
        set { parts.value.credentialFields = newValue }
    }
    /// Whether the request may use a network in Low Data Mode. If `false`, it fails there with `networkConstrained`.
    /// The default is `true`. `CurlTransport` ignores the property, because libcurl cannot detect such networks.
    public var allowsConstrainedNetwork: Bool {
        get { parts.value.allowsConstrainedNetwork }
        set { parts.value.allowsConstrainedNetwork = newValue }
    }
    /// The client on whose behalf a server sends the request. Each client gets a fair share of host name lookups, and of the
    /// places of downloads. `nil` (the default) for none. Lookups are grouped by the last two labels of each name, too.
    package var client: String? {
        get { parts.value.client }
        set { parts.value.client = newValue }
    }
    /// The thing that the request asks for, if its URL is a placeholder; `nil` by default.
    package var subject: RequestSubject? {
        get { parts.value.subject }
        set { parts.value.subject = newValue }
    }
    /// The fields that depend on the URL. A redirect replaces them by those of its target. `nil` by default.
    package internal(set) var fieldsOfURL: FieldsOfURL? {
        get { parts.value.fieldsOfURL }
        set { parts.value.fieldsOfURL = newValue }
    }
    /// The redirects that led to this request, in their order. Empty by default, and unless a layer records them.
    package var redirects: [RedirectOutcome] {
        get { parts.value.redirects }
        set { parts.value.redirects = newValue }
    }
    /// Whether the program's owner has chosen the host of this exchange, so that it may have any address, also one that
    /// the transport's address rules refuse. The default is `false`.
    package var trustsHost: Bool {
        get { parts.value.trustsHost }
        set { parts.value.trustsHost = newValue }
    }
    /// The number of times that layers and the transport send the request again. If `nil` (the default), `retried`
    /// counts for each `send`.
    package var tries: RequestTries? {
        get { parts.value.tries }
        set { parts.value.tries = newValue }
    }
    /// The time limit for all exchanges of the request together. If `nil` (the default), each has its ``timeouts`` alone.
    /// `retried` repeats no request with a deadline after a timeout, nor one whose pause would end after it.
    package var deadline: RequestDeadline? {
        get { parts.value.deadline }
        set { parts.value.deadline = newValue }
    }
    /// The permission to store the response. If `nil` (the default), storing is allowed.
    package var storeDecision: StoreDecision? {
        get { parts.value.storeDecision }
        set { parts.value.storeDecision = newValue }
    }
    /// Whether the transport may open a stored body or a file only when the body is read (`false` by default). If the
    /// stored body is gone or the file has changed by then, reading throws `storedBodyGone`, and the caller repeats the
    /// request.
    package var allowsLazyBody: Bool {
        get { parts.value.allowsLazyBody }
        set { parts.value.allowsLazyBody = newValue }
    }
    /// Whether the response may contain a large stored body as a file; see `HTTPBody.slice`. The default is `false`.
    package var takesBodyAsFile: Bool {
        get { parts.value.takesBodyAsFile }
        set { parts.value.takesBodyAsFile = newValue }
    }

    private var parts: CopyOnWrite<Parts>

    private struct Parts: Hashable {
        var method: HTTPMethod
        var url: URL
        var fields: HTTPFields
        var body: Data?
        var upload: HTTPUpload?
        var timeouts: Timeouts
        var rawTarget: ByteString?
        var cachePolicy = HTTPCachePolicy.useProtocol
        var cacheKey: ByteString?
        var credentialFields: [CaselessString] = []
        var allowsConstrainedNetwork = true
        var client: String?
        var subject: RequestSubject?
        var tries: RequestTries?
        var deadline: RequestDeadline?
        var fieldsOfURL: FieldsOfURL?
        var storeDecision: StoreDecision?
        var allowsLazyBody = false
        var takesBodyAsFile = false
        var trustsHost = false
        var redirects: [RedirectOutcome] = []
    }

    /// Creates a request.
    public init(
        _ url: URL, method: HTTPMethod = .get, fields: HTTPFields = [:], body: Data? = nil,
        timeouts: Timeouts = Timeouts()
    ) {
        parts = CopyOnWrite(Parts(method: method, url: url, fields: fields, body: body, timeouts: timeouts))
    }

    /// Throws `malformedRequest` if the method, a field or the target could inject lines (RFC 9110 §5.5; RFC 9112
    /// §3.2).
    package func validate() throws(TransportError) {
        guard method.rawValue.isHTTPToken else {
            throw TransportError(.malformedRequest, "\"\(method.rawValue)\" is not a method")
        }
        for field in fields {
            guard field.name.isHTTPToken else {
                throw TransportError(.malformedRequest, "\"\(field.name)\" is not a field name")
            }
            guard field.value.withBytes({ $0.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 } }) else {
                throw TransportError(.malformedRequest, "the value of \(field.name) contains a line break or NUL")
            }
        }
        if let rawTarget, rawTarget.isEmpty || !rawTarget.withBytes({ $0.allSatisfy { $0 > 0x20 && $0 != 0x7F } }) {
            throw TransportError(.malformedRequest, "the request target is empty or contains an invalid byte")
        }
    }

    /// The limits on an exchange's duration. Time in the transport's queue does not count.
    public struct Timeouts: Hashable, Sendable {
        /// The limit for connecting, TLS included. The default is 10 s.
        public var connect: Duration
        /// The longest time without a byte from the server. The default is 15 s.
        public var idle: Duration
        /// The limit for the whole exchange, or `nil` (the default) for no limit.
        public var total: Duration?
        /// Whether `total` includes the time for which the body's reader pauses the transfer. The default is `true`.
        /// Use `false` if the reader pauses until memory is available.
        package var countsPauses = true
        /// A limit for the whole exchange that grows with the bytes received, or `nil` (the default) for none.
        public var pace: Pace?

        /// The time for which to retry, with pauses, while no connection can be made. If `nil` (the default), such a
        /// request fails like any other. Only `Transport.retried(_:clock:wallClock:jitter:)` uses it.
        public var connectivity: Duration?

        /// Creates timeouts.
        public init(
            connect: Duration = .seconds(10), idle: Duration = .seconds(15), total: Duration? = nil, pace: Pace? = nil
        ) {
            self.connect = connect
            self.idle = idle
            self.total = total
            self.pace = pace
        }
    }

    /// A minimum speed for an exchange. It ends exchanges with servers that send a few bytes now and then.
    ///
    /// The time for which the response's reader pauses the transfer does not count.
    public struct Pace: Hashable, Sendable {
        /// The time allowed for connecting, the head and a small body. The default is 60 s.
        public var base: Duration
        /// The number of received bytes that extend the limit by one second. The default is 1,000 bytes per second.
        public var bytesPerSecond: Int
        /// The maximum of the limit, however many bytes arrive. The default is 600 s.
        public var longest: Duration

        /// Creates a limit.
        public init(base: Duration = .seconds(60), bytesPerSecond: Int = 1_000, longest: Duration = .seconds(600)) {
            self.base = base
            self.bytesPerSecond = bytesPerSecond
            self.longest = longest
        }

        /// Returns the time allowed for an exchange that has received this number of bytes.
        public func limit(received: Int) -> Duration {
            min(base + .seconds(Double(received) / Double(max(bytesPerSecond, 1))), longest)
        }
    }
}

extension HTTPRequest {
    /// Whether the request has conditions, so that a 304 may be meant for its client (RFC 9110 §13.1).
    private var hasConditions: Bool {
        ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since"].contains { fields[$0] != nil }
    }

    /// Throws `malformedResponse` for a response without the whole content that the request asks for: a 304 without a
    /// condition, and a 206 without a range.
    package func checkAsked(for status: Int) throws(TransportError) {
        if status == 304, !hasConditions {
            throw TransportError(.malformedResponse, "the server answered 304 to an unconditional request")
        }
        if status == 206, fields["Range"] == nil {
            throw TransportError(.malformedResponse, "the server sent a part (206) without being asked for a range")
        }
    }
}
