import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeListener
import CalotypeTransport
import Foundation

struct ProxyCommand: Command {
    static let syntax = CommandSyntax(
        name: "proxy", summary: "Run a caching HTTP proxy, in front of one origin or as a forward proxy.",
        options: [
            .listen, .origin, .cacheMode, .store, .storeSize, .admin, .allowRemote, .cacert, .complaints, .config,
            .printConfig,
        ],
        isService: true,
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
            SIGHUP has the settings read again, unless there is a terminal. --verbose changes at once; the other changes \
            wait for a restart, and a line names them.
            """,
            Settings.note,
            """
            After the first Ctrl-C or SIGTERM, the proxy accepts no connections, and ends when the requests in flight \
            have ended, or after 10 seconds, which cuts the others. Its status is 0 then. The second one ends it at once.
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

    private let arguments: Arguments
    private let options: ProxyOptions
    /// Whether failed exchanges are printed.
    private let complains: Locked<Bool>

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        self.arguments = arguments
        options = try ProxyOptions(arguments)
        complains = Locked(options.complains)
    }

    func run(_ context: Context) async -> ExitStatus {
        let console = context.console
        let messages = ServiceMessages(console)
        let hangups = context.hangups.claimed()
        Interrupts.ignoreUserSignals()
        let complain: @Sendable (String) -> Void = { [complains] problem in
            if complains.withLock({ $0 }) { messages.complain(problem) }
        }
        let upstream = ProxyUpstream(options, complain: complain)
        if let problem = await upstream.storeProblem() {
            console.complain("proxy: \(problem)")
            return .failure
        }
        do throws(ListenerError) {
            try await serve(upstream, hangups: hangups, context, messages: messages, complain: complain)
            await messages.lines.end()
            return .ended
        } catch {
            await messages.lines.end()
            console.complain("proxy: \(error)")
            return .failure
        }
    }

    private func serve(
        _ upstream: ProxyUpstream, hangups: AsyncStream<Void>, _ context: Context, messages: ServiceMessages,
        complain: @escaping @Sendable (String) -> Void
    ) async throws(ListenerError) {
        FreedMemory.prepare()
        let metrics = ProxyMetrics()
        let proxy = Proxy(route: options.route, upstream: upstream, metrics: metrics, complain: complain)
        let listener = try Listener(options: options.listenerOptions(metrics), answer: proxy.answer)
        let admin = try options.admin.map { address throws(ListenerError) in
            try AdminServer.listener(
                at: address,
                pages: [
                    .health, .ready { listener.isDraining ? "it drains" : nil },
                    .metrics {
                        let uptime = (ContinuousClock.now - metrics.started) / .seconds(1)
                        return metrics.counts.text(storeSize: await upstream.storeSize(), uptime: uptime)
                    },
                ])
        }
        announce(listener, admin, context.console)
        let memory = Task { await FreedMemory.giveBack { metrics.hasCalmedDown() } }
        defer { memory.cancel() }
        var reload = SettingsReload(arguments, context, messages)
        await reload.run(at: hangups) { arguments throws(UsageError) -> ProxyOptions in
            try ProxyOptions(arguments)
        } apply: { options in
            complains.withLock { $0 = options.complains }
        }
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
