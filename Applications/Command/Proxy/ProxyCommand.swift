import CalotypeHTTP
import CalotypeListener
import CalotypeTransport
import Foundation

/// `calotype proxy`: a caching proxy by RFC 9111, for one origin or for all.
struct ProxyCommand: Command {
    static let syntax = CommandSyntax(
        name: "proxy", summary: "Run a caching HTTP proxy, in front of one origin or as a forward proxy.",
        options: [.listen, .origin, .cacheMode, .store, .storeSize, .admin, .allowRemote, .cacert, .complaints],
        notes: [
            """
            With --origin every request goes to that origin, with its name as Host. Without, it is a forward proxy: \
            requests name the whole URL, as clients do that are told of a proxy (http_proxy). CONNECT is refused.
            """,
            """
            Nothing is changed on the way but what RFC 9110 asks of a proxy: Via is added, fields for one connection \
            only are taken out. No redirect is followed and nothing is decompressed. Where the origin fails the answer \
            is 502 or 504, and Cache-Status says why.
            """,
            """
            The first Ctrl-C or SIGTERM takes no more connections and ends when what is in flight is answered; the \
            second one ends at once.
            """,
        ],
        examples: [
            ("proxy --origin http://127.0.0.1:8000", "in front of a server on this machine, on port 8080"),
            ("proxy --listen 127.0.0.1:3128 --mode private", "a forward proxy that caches as a browser does"),
            (
                "proxy --origin https://example.com --store /var/cache/calotype --store-size 10GB --admin 127.0.0.1:8081",
                "kept on disk, with metrics at http://127.0.0.1:8081/.calotype/metrics"
            ),
        ])

    private var options: ProxyOptions

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        options = try ProxyOptions(arguments)
        options.limits = .raisingDescriptorLimit()
    }

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
            try AdminServer(at: address, metrics: metrics, upstream: upstream)
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

    private func announce(_ listener: Listener, _ admin: AdminServer?, _ console: Console) {
        let whom = options.route.origin.map { "in front of \($0.scheme)://\($0)" } ?? "forward proxy"
        console.line("listening on \(listener.url.absoluteString), \(whom), \(options.mode.name)")
        if let admin { console.line("admin on \(admin.url.absoluteString)") }
    }
}

extension Task where Success == Never, Failure == Never {
    /// Returns when this task is cancelled.
    static func untilCancelled() async {
        let (never, continuation) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        continuation.finish()
    }
}
