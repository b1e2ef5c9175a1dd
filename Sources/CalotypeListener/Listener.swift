import CalotypeBase
package import Foundation

/// An HTTP/1.1 server that answers requests with the responses of a closure.
///
/// ```swift
/// let listener = try Listener { request in
///     ListenerResponse(fields: ["Content-Type": "text/plain"], body: Data("You asked for \(request.target)".utf8))
/// }
/// print(listener.url)
/// ```
///
/// The listener accepts clients from `init` until ``stop()`` or the release of its last reference. All its resources
/// have limits: see ``Options``. By default, only this machine can connect.
package final class Listener: Sendable {
    let running: RunningListener

    package let port: Int
    /// The URL of the listener, such as http://127.0.0.1:40123.
    package let url: URL

    /// Creates a listener that calls the handler for each request in a task, and cancels the task when the client
    /// leaves or the listener stops.
    package convenience init(
        options: Options = Options(), handler: @escaping @Sendable (ListenerRequest) async -> ListenerResponse
    ) throws(ListenerError) {
        try self.init(options: options, answer: { request in .later { await handler(request) } })
    }

    /// Creates a listener that calls `answer` for each request on one of the listener's threads. `answer` returns a
    /// response, or a task that will return one.
    ///
    /// `answer` must not block, because other connections wait for it.
    package init(
        options: Options = Options(), answer: @escaping @Sendable (ListenerRequest) -> ListenerAnswer
    ) throws(ListenerError) {
        try options.validate()
        let address = try SocketAddress(
            host: options.socket?.host ?? options.host, port: options.socket?.port ?? options.port)
        running = try RunningListener(options, address, answer: answer)
        port = running.port
        url = try address.url(port: port)
    }

    deinit { stop() }

    /// The number of connected clients.
    package var openConnections: Int { running.core.openConnections }

    /// Whether ``drain()`` has been called.
    package var isDraining: Bool { running.core.isDraining }

    /// Accepts no more connections, and waits until all requests in progress have been answered completely. Call
    /// ``stop()`` afterwards.
    ///
    /// Requests that arrive meanwhile over open connections are answered, too, and each connection is closed after its
    /// next response. The wait ends after ``Timeouts/drain`` at the latest. Calling ``stop()`` ends it earlier;
    /// cancelling the task does not.
    package func drain() async {
        await running.stopAccepting()
        await running.core.drain()
    }

    /// Returns when each of the listener's threads has passed through its event loop, and at once after ``stop()``. A
    /// thread that hangs keeps the call waiting.
    package func pulse() async { await running.pulse() }

    /// Stops listening, ends all requests and connections, and returns when the threads have ended. Further calls do
    /// nothing.
    ///
    /// Running handlers are cancelled, but not awaited. If a synchronous handler calls `stop()`, the call returns at
    /// once, and the listener ends after the handler.
    package func stop() { running.stop() }

    /// Checks the deadlines at once. Tests call this after they have changed the clock's time.
    package func timeHasChanged() { running.core.loops.forEach { $0.post(.lookAtClock) } }
}
