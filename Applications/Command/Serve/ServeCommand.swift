import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeListener
import CalotypeServer
import Foundation

/// `calotype serve`: thumbnails over HTTP, under imgproxy's URLs.
struct ServeCommand: Command {
    static let syntax = CommandSyntax(
        name: "serve", summary: "Serve thumbnails over HTTP, under imgproxy's URLs.",
        options: [
            .root, .insecure, .allowSource, .sourceLifetime, .listen, .store, .storeSize, .presets, .presetsOnly,
            .ignoreUnsupported, .watermark, .noIsolate,
            .checkURLs, .explainURL, .complaints,
        ],
        notes: [
            """
            Sources are local:///path below --root, and URLs that --allow-source permits. The server listens on this machine only. URLs are signed with the \
            keys and salts in IMGPROXY_KEY and IMGPROXY_SALT, in hexadecimal; without them --insecure is needed, and a \
            URL may have any signature.
            """,
            """
            --check reads URLs or an access log, one a line, and prints the options for which URLs would fail, with \
            counts; the status is 1 then. --explain prints what a URL asks for. Neither starts a server.
            """,
            """
            The first Ctrl-C or SIGTERM takes no more connections and ends when what is in flight is answered; the \
            second one ends at once.
            """,
        ],
        examples: [
            ("serve --root photos --insecure", "thumbnails of a folder, on port 8080"),
            ("serve --root photos --insecure --store /var/cache/thumbnails --store-size 10GB", "results kept on disk"),
            ("serve --check access.log", "what would fail after a switch from imgproxy"),
            ("serve --explain /_/rs:fit:400:0/plain/local:///cat.jpg", "what a URL asks for"),
        ])

    private enum Task: Sendable {
        case serve
        case check(String)
        case explain(String)
    }

    private let options: RenditionServer.Options
    private let task: Task
    private let complains: Bool

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        task =
            if let file = arguments[.checkURLs] {
                .check(file)
            } else if let url = arguments[.explainURL] {
                .explain(url)
            } else {
                .serve
            }
        complains = arguments.has(.complaints)
        var options = RenditionServer.Options(root: arguments[.root] ?? "")
        options.signer = try SigningKeys.signer(context, arguments)
        if case .serve = task {
            if !arguments.has(.root) { throw arguments.error("--root DIR is missing: the folder of local:///") }
            if options.signer == nil, !arguments.has(.insecure) {
                throw arguments.error(
                    "there is no key in IMGPROXY_KEY, so anyone may ask for any rendition; --insecure permits it")
            }
        }
        options.listener = try Self.listener(arguments)
        options.store = arguments[.store]
        options.storeSize =
            try arguments.value(.storeSize, wanted: "a size such as 500MB or 10GB", QuantityParser.bytes)
            ?? options.storeSize
        if arguments.has(.storeSize), options.store == nil {
            throw arguments.error("--store-size requires --store DIR")
        }
        options.allowed = try Self.allowed(arguments)
        options.defaultLifetime =
            try arguments.integer(.sourceLifetime, in: 0...31_536_000).map(Double.init) ?? options.defaultLifetime
        options.grammar = try Self.grammar(arguments)
        options.watermark = try Self.watermark(arguments)
        options.isolation = arguments.has(.noIsolate) ? .riskyFormats : .all
        self.options = options
    }

    private static func listener(_ arguments: Arguments) throws(UsageError) -> Listener.Options {
        let address =
            try arguments.value(.listen, wanted: "an address and port such as 127.0.0.1:8080", ListenAddress.init)
            ?? ListenAddress(host: "127.0.0.1", port: 8080)
        guard address.isLoopback else {
            throw arguments.error(.listen, "the server listens on this machine only, such as on 127.0.0.1:8080")
        }
        return Listener.Options(
            host: address.host, port: address.port, threads: min(ProcessInfo.processInfo.activeProcessorCount, 8))
    }

    private static func allowed(_ arguments: Arguments) throws(UsageError) -> AllowedSources {
        var allowed = AllowedSources()
        for prefix in arguments.all(.allowSource) {
            do throws(RenditionError) { try allowed.allow(ByteString(prefix)) } catch {
                throw arguments.error("--allow-source \(prefix): \(error.message)")
            }
        }
        return allowed
    }

    private static func grammar(_ arguments: Arguments) throws(UsageError) -> RenditionGrammar {
        var grammar = RenditionGrammar()
        if let path = arguments[.presets] {
            guard let text = FileManager.default.contents(atPath: path) else {
                throw arguments.error(.presets, "there is no such file, or it cannot be read")
            }
            do throws(RenditionError) { grammar.presets = try Presets(ByteString(bytes: text)) } catch {
                throw arguments.error(.presets, error.message)
            }
        }
        grammar.takesPresetsOnly = arguments.has(.presetsOnly)
        grammar.ignoresUnsupported = arguments.has(.ignoreUnsupported)
        return grammar
    }

    private static func watermark(_ arguments: Arguments) throws(UsageError) -> Bitmap? {
        guard let path = arguments[.watermark] else { return nil }
        guard let file = FileManager.default.contents(atPath: path) else {
            throw arguments.error(.watermark, "there is no such file, or it cannot be read")
        }
        do throws(CodecError) { return try DecoderRegistry.standard.decode(file) } catch {
            throw arguments.error(.watermark, error.message)
        }
    }

    func run(_ context: Context) async -> ExitStatus {
        switch task {
        case .serve: await serve(context.console)
        case .check(let path): URLCheck(options).run(path, context.console)
        case .explain(let url): explain(url, context.console)
        }
    }

    private func serve(_ console: Console) async -> ExitStatus {
        var options = options
        options.report = { [complains] in if complains { console.complain("serve: \($0)") } }
        do {
            let server = try RenditionServer(options)
            console.line("listening on \(server.url.absoluteString), sources below \(options.root)")
            await Swift.Task.untilCancelled()
            await server.close()
            return .ended
        } catch {
            console.complain("serve: \(error)")
            return .failure
        }
    }

    private func explain(_ url: String, _ console: Console) -> ExitStatus {
        do throws(RenditionError) {
            for line in try options.explanation(of: ByteString(url)) { console.line(line) }
            return .success
        } catch {
            console.complain("\(error.status): \(error)")
            return .failure
        }
    }
}

/// The keys in the environment, under imgproxy's names.
enum SigningKeys {
    /// Returns a signer, or `nil` without keys.
    static func signer(_ context: Context, _ arguments: Arguments) throws(UsageError) -> URLSigner? {
        guard let keys = context.environment["IMGPROXY_KEY"]?.nonEmpty else { return nil }
        let size = context.environment["IMGPROXY_SIGNATURE_SIZE"]?.nonEmpty
        guard let length = size.map({ Int($0) }) ?? 32 else {
            throw arguments.error("IMGPROXY_SIGNATURE_SIZE is not a number")
        }
        do throws(URLSigner.InvalidKey) {
            return try URLSigner(keys: keys, salts: context.environment["IMGPROXY_SALT"] ?? "", length: length)
        } catch {
            throw arguments.error("IMGPROXY_KEY and IMGPROXY_SALT: \(error)")
        }
    }
}

extension Option {
    fileprivate static let root = Option(
        "root", "r", "DIR", offers: .directories, help: "The folder of local:///. No file outside of it is read.")
    fileprivate static let insecure = Option("insecure", help: "Start without a key: any signature is accepted.")
    fileprivate static let allowSource = Option(
        "allow-source", nil, "URL",
        help: "Load sources that begin with this scheme, host, port and path. May be given several times.")
    fileprivate static let sourceLifetime = Option(
        "ttl", nil, "SECONDS", help: "How long a source of the web without freshness counts as fresh. 3600.")
    fileprivate static let presets = Option(
        "presets", nil, "FILE", offers: .files,
        help: "Presets in imgproxy's syntax, one a line: name=option:argument/...")
    fileprivate static let presetsOnly = Option("presets-only", help: "URLs name presets and no options.")
    fileprivate static let ignoreUnsupported = Option(
        "ignore-unsupported", help: "Leave out options that are not supported, instead of refusing the URL.")
    fileprivate static let watermark = Option(
        "watermark", nil, "FILE", offers: .files, help: "The image of the option watermark.")
    fileprivate static let noIsolate = Option(
        "no-isolate", help: "Decode the usual formats in this process: faster to start, and a bug in a codec ends it.")
    fileprivate static let checkURLs = Option(
        "check", nil, "FILE", offers: .files,
        help: "Print which of the URLs in this file would fail; - is standard input.")
    fileprivate static let explainURL = Option("explain", nil, "URL", help: "Print what this URL asks for.")
}
