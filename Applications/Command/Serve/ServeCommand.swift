import CalotypeBase
import CalotypeServer
import CalotypeURLs
import Foundation

struct ServeCommand: Command {
    static let syntax = CommandSyntax(
        name: "serve", summary: "Serve thumbnails over HTTP, under imgproxy's URLs.",
        options: [
            .root, .insecure, .allowAnyHost, .allowSource, .allowAddress, .sourceHeader, .sourceLifetime, .freshness,
            .listen, .cors, .store, .storeSize, .presets, .presetsOnly, .ignoreUnsupported, .watermark, .negotiate,
            .maxAnimation, .noIsolate, .answerLog, .checkURLs, .explainURL, .problems,
        ],
        notes: [
            """
            Sources are local:///path below --root, and URLs that --allow-source permits. The server listens on this \
            machine only. URLs are signed with the keys and salts in IMGPROXY_KEY and IMGPROXY_SALT, in hexadecimal; \
            without them --insecure is needed, and a URL may have any signature.
            """,
            """
            For each answer of 400 and above, standard error has a line of JSON, unless --log none is given: the time, \
            the X-Request-ID as id, the status, the rendition (the URL's options and source, never its signature), the \
            source, and the reason, which clients do not see.
            """,
            """
            --check reads URLs or an access log, one per line, and prints the options for which URLs would fail, with \
            counts; the status is 1 then, or 2 if it finds no URL. With the server's own options, such as --watermark, \
            it checks these, too. --explain prints what a URL asks for, what the caches in --store have for it, \
            and the work that would follow. Neither starts a server or asks an origin.
            """,
            """
            The first Ctrl-C or SIGTERM takes no more connections and ends when what is in flight is answered; the \
            second one ends at once.
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
            ("serve --check access.log", "what would fail after a switch from imgproxy"),
            ("serve --explain /_/rs:fit:400:0/plain/local:///cat.jpg", "what a URL asks for"),
        ])

    private enum Task: Sendable {
        case serve
        case check(LocalPath)
        case explain(String)
    }

    private let options: RenditionServer.Options
    private let task: Task
    private let complains: Bool
    private let logs: Bool

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        task =
            if let file = arguments.path(.checkURLs) {
                .check(file)
            } else if let url = arguments[.explainURL] {
                .explain(url)
            } else {
                .serve
            }
        if arguments.has(.checkURLs), arguments.has(.explainURL) {
            throw arguments.error("--check and --explain are two tasks: give one of them")
        }
        if arguments.has(.presetsOnly), !arguments.has(.presets) {
            throw arguments.error("--presets-only requires --presets FILE")
        }
        complains = arguments.has(.problems)
        logs = try arguments.choice(.answerLog, [("errors", true), ("none", false)]) ?? true
        var options = RenditionServer.Options(root: arguments.path(.root) ?? "")
        options.signer = try context.signer(arguments)
        if case .serve = task {
            if !arguments.has(.root) { throw arguments.error("--root DIR is missing: the folder of local:///") }
            if options.signer == nil, !arguments.has(.insecure) {
                throw arguments.error(
                    "there is no key in IMGPROXY_KEY, so anyone may ask for any rendition; --insecure permits it")
            }
        }
        try options.read(arguments)
        if case .serve = task, options.signer == nil, options.allowed.includesAnyHost, !arguments.has(.allowAnyHost) {
            throw arguments.error(
                "without a key, --allow-source with a host such as * or *.com lets anyone load from any host: "
                    + "--allow-remote permits it")
        }
        self.options = options
    }

    func run(_ context: Context) async -> ExitStatus {
        switch task {
        case .serve: await serve(context.console)
        case .check(let path): URLCheck(options: options).run(path, context.console)
        case .explain(let url): await explain(url, context.console)
        }
    }

    private func serve(_ console: Console) async -> ExitStatus {
        var options = options
        options.report = { [complains] in if complains { console.complain("serve: \($0)") } }
        let lines = LineWriter { console.record($0) }
        if logs { options.log = { lines.add(JSON.printableLine($0)) } }
        do {
            let server = try RenditionServer(options)
            console.line("listening on \(server.url.absoluteString), sources below \(options.root)")
            await Swift.Task.untilCancelled()
            await server.close()
            await lines.end()
            return .ended
        } catch {
            console.complain("serve: \(error)")
            return .failure
        }
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
