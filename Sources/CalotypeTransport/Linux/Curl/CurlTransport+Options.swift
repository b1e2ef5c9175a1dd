extension CurlTransport {
    /// The options of a `CurlTransport`.
    public struct Options: Sendable {
        /// The maximum number of simultaneous connections to one origin (scheme, host and port). The default is 6.
        ///
        /// Over HTTP/1.1, this is also the maximum number of requests in flight to that origin.
        public var connectionsPerHost = 6
        /// The maximum number of requests in flight to one origin once it has answered over HTTP/2. The default is 100.
        public var streamsPerHost = 100
        /// The maximum number of requests in flight altogether. The default is 128.
        public var transferLimit = 128
        /// The maximum number of requests in flight that do not count toward the limits above, because they wait for
        /// their client to continue an upload or to read the response. The default is 0: all requests count.
        public var waitingLimit = 0
        /// The maximum number of requests in flight that do not count toward the limits above, because their server has
        /// sent nothing for `silence`. One host may have half of those that others leave. The default is 0: all count.
        var silentLimit = 0
        /// The time without a byte from the server after which a request no longer counts, halved for each other such
        /// request to the same origin, down to a fortieth. The default is 2 s.
        var silence = Duration.seconds(2)
        /// Whether a request counts until its task has taken the last byte, not only until that has arrived. The default
        /// is `false`.
        var keepsPlaces = false
        /// The minimum number of connections to keep open without a request. The default is `transferLimit`.
        var idleLimit = 0
        /// The condition for requests to begin, and their rate. If `nil` (the default), only the limits above apply.
        var admission: TransferLimits?
        /// Whether to prevent slow and unresponsive hosts from occupying all slots. The default is `false`.
        ///
        /// If `true`, a request to a host (on any port) or address starts only while more slots are free than that host
        /// or address occupies. The last eighth of the slots is for hosts without a request in flight. While requests
        /// wait for a slot, an exchange that moves fewer than 500 bytes a second over 60 s fails with `timedOut`.
        public var sharesPlaces = false
        /// The time over which `sharesPlaces` measures the rate of an exchange. The default is 60 s.
        var paceWindow = Duration.seconds(60)
        /// The maximum number of requests that wait for a slot. Others fail with `overloaded`. The default is 65,536.
        public var queueLimit = 65_536
        /// Whether to offer HTTP/2 over TLS. Plain http is always HTTP/1.1. The default is `true`.
        public var allowsHTTP2 = true
        /// The `User-Agent` of requests without this field, or `nil` to send no such field. The default is "Calotype".
        public var userAgent: String? = "Calotype"
        /// Whether to send only the request's fields, Host and the body's framing: no `User-Agent` and no
        /// `Accept-Encoding`. For proxies. The default is `false`.
        public var addsNothing = false
        /// The addresses to which to connect. The default is all. A proxy may have any address, and connects to the
        /// addresses of the names that it looks up itself.
        package var addresses = AddressRules.all
        /// The proxy. The default is `none`, whatever the environment variables contain.
        public var proxy = Proxy.none
        /// The path of a PEM file with the authorities to trust instead of the system's. If the file is unreadable, all
        /// TLS connections fail. The default is `nil`, for the system's authorities.
        public var certificateAuthorities: String?
        /// The maximum size of a response's head, in bytes, interim heads included. A larger head fails with
        /// `malformedResponse`. The default is 64 KiB.
        public var headLimit = 64 << 10
        /// The number of bytes to buffer for a body's reader before the transfer is paused. The default is 256 KiB.
        public var bodyBuffer = 256 << 10
        /// The memory for pieces of 256 KiB, over all bodies, in bytes. A body of which a piece has arrived, and whose reader has
        /// taken all of it, gets such pieces beyond `bodyBuffer`, so that its threads change less often. The first 32 requests
        /// in flight then also have buffers of 64 KiB. The default is 0: no body does.
        package var pieceLimit = 0

        /// Creates options with the defaults that each property documents.
        public init() {}

        /// The maximum number of requests that lend their slots.
        var lendingLimit: Int {
            let (sum, overflows) = max(waitingLimit, 0).addingReportingOverflow(max(silentLimit, 0))
            return overflows ? .max : sum
        }
    }

    /// The choice of a proxy.
    public struct Proxy: Hashable, Sendable {
        /// The proxy's URL; empty for no proxy, `nil` to read the environment variables.
        let url: String?

        /// No proxy.
        public static let none = Proxy(url: "")
        /// The proxy in `http_proxy`, `https_proxy` or `all_proxy`, with the exceptions in `no_proxy`.
        public static let environment = Proxy(url: nil)
        /// Returns a proxy with a URL such as `socks5h://localhost:1080`. Hosts in `no_proxy` are reached directly.
        public static func url(_ url: String) -> Proxy { Proxy(url: url) }
    }
}
