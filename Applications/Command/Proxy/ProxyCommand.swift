import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeListener
import CalotypeTransport
import Foundation

struct ProxyCommand: Command {
    static let syntax = CommandSyntax(
        name: "proxy", summary: "Run a caching HTTP proxy, in front of one origin or as a forward proxy.",
        options: [.listen, .origin, .cacheMode, .store, .storeSize, .admin, .allowRemote, .cacert, .complaints],
        notes: [
            """
            With --origin, every request goes to that origin, with the origin's name as Host. Without it, the proxy is \
            a forward proxy: requests contain the whole URL, as clients send them when a proxy is configured \
            (http_proxy). The proxy refuses CONNECT.
            """,
            """
            The proxy changes only what RFC 9110 requires: it adds Via and removes hop-by-hop fields. It neither \
            follows redirects nor decompresses bodies. If the origin fails, the response is 502 or 504, with the \
            reason in Cache-Status.
            """,
            """
            After the first Ctrl-C or SIGTERM, the proxy accepts no connections, and ends when the requests in flight \
            have ended. The second one ends it at once.
            """,
        ],
        examples: [
            ("proxy --origin http://127.0.0.1:8000", "on port 8080, in front of a server on this machine"),
            ("proxy --listen 127.0.0.1:3128 --mode private", "a forward proxy that caches like a browser"),
            (
                "proxy --origin https://example.com --store /var/cache/calotype --store-size 10GB --admin 127.0.0.1:8081",
                "with a store on disk, and metrics at http://127.0.0.1:8081/.calotype/metrics"
            ),
        ])

    private let options: ProxyOptions

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) { options = try ProxyOptions(arguments) }

    func run(_ context: Context) async -> ExitStatus {
        let console = context.console
        let complain: @Sendable (String) -> Void = { [options] in if options.complains { console.complain($0) } }
        let upstream = ProxyUpstream(options, complain: complain)
        if let problem = await upstream.storeProblem() {
            console.complain("proxy: --store \(options.store ?? ""): \(problem)")
            return .failure
        }
        do throws(ListenerError) {
            try await serve(upstream, console, complain)
            return .ended
        } catch {
            console.complain("proxy: \(error)")
            return .failure
        }
    }

    private func serve(
        _ upstream: ProxyUpstream, _ console: Console, _ complain: @escaping @Sendable (String) -> Void
    ) async throws(ListenerError) {
        ProxyMemory.prepare()
        let metrics = ProxyMetrics()
        let proxy = Proxy(route: options.route, upstream: upstream, metrics: metrics, complain: complain)
        let listener = try Listener(options: options.listenerOptions(metrics), answer: proxy.answer)
        let admin = try options.admin.map { address throws(ListenerError) in
            try AdminServer.listener(at: address, metrics: metrics, upstream: upstream)
        }
        announce(listener, admin, console)
        let memory = Task { await ProxyMemory.giveBack(after: metrics) }
        defer { memory.cancel() }
        await Task.untilCancelled()
        await listener.drain()
        listener.stop()
        admin?.stop()
        await upstream.close()
    }

    private func announce(_ listener: Listener, _ admin: Listener?, _ console: Console) {
        let whom = options.route.origin.map { "in front of \($0.scheme)://\($0)" } ?? "forward proxy"
        console.line("listening on \(listener.url.absoluteString), \(whom), \(options.mode.rawValue) cache")
        if let admin { console.line("admin on \(admin.url.absoluteString)") }
    }
}

extension Task where Success == Never, Failure == Never {
    static func untilCancelled() async {
        let (never, continuation) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        continuation.finish()
    }
}
