import CalotypeBase
public import CalotypeHTTP
import Foundation

/// A transport for HTTP/1.1 and HTTP/2 by libcurl.
///
/// curl runs on one thread of the transport; calls never block the caller's thread. Connections are kept open and
/// shared. Requests that find no free slot wait by priority, first in first out within a priority, and move when their
/// `DynamicPriority` changes.
///
/// `send` returns a response when its head has arrived. If the body's reader stops, the transfer is paused, with at
/// most `Options.bodyBuffer` bytes and one buffer of curl's in memory. Releasing a body unread ends its transfer.
///
/// Host names are looked up before a request gets a slot, on threads shared by all transports of the process, and
/// cached for 60 s. With a proxy other than `socks4` and `socks5`, only the proxy's name is looked up.
///
/// The transport follows no redirects, keeps no cookies, and sends `Accept-Encoding: identity` unless the request has
/// an `Accept-Encoding`. Its thread ends when the transport and all its bodies have been released.
public final class CurlTransport: Transport {
    private let loop: CurlLoop

    /// - Parameter options: The options. Limits below 1 count as 1.
    public convenience init(options: Options = Options()) {
        self.init(options: options, resolver: .shared)
    }

    init(options: Options, resolver: NameResolver) {
        loop = CurlLoop(options: options, resolver: resolver)
        loop.start()
    }

    deinit { loop.shutDown() }

    /// The numbers of requests that wait for a name or a slot, and of requests in flight.
    public var load: (waiting: Int, inFlight: Int) { loop.load }

    package var slots: TransferSlots { loop.slots }

    /// The number of large pieces of bodies in memory.
    package var pieces: Int { loop.room?.used ?? 0 }

    /// Whether all slots of an origin, or all slots, have belonged to transfers that have ended for this time.
    package func isStuck(after limit: Duration) -> Bool {
        slots.endedSince.map { monotonicNanoseconds() >= $0.advanced(bySaturating: limit) } ?? false
    }

    /// Ends all exchanges at once with `cancelled`. Later requests fail with `cancelled`, too.
    public func shutDown() {
        loop.shutDown()
    }

    /// - Throws: `unsupportedScheme`, `malformedURL` and `malformedRequest` before anything is sent; `overloaded` if
    ///   the queue of requests or of names is full; otherwise the failure of the exchange.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let origin = try HTTPOrigin(request.url)
        try request.validate()
        let exchange = CurlExchange(request, origin: origin, priority: .current, loop: loop)
        return try await exchange.response(to: request, keeping: self)
    }
}
