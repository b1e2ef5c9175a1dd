import CalotypeBase
import CalotypeHTTP
import CalotypeListener
public import Foundation

/// A real HTTP server on this machine, for tests of whatever loads over HTTP.
///
/// ```swift
/// let origin = try OriginServer()
/// origin.on("/cat.jpg", .ok(SamplePhotos.jpeg()))
/// let image = try await loader.fetch(origin.url("/cat.jpg"))
/// #expect(origin.requestCount("/cat.jpg") == 1)
/// ```
///
/// It listens on a free port of 127.0.0.1 when `init` returns, speaks HTTP/1.1 with keep-alive, keeps a log of what it
/// was asked, and misbehaves on request: see ``OriginReply``. Each test makes its own; they do not disturb each other.
public final class OriginServer: Sendable {
    private let listener: Listener
    private let log: Watched<OriginLog>
    private let routes: Locked<OriginRoutes>

    /// Starts a server that answers 404 to everything.
    ///
    /// - Parameter threads: how many threads serve. One is plenty for anything but a benchmark.
    /// - Throws: an error that says why there is no port to be had.
    public convenience init(threads: Int = 1) throws {
        try self.init(threads: threads, host: "127.0.0.1")
    }

    /// - Parameter host: the address to listen on. Linux takes all that begin with 127 for this machine's.
    package init(threads: Int = 1, host: String) throws {
        let log = Watched(OriginLog())
        let routes = Locked(OriginRoutes())
        var options = Listener.Options(host: host, threads: threads)
        // A test may hold a client for as long as somebody looks at it.
        options.timeouts = .none
        options.onEnd = { id, outcome in log.update { $0.end(id, clientLeft: outcome == .clientLeft) } }
        listener = try Listener(options: options, answer: { OriginServer.answer($0, routes, log) })
        self.log = log
        self.routes = routes
    }

    deinit { stop() }

    /// Such as http://127.0.0.1:40123.
    public var url: URL { listener.url }

    /// The URL of a path on this server.
    ///
    /// - Parameter path: with its query, if it has one; escaped where URLs ask for it.
    public func url(_ path: String) -> URL {
        let absolute = path.hasPrefix("/") ? path : "/" + path
        return URL(string: url.absoluteString + absolute) ?? url.appending(path: absolute)
    }

    // MARK: What it answers

    /// Gives the same answer every time. A later call for the same path replaces it.
    ///
    /// - Parameter path: not decoded. With a query it stands for just that query, without for any.
    public func on(_ path: String, _ reply: OriginReply) {
        on(path, replies: [reply])
    }

    /// Gives one answer after the other; the last one repeats.
    public func on(_ path: String, replies: [OriginReply]) {
        routes.withLock { $0.set(.replies(replies, next: 0), for: path) }
    }

    /// Lets a closure answer, on the server's thread: it must not block.
    public func on(_ path: String, _ answer: @escaping @Sendable (OriginRequest) -> OriginReply) {
        routes.withLock { $0.set(.answer(answer), for: path) }
    }

    /// Answers what no path matches; 404 by default.
    public func onAny(_ answer: @escaping @Sendable (OriginRequest) -> OriginReply) {
        routes.withLock { $0.setFallback(answer) }
    }

    // MARK: What it saw

    /// The requests in order of arrival: the first 100,000, and no more than 256 MiB of bodies.
    public var requests: [OriginRequest] { log.read(\.requests) }

    /// How many requests came beyond those in the log.
    public var requestsNotLogged: Int { log.read(\.notKept) }

    /// How many requests came, for the path or in all.
    public func requestCount(_ path: String? = nil) -> Int { log.read { $0.count(ofPath: path) } }

    /// How many clients are connected.
    public var openConnections: Int { listener.openConnections }

    /// The most requests that waited for the end of their answer at the same time.
    ///
    /// A request counts from its arrival until the last byte of its answer is about to be sent: never too high, however
    /// fast the client sends the next one.
    public var peakConcurrency: Int { log.read(\.peak) }

    /// How many requests wait for the end of their answer now.
    public var inFlight: Int { log.read(\.inFlight.count) }

    /// How many clients left before their answer was complete.
    public var disconnects: Int { log.read(\.disconnects) }

    /// Suspends until so many requests have come. Returns early when the task is cancelled.
    public func waitForRequests(_ count: Int, path: String? = nil) async {
        await log.wait { $0.count(ofPath: path) >= count }
    }

    /// Suspends until so many clients have left before their answer was complete. Returns early when the task is
    /// cancelled.
    public func waitForDisconnects(_ count: Int) async {
        await log.wait { $0.disconnects >= count }
    }

    /// Closes all connections and the port. The log stays. Further calls do nothing.
    public func stop() {
        listener.stop()
        // The closures may hold the server. They are let go outside the lock: what they hold may call back.
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
        let reply =
            switch routes.withLock({ $0.decide(seen) }) {
            case .reply(let reply): reply
            case .ask(let answer): answer(seen)
            }
        return reply.answer(Flight(id: request.id, log: log))
    }
}
