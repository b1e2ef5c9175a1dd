import CalotypeBase
import CalotypeServer
import CalotypeURLs
import Foundation

struct ServeCommand: Command {
    static let syntax = CommandSyntax(
        name: "serve", summary: "Serve thumbnails over HTTP, under imgproxy's URLs.",
        options: RenditionServer.Options.flags + tasks + [.config, .printConfig],
        secretOptions: secrets, isService: true, readsImgproxy: true,
        notes: [
            """
            Sources are local:///path below --root, and URLs that --allow-source permits. URLs are signed with the keys \
            and salts of the settings key and salt, in hexadecimal, which are no flags; without them --insecure is \
            needed, and a URL may have any signature: --allow-remote then permits a --listen that other machines can \
            reach.
            """,
            """
            Sources s3://BUCKET/KEY are objects in S3, or in the store that --s3 names. Requests are signed with the \
            credentials in AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or those of a web identity, a \
            profile in ~/.aws/credentials, a container or a virtual machine, in this order.
            """,
            Settings.note,
            """
            imgproxy's variables, such as IMGPROXY_KEY, count where CALOTYPE_KEY is not set; a line at the start names \
            those without effect, and an error those without which the server would permit more than imgproxy does. \
            SIGHUP has the settings read again, unless there is a terminal. \
            \(reloaded.map(\.name).joined(separator: ", ")) change at once, or none of them if there is a mistake. Other \
            changes wait for a restart, and a line names them.
            """,
            """
            For each answer of 400 and above, or those that --log names, standard error has a line of JSON: the time, \
            the X-Request-ID as id, the status, the outcomes in the caches of results and sources, the bytes, the \
            milliseconds of each stage, the rendition (the URL's options and source, never its signature), the source, \
            and the reason, which clients do not see.
            """,
            """
            --check reads URLs or an access log, one per line, and prints the options for which URLs would fail, with \
            counts; the status is 1 then, or 2 if it finds no URL. With the server's own options, such as --watermark, \
            it checks these, too. --explain prints what a URL asks for, what the caches in --store have for it, \
            and the work that would follow. Neither starts a server or asks an origin.
            """,
            """
            --purge URL, --purge-prefix URL and --purge-all take images down: servers of the same --store make them again \
            before they send them, from the source as it is now. With --soft, the results become stale instead. The \
            command ends at once, and prints the time from which every server obeys. Purges on the admin port reach \
            the other nodes of --nodes, too; this command does not.
            """,
            """
            A service manager such as systemd may open the sockets (LISTEN_FDS, with the names http and admin in \
            LISTEN_FDNAMES), in place of --listen and --admin. The server reports to it when it is ready and when it stops, \
            with signs of life in between, which pass through the server's threads (NOTIFY_SOCKET, WATCHDOG_USEC).
            """,
            """
            After the first Ctrl-C or SIGTERM, /.calotype/ready on the --admin port is 503. After --drain-delay, the \
            server takes no more connections. It ends when the requests in flight have ended, or after --drain, which \
            cuts the others: a line such as {"cut":3} counts them. Its status is 0 then. The second signal ends it at \
            once.
            """,
        ],
        examples: [
            ("serve --root photos --insecure", "thumbnails of a folder, on port 8080"),
            ("serve --root photos --insecure --store /var/cache/thumbnails --store-size 10GB", "results kept on disk"),
            (
                "serve --root photos --allow-source https://images.example.com/photos "
                    + "--source-header https://images.example.com/photos 'Authorization: Bearer abc'",
                "sources of the web, too, with a token for their server"
            ),
            (
                "serve --root photos --allow-source s3://photos/public --s3 'photos region=eu-central-1'",
                "objects in S3, too"
            ),
            ("serve --allow-source https://images.example.com", "sources of the web alone"),
            (
                "serve --imaginary 127.0.0.1:9000 --imaginary-key-file /etc/calotype/imaginary-key",
                "previews for Nextcloud"
            ),
            (
                "serve --root photos --listen 0.0.0.0:8080 --admin 127.0.0.1:8081",
                "for other machines, with a key, and metrics at http://127.0.0.1:8081/.calotype/metrics"
            ),
            ("serve --check access.log", "what would fail after a switch from imgproxy"),
            ("serve --explain /_/rs:fit:400:0/plain/local:///cat.jpg", "what a URL asks for"),
            ("serve --store /var/cache/thumbnails --purge local:///cat.jpg", "take an image down"),
        ])

    private enum Task: Sendable {
        case serve
        case check(LocalPath)
        case explain(String)
        case purge(PurgeTask)
    }

    /// The flags of tasks besides serving.
    private static let tasks = [.checkURLs, .explainURL] + PurgeTask.flags
    private static let secrets = URLSigner.secretFlags + ServingOptions.secretFlags
    /// The flags that a reload takes.
    private static let reloaded = (secrets + RenditionServer.Options.flags).filter(\.isReloaded)

    private let arguments: Arguments
    private let options: RenditionServer.Options
    private let task: Task
    private let operation: ServeOperation
    private let complains: Bool
    private let warnings: SigningWarnings

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        self.arguments = arguments
        let given = Self.tasks.filter { $0 != .softPurge && arguments.has($0) }
        if given.count > 1 {
            throw arguments.error("--\(given[0].name) and --\(given[1].name) are two tasks: give one of them")
        }
        let purge = try PurgeTask(arguments)
        task =
            if let purge {
                .purge(purge)
            } else if let file = arguments.path(.checkURLs) {
                .check(file)
            } else if let url = arguments[.explainURL] {
                .explain(url)
            } else {
                .serve
            }
        if arguments.has(.presetsOnly), !arguments.has(.presets), !arguments.has(.preset) {
            throw arguments.error("--presets-only requires --presets FILE, or --preset")
        }
        complains = arguments.has(.problems)
        warnings = SigningWarnings(arguments, context)
        let serves = if case .serve = task { true } else { false }
        let sockets = serves ? try ListeningSockets(context.environment) : ListeningSockets()
        operation = try ServeOperation(arguments, admin: sockets.admin, serves: serves)
        var options = RenditionServer.Options(root: arguments.path(.root) ?? "")
        options.serving.signer = try arguments.signer()
        options.sources.environment = context.environment
        if serves {
            try ImgproxyVariables(context).checkRefused(arguments)
            guard Self.answersURLs(arguments) || arguments.has(.imaginary) else {
                throw arguments.error(
                    "there are no sources: --root DIR is the folder of local:///, --allow-source permits URLs, and --post "
                        + "and --imaginary take images by POST"
                        + ImgproxyVariables(context).notesAboutSources)
            }
            if let root = arguments.path(.root), !root.isFolder {
                throw arguments.error(.root, "there is no such folder")
            }
        }
        try options.read(arguments)
        let isOpen = options.serving.signer == nil && options.serving.token == nil
        // Without a source, no URL has a rendition.
        if serves, isOpen, Self.answersURLs(arguments), !arguments.has(.insecure) {
            throw arguments.error(
                "there is no key, such as in CALOTYPE_KEY, so anyone may ask for any rendition; --insecure permits it")
        }
        options.imaginary = try ImaginaryOptions(arguments, serves: serves)
        // Other tasks may run as a user who cannot read the token.
        if serves {
            try options.purging.read(arguments, hasAdmin: operation.admin != nil)
            do throws(ServerLimits.TooFew) { try options.divideDescriptors() } catch {
                throw arguments.error(error.message)
            }
        }
        try options.serving.listen(on: sockets, arguments)
        if serves, isOpen, Self.answersURLs(arguments), !arguments.has(.allowAnyHost) {
            try Self.checkReach(options, arguments)
        }
        self.options = options
    }

    /// Whether a URL can have a rendition: of a source, or of an image by POST.
    private static func answersURLs(_ arguments: Arguments) -> Bool {
        arguments.has(.root) || arguments.has(.allowSource) || arguments.has(.post)
    }

    /// Throws if other machines could use a server without a key, or use it to reach any host.
    private static func checkReach(_ options: RenditionServer.Options, _ arguments: Arguments) throws(UsageError) {
        if options.sources.allowed.includesAnyHost {
            throw arguments.error(
                "without a key, --allow-source with a host such as * or *.com, or s3://*, lets anyone load from any host: "
                    + "--allow-remote permits it")
        }
        if let address = try arguments.address(.listen), !address.isLoopback {
            throw arguments.error(
                "without a key, --listen \(address) lets everyone who can reach it ask for any rendition: "
                    + "--allow-remote permits it")
        }
    }

    func run(_ context: Context) async -> ExitStatus {
        switch task {
        case .serve: await serve(context)
        case .check(let path): check(path, context)
        case .explain(let url): await explain(url, context.console)
        case .purge(let purge): await purge.run(context.console)
        }
    }

    private func serve(_ context: Context) async -> ExitStatus {
        let console = context.console
        let messages = ServiceMessages(console)
        let hangups = context.hangups.claimed()
        Interrupts.ignoreUserSignals()
        for line in ImgproxyVariables(context).notes { console.complain("serve: \(line)") }
        for line in warnings.lines { console.complain("serve: \(line)") }
        let complains = Locked(self.complains)
        var options = options
        options.report = { messages.complain("serve: \($0)") }
        options.serving.noteIgnored = { option in
            guard complains.withLock({ $0 }) else { return }
            messages.complain("serve: option \(ByteString(option).quoted) is left out")
        }
        let manager = ServiceNotifier(context, messages)
        let reload = SettingsReload(arguments, context, messages, manager: manager)
        do {
            try await operation.run(options, messages, manager) { server in
                var reload = reload
                await reload.run(at: hangups) { arguments throws(UsageError) -> ServeCommand in
                    try ServeCommand(arguments, context)
                } apply: { command in
                    server.reload(command.operation.logging(command.options, to: messages.lines))
                    complains.withLock { $0 = command.complains }
                    for line in command.warnings.lines { messages.complain("serve: \(line)") }
                }
            }
            return .ended
        } catch {
            await messages.lines.end()
            console.complain("serve: \(error)")
            return .failure
        }
    }

    private func check(_ path: LocalPath, _ context: Context) -> ExitStatus {
        // The check itself needs no variable with which a server would not start.
        for line in ImgproxyVariables(context).refusals { context.console.complain("serve: \(line)") }
        return URLCheck(options: options).run(path, context.console)
    }

    private func explain(_ url: String, _ console: Console) async -> ExitStatus {
        do throws(RenditionError) {
            var target = ByteString(url)
            if case .target(let found) = URLCheck.Entry(target) { target = found }
            for line in try await options.explanation(of: target) { console.line(line) }
            return .success
        } catch {
            console.complain("\(error.status): \(error)")
            return .failure
        }
    }
}

extension Option {
    static let checkURLs = Option(
        "check", nil, "FILE", offers: .files, takesBytes: true,
        help: "Print which of the URLs in this file would fail; - is standard input.")
    static let explainURL = Option(
        "explain", nil, "URL", help: "Print what this URL asks for, and what the caches in --store have for it.")
}
