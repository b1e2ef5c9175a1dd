import CalotypeBase
package import Foundation

/// An HTTP/1.1 server on a socket: requests in, a closure's answers out.
///
/// ```swift
/// let listener = try Listener { request in
///     ListenerResponse(fields: ["Content-Type": "text/plain"], body: Data("You asked for \(request.target)".utf8))
/// }
/// print(listener.url)
/// ```
///
/// It listens when `init` returns and until ``stop()`` or the last reference is gone. Everything it holds has a limit:
/// see ``Options``. It reaches this machine only, unless told otherwise.
package final class Listener: Sendable {
    private let running: RunningListener

    /// The port in use.
    package let port: Int
    /// Where it can be reached, such as http://127.0.0.1:40123.
    package let url: URL

    /// Answers each request in a task of its own, which is cancelled when the client leaves or the listener stops.
    package convenience init(
        options: Options = Options(), handler: @escaping @Sendable (ListenerRequest) async -> ListenerResponse
    ) throws(ListenerError) {
        try self.init(options: options, answer: { request in .later { await handler(request) } })
    }

    /// Answers each request on the listener's thread, at once or later.
    ///
    /// `answer` must not block: other connections wait for it.
    package init(
        options: Options = Options(), answer: @escaping @Sendable (ListenerRequest) -> ListenerAnswer
    ) throws(ListenerError) {
        try options.validate()
        let address = try SocketAddress(host: options.host, port: options.port)
        running = try RunningListener(options, address, answer: answer)
        port = running.port
        url = try address.url(port: port)
    }

    deinit { stop() }

    /// The number of connected clients.
    package var openConnections: Int { running.core.openConnections }

    /// Takes no more connections, and waits until every request that has come is answered to its end. ``stop()`` is to
    /// follow.
    ///
    /// A request that arrives meanwhile over an open connection is answered, too, and each answer is its connection's
    /// last. It returns after ``Timeouts/drain`` at the latest. Cancelling the task ends nothing, ``stop()`` does.
    package func drain() async {
        await running.stopAccepting()
        await running.core.drain()
    }

    /// Stops listening, ends all requests and connections, and returns when that is done. Further calls do nothing.
    ///
    /// Running handlers are cancelled, not waited for. Called by a synchronous handler, which would wait for itself, it
    /// returns at once and the end comes after the handler's.
    package func stop() { running.stop() }

    /// Looks at the deadlines, after a test has changed the time.
    package func timeHasChanged() { running.core.loops.forEach { $0.post(.lookAtClock) } }
}
