import CalotypeBase
public import CalotypeHTTP
import Foundation

/// HTTP/1.1 and HTTP/2 by libcurl: one exchange at a time as it goes over the wire, many side by side.
///
/// All of curl runs on one thread of the transport's own; nothing here blocks the caller's. Connections are kept and
/// shared. Requests that find no free place wait by priority, first in first out within one, and move when their
/// `DynamicPriority` changes.
///
/// A response is returned when its head is there. Its body streams at the reader's pace: a transfer whose reader does
/// not read is paused, with at most `Options.bodyBuffer` bytes (and one read of curl's) in memory. A body let go unread ends its transfer.
///
/// Host names are looked up on threads that all transports of a process share, before a request has a place, and are remembered for 60 s. By way of a
/// proxy only the proxy's name is looked up.
///
/// It sends `Accept-Encoding: identity` unless the request carries another, follows no redirect, keeps no cookie, and
/// takes no proxy from the environment unless asked.
///
/// The thread ends when the transport and every body it gave out are gone.
public final class CurlTransport: Transport {
    private let loop: CurlLoop

    /// - Parameter options: limits below 1 count as 1.
    public convenience init(options: Options = Options()) {
        self.init(options: options, resolver: .shared)
    }

    package init(options: Options, resolver: NameResolver) {
        loop = CurlLoop(options: options, resolver: resolver)
        loop.start()
    }

    deinit { loop.shutDown() }

    /// How many requests wait for a name or a place, and how many are under way.
    public var load: (waiting: Int, inFlight: Int) { loop.load }

    /// Ends every exchange with `cancelled`, at once. Later requests fail with it, too.
    public func shutDown() {
        loop.shutDown()
    }

    /// - Throws: `unsupportedScheme` and `malformedURL` before anything is sent; `overloaded` when the queue is full.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let exchange = CurlExchange(request, origin: try origin(of: request), priority: .current, loop: loop)
        return try await exchange.response(to: request, keeping: self)
    }

    private func origin(of request: HTTPRequest) throws(TransportError) -> HTTPOrigin {
        let origin = try HTTPOrigin(request.url)
        try request.validate()
        return origin
    }
}
