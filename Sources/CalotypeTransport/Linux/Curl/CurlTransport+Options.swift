extension CurlTransport {
    /// The options of a `CurlTransport`.
    public struct Options: Sendable {
        /// Connections to one origin (scheme, host and port) at a time. 6.
        ///
        /// Over HTTP/1.1 it is also the number of requests in flight there.
        public var connectionsPerHost = 6
        /// Requests in flight to one origin once it has answered over HTTP/2. 100.
        public var streamsPerHost = 100
        /// The number of requests in flight altogether. The default is 128.
        public var transferLimit = 128
        /// The number of requests that may exceed these limits because they wait for their client: for more of an upload's
        /// body, or until the response is read. They hold no place that another request needs. The default is 0: requests
        /// that wait hold their places.
        public var waitingLimit = 0
        /// A Boolean value indicating whether hosts share the places.
        ///
        /// The requests in flight to one host, whatever their ports, and those to one address are at most as many as there are
        /// free places for others; the last eighth of the places is for hosts without a request in flight. While others wait
        /// for a place, an exchange that moves fewer than 500 bytes a second over 60 s fails with `timedOut`. Hosts that do
        /// not answer, or hardly, then leave room for those that do. The default is `false`.
        public var sharesPlaces = false
        /// The time over which that pace is measured.
        package var paceWindow = Duration.seconds(60)
        /// Requests that may wait for a place. One more fails with `overloaded`. 65,536.
        public var queueLimit = 65_536
        /// Offer HTTP/2 over TLS. Cleartext is always HTTP/1.1.
        public var allowsHTTP2 = true
        /// Sent where a request has no `User-Agent`. Nil sends none.
        public var userAgent: String? = "Calotype"
        /// Send the fields of the request, Host and the body's framing, and nothing else: no `User-Agent`, no
        /// `Accept-Encoding`. For proxies. False.
        public var addsNothing = false
        /// No proxy by default, whatever the environment says.
        public var proxy = Proxy.none
        /// A PEM file with the authorities to trust in place of the system's. Every TLS connection fails while it cannot be read.
        public var certificateAuthorities: String?
        /// Bytes of a response's head, interim heads included. More fails with `malformedResponse`. 64 KiB.
        public var headLimit = 64 << 10
        /// Bytes of a body that are kept for a reader before the transfer is paused. 256 KiB.
        public var bodyBuffer = 256 << 10

        /// Creates options with the defaults that each property documents.
        public init() {}
    }

    /// By which proxy to go.
    public struct Proxy: Hashable, Sendable {
        /// An empty text is "none", `nil` leaves it to the environment.
        let url: String?

        /// Straight to the server.
        public static let none = Proxy(url: "")
        /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
        public static let environment = Proxy(url: nil)
        /// By this one, such as `http://proxy.example:3128` or `socks5h://localhost:1080`, except to the hosts in `no_proxy`.
        public static func url(_ url: String) -> Proxy { Proxy(url: url) }
    }
}
