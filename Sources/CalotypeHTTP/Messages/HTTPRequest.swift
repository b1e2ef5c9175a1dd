public import CalotypeBase
public import Foundation

/// One request as it goes to a transport.
public struct HTTPRequest: Hashable, Sendable {
    /// The request's method. The default is GET.
    public var method: HTTPMethod
    /// The URL that is asked for.
    public var url: URL
    /// The header fields.
    public var fields: HTTPFields
    /// Sent as it is. Nil: no body and no Content-Length.
    public var body: Data?
    /// A body that is sent as it comes, in place of ``body``. Such a request is never sent twice.
    package var upload: HTTPUpload?
    /// A Boolean value indicating whether a body is sent, if only an empty one.
    package var hasContent: Bool { body != nil || upload != nil }
    /// How long the request may take.
    public var timeouts: Timeouts
    /// The request target in place of the URL's path and query, byte for byte. For proxies; nil otherwise.
    package var rawTarget: ByteString?
    /// How a cache on the way may answer. `useProtocol` by default.
    package var cachePolicy = HTTPCachePolicy.useProtocol
    /// The cache's key for the answer in place of the URL, for URLs that carry a signature or the like. If `nil` (the
    /// default), the URL.
    public var cacheKey: ByteString?
    /// The names of further fields that say who asks. Like `Authorization` and `Cookie`, they do not follow a redirect to
    /// another origin.
    public var credentialFields: [CaselessString] = []
    /// A Boolean value indicating whether the request may use a network on which the user saves data ("Low Data Mode"). If `false`, it fails with
    /// `networkConstrained` there. The default is `true`. libcurl does not know such networks.
    public var allowsConstrainedNetwork = true
    /// Who asks, for a proxy that asks for others: clients share the lookups of host names. If `nil` (the default), the last two
    /// labels of each name do.
    package var client: String?
    /// Asked when the answer has come: may it be stored? Nil: yes.
    package var storageConsent: StorageConsent?
    /// Whether a stored body or a file may be opened as late as when the response's body is read. If it is gone by then,
    /// reading it throws `storedBodyGone`, and the caller sends the request again. The default is `false`.
    package var allowsLazyBody = false
    /// A Boolean value indicating whether a large stored body may be answered as a file. See `HTTPBody.slice`. The
    /// default is `false`.
    package var takesBodyAsFile = false

    /// Creates a request.
    public init(
        _ url: URL, method: HTTPMethod = .get, fields: HTTPFields = [:], body: Data? = nil,
        timeouts: Timeouts = Timeouts()
    ) {
        self.url = url
        self.method = method
        self.fields = fields
        self.body = body
        self.timeouts = timeouts
    }

    /// How long an exchange may take. Time spent waiting for a place in the transport's queue is not counted.
    public struct Timeouts: Hashable, Sendable {
        /// Until the connection stands, TLS included. 10 s.
        public var connect: Duration
        /// Without a byte from the server. 15 s.
        public var idle: Duration
        /// For the whole exchange. Nil, the default: no limit.
        public var total: Duration?
        /// A Boolean value indicating whether the time counts towards `total` in which the reader of the body lets the
        /// transfer wait. The default is `true`; a reader that waits for room in memory says `false`.
        package var countsPauses = true
        /// A limit for the whole exchange that grows with what has come. If `nil` (the default), there is none.
        public var pace: Pace?

        /// The time to try again, with pauses, while no connection can be made, because the network is away. If `nil` (the
        /// default), such a request fails as others do. Only `Transport.retried(_:clock:wallClock:jitter:)` looks at it.
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

    /// How slow a server may be before the exchange is given up: one that sends a byte now and then is never idle.
    ///
    /// The time in which the response's reader holds the transfer up is not counted.
    public struct Pace: Hashable, Sendable {
        /// The time for connecting, the head and a small body. The default is 60 s.
        public var base: Duration
        /// The slowest rate beyond that. The default is 1,000 bytes a second.
        public var bytesPerSecond: Int
        /// The most that base and bytes together allow. The default is 600 s.
        public var longest: Duration

        /// Creates a limit.
        public init(base: Duration = .seconds(60), bytesPerSecond: Int = 1_000, longest: Duration = .seconds(600)) {
            self.base = base
            self.bytesPerSecond = bytesPerSecond
            self.longest = longest
        }

        /// The time allowed for an exchange that has brought so many bytes.
        public func limit(received: Int) -> Duration {
            min(base + .seconds(Double(received) / Double(max(bytesPerSecond, 1))), longest)
        }
    }
}
