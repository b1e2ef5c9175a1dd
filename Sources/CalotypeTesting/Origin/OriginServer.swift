import CalotypeBase
import CalotypeHTTP
import CalotypeListener
public import Foundation

/// A real HTTP server on loopback, for tests of code that loads over HTTP.
///
/// ```swift
/// let origin = try OriginServer()
/// origin.on("/cat.jpg", .ok(SamplePhotos.jpeg()))
/// let image = try await loader.fetch(origin.url("/cat.jpg"))
/// #expect(origin.requestCount("/cat.jpg") == 1)
/// ```
///
/// The server listens on a free port of 127.0.0.1 once `init` returns, supports HTTP/1.1 with keep-alive, logs its
/// requests, and misbehaves on request: see ``OriginReply``. Create one per test; servers do not affect each other.
public final class OriginServer: Sendable {
    private let listener: Listener
    private let log: Watched<OriginLog>
    private let routes: Locked<OriginRoutes>

    /// Starts a server that responds 404 to every request.
    ///
    /// - Parameter threads: The number of threads that serve requests. The default, 1, suffices except for benchmarks.
    /// - Throws: An error with the reason why the server cannot listen.
    public convenience init(threads: Int = 1) throws {
        try self.init(threads: threads, host: "127.0.0.1")
    }

    /// - Parameters:
    ///   - host: The address to listen on. On Linux, any address that begins with 127 is a loopback address.
    ///   - port: The port. With 0 (the default), the system chooses a free one.
    package init(threads: Int = 1, host: String, port: Int = 0) throws {
        let log = Watched(OriginLog())
        let routes = Locked(OriginRoutes())
        var options = Listener.Options(host: host, port: port, threads: threads)
        // No timeouts: a test may hold a client for any time, for example in a debugger.
        options.timeouts = .none
        options.onEnd = { id, outcome in log.update { $0.end(id, clientLeft: outcome == .clientLeft) } }
        listener = try Listener(options: options, answer: { OriginServer.answer($0, routes, log) })
        self.log = log
        self.routes = routes
    }

    deinit { stop() }

    /// The base URL, such as http://127.0.0.1:40123.
    public var url: URL { listener.url }

    /// Returns the URL of a path on this server.
    ///
    /// - Parameter path: The path and an optional query, percent-encoded as required in URLs.
    public func url(_ path: String) -> URL {
        let absolute = path.hasPrefix("/") ? path : "/" + path
        return URL(text: ByteString(url.absoluteString + absolute)) ?? url.appending(path: absolute)
    }

    // MARK: Replies

    /// Sends the same reply to every request for `path`. A later call for the same path replaces the reply.
    ///
    /// - Parameter path: The percent-encoded path. With a query, it matches only that query; without one, every query.
    public func on(_ path: String, _ reply: OriginReply) {
        on(path, replies: [reply])
    }

    /// Sends the replies in order, one per request for `path`. The last reply repeats.
    public func on(_ path: String, replies: [OriginReply]) {
        routes.withLock { $0.set(.replies(replies, next: 0), for: path) }
    }

    /// Sends the replies that `answer` returns. The closure runs on a thread of the server and must not block.
    public func on(_ path: String, _ answer: @escaping @Sendable (OriginRequest) -> OriginReply) {
        routes.withLock { $0.set(.answer(answer), for: path) }
    }

    /// Sets the replies to requests that match no path. The default is 404.
    public func onAny(_ answer: @escaping @Sendable (OriginRequest) -> OriginReply) {
        routes.withLock { $0.setFallback(answer) }
    }

    // MARK: Requests

    /// The first 100,000 requests in order of arrival, with at most 256 MiB of bodies.
    public var requests: [OriginRequest] { log.read(\.requests) }

    /// The number of requests missing from `requests` because of its limits.
    public var requestsNotLogged: Int { log.read(\.notKept) }

    /// Returns the number of requests, for `path` or in total.
    public func requestCount(_ path: String? = nil) -> Int { log.read { $0.count(ofPath: path) } }

    /// The number of connected clients.
    public var openConnections: Int { listener.openConnections }

    /// The largest number of requests in flight at the same time.
    ///
    /// A request counts from its arrival until just before the server sends the last byte of its response. The number
    /// is therefore never too high, even if the client sends its next request at once.
    public var peakConcurrency: Int { log.read(\.peak) }

    /// The number of requests in flight.
    public var inFlight: Int { log.read(\.inFlight.count) }

    /// The number of clients that disconnected before their response was complete.
    public var disconnects: Int { log.read(\.disconnects) }

    /// Suspends until `count` requests have arrived. Returns early if the task is cancelled.
    public func waitForRequests(_ count: Int, path: String? = nil) async {
        await log.wait { $0.count(ofPath: path) >= count }
    }

    /// Suspends until `disconnects` reaches `count`. Returns early if the task is cancelled.
    public func waitForDisconnects(_ count: Int) async {
        await log.wait { $0.disconnects >= count }
    }

    /// Closes all connections and the port. Keeps the log. Further calls do nothing.
    public func stop() {
        listener.stop()
        // The routes' closures may retain the server. Release them outside the lock: a `deinit` may call the server.
        let old = routes.withLock { routes in
            defer { routes = OriginRoutes() }
            return routes
        }
        _ = consume old
    }

    private static func answer(
        _ request: ListenerRequest, _ routes: Locked<OriginRoutes>, _ log: Watched<OriginLog>
    ) -> ListenerAnswer {
        let seen = OriginRequest(
            method: request.method.rawValue, target: request.target, path: request.path, query: request.query,
            fields: request.fields, body: request.body)
        log.update { $0.begin(seen, id: request.id) }
        let reply = routes.withLock { $0.answer(to: seen) }(seen)
        return reply.answer(Flight(id: request.id, log: log))
    }
}
