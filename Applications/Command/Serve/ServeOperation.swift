import CalotypeBase
import CalotypeCodecs
import CalotypeListener
import CalotypeServer
import Foundation

/// The options of a running server that concern its operator: the admin port, the log and the end.
struct ServeOperation: Sendable {
    let admin: ListenAddress?
    /// The socket at ``admin`` that the service manager has opened, if any.
    private let adminSocket: InheritedSocket?
    /// The answers that the log has; `nil` turns it off.
    let logLevel: LogOptions.Level?
    /// The beginning of the names of metrics.
    private let metricsPrefix: String
    /// The facts that the log has besides.
    private let logFields: Set<LogOptions.Field>
    let drainDelay: Duration
    let drainLimit: Duration

    /// The flags of the operation, in the order of the help.
    static let flags: [Option] = [
        .admin, .metricsNamespace, .answerLog, .logFields, .problems, .drainDelay, .drainLimit,
    ]

    /// - Parameter serves: Whether the server is to run, and not another task to be done by its options.
    init(_ arguments: Arguments, admin socket: InheritedSocket?, serves: Bool) throws(UsageError) {
        admin = try arguments.adminAddress(socket, isOpened: serves)
        adminSocket = socket
        let levels: [(word: String, value: LogOptions.Level?)] = [
            ("all", .all), ("made", .made), ("errors", .errors), ("none", nil),
        ]
        if let level = try arguments.choice(.answerLog, levels) { logLevel = level } else { logLevel = .errors }
        let names = LogOptions.Field.allCases.map(\.rawValue).joined(separator: ",")
        logFields =
            try arguments.value(.logFields, wanted: "some of \(names)") { text in
                let fields = text.split(separator: ",").map { LogOptions.Field(rawValue: String($0)) }
                return fields.contains(nil) ? nil : Set(fields.compactMap(\.self))
            } ?? []
        let namespace = try arguments.value(.metricsNamespace, wanted: "letters, digits and _, not a digit first") {
            text in
            let isName = text.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
            return isName && text.first?.isNumber == false ? text + "_" : nil
        }
        metricsPrefix = "\(namespace ?? "")calotype_serve_"
        drainDelay = .seconds(try arguments.integer(.drainDelay, in: 0...3600) ?? 0)
        drainLimit = .seconds(try arguments.integer(.drainLimit, in: 0...3600) ?? 10)
    }

    /// Returns the options with the records that the log is to have.
    func logging(_ options: RenditionServer.Options, to lines: LineWriter) -> RenditionServer.Options {
        guard let logLevel else { return options }
        var options = options
        options.log.level = logLevel
        options.log.fields = logFields
        options.log.add = { lines.add($0.lineBytes) }
        return options
    }

    /// Serves until `untilEnd` returns, and the requests in flight have ended or are cut.
    func run(
        _ options: RenditionServer.Options, _ messages: ServiceMessages, _ manager: ServiceNotifier,
        untilEnd: (RenditionServer) async -> Void
    ) async throws {
        let started = ContinuousClock.now
        let (console, lines) = (messages.console, messages.lines)
        FreedMemory.prepare()
        let server = try RenditionServer(logging(options, to: lines))
        let formats = "reads \(options.making.decoders.formatNames.joined(separator: ", "))"
        var pages: [AdminPage] = [
            .health, .ready([formats]) { server.unreadiness },
            .metrics {
                await ServeMetricsText.of(
                    server, prefix: metricsPrefix, lostLines: lines.lostLines,
                    uptime: (ContinuousClock.now - started) / .seconds(1))
            },
        ]
        if let purges = server.purges { pages += [.purge(purges), .purges(purges)] }
        let admin = try admin.map {
            try AdminServer.listener(at: $0, adminSocket, connections: options.purging.adminConnections, pages: pages)
        }
        let (root, allowed) = (options.sources.root, options.sources.allowed)
        // A server of images by POST may have no sources.
        let sources =
            if !root.isEmpty { "sources below \(root)" } else if allowed.isEmpty { "no sources" } else {
                "sources on the web"
            }
        console.line("listening on \(server.url.absoluteString), \(sources)")
        if let url = server.imaginaryURL { console.line("imaginary's requests on \(url.absoluteString)") }
        if let admin { console.line("admin on \(admin.url.absoluteString)") }
        console.line("memory \(options.shares.line)")
        console.line(formats)
        let memory = Task { await FreedMemory.giveBack { server.hasCalmedDown() } }
        defer { memory.cancel() }
        manager.ready("listening on \(server.url.absoluteString)")
        let life = Task { await manager.showLife { await server.pulse() } }
        defer { life.cancel() }
        await untilEnd(server)
        manager.stopping()
        let cut = await server.drain(delay: drainDelay, limit: drainLimit)
        if cut > 0 { lines.add(JSON.line(["cut": cut])) }
        await lines.end()
        admin?.stop()
    }
}

extension Option {
    static let answerLog = Option(
        "log", nil, "ANSWERS", offers: .words(["all", "made", "errors", "none"]), isReloaded: true,
        help: "Log to standard error the answers of 400 and above (errors, the default), also those that took work or "
            + "were not sent (made), all, or none.")
    static let metricsNamespace = Option(
        "metrics-namespace", nil, "NAME",
        help: "Begin the names of metrics with this and _, in front of calotype_serve_.")
    static let logFields = Option(
        "log-fields", nil, "NAMES", isReloaded: true,
        help:
            "Add these to each line of the log: method, client, user-agent, trace, source-format, source-bytes, with commas."
    )
    static let problems = Option(
        "verbose", "v", isReloaded: true, help: "Print a line for each option that is left out.")
    static let drainDelay = Option(
        "drain-delay", nil, "SECONDS",
        help: "After SIGTERM, take connections for this time, while /.calotype/ready is 503. The default is 0.")
    static let drainLimit = Option(
        "drain", nil, "SECONDS",
        help: "After SIGTERM and --drain-delay, cut requests that take longer than this. The default is 10.")
}
