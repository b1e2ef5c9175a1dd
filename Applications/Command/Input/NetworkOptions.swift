import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeMemory
import CalotypeStore
import CalotypeTransport
import Foundation

/// The options of every command with URLs: for requests, and for the cache.
struct NetworkOptions: Sendable {
    static let options: [Option] = [
        .policy, .header, .cacheDirectory, .noCache, .timeout, .authorities, .proxy,
    ]

    let fields: HTTPFields
    let policy: CachePolicy
    /// The cache's directory, or `nil` for no disk cache.
    let cacheDirectory: String?
    let timeout: Duration?
    /// The formats that decode in processes of their own.
    let isolation: DecoderIsolation
    private let authorities: String?
    private let proxy: String?

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        fields = try NetworkOptions.fields(arguments)
        policy = try arguments.choice(.policy, CachePolicy.names) ?? .useProtocol
        cacheDirectory =
            arguments.leavesOutCache ? nil : arguments[.cacheDirectory] ?? context.defaultCacheDirectory
        if cacheDirectory == nil, policy == .returnCacheDontLoad {
            throw arguments.error("--policy cache-only and --no-cache leave nowhere to look")
        }
        timeout = try arguments.value(.timeout, wanted: "a number of seconds", QuantityParser.seconds)
        authorities = arguments[.authorities]
        if let authorities, !FileManager.default.isReadableFile(atPath: authorities) {
            throw arguments.error(.authorities, "there is no such file, or it cannot be read")
        }
        proxy = arguments[.proxy]
        isolation = arguments.has(.isolate) ? .all : .riskyFormats
    }

    /// Returns a loader, whose disk store the caller flushes at the end.
    ///
    /// - Parameter parallel: the number of simultaneous downloads, from all servers together.
    func makeLoader(parallel: Int, meter: Meter, _ context: Context, isVerbose: Bool) -> ImageLoader {
        let report: @Sendable (String) -> Void = { if isVerbose { context.console.complain($0) } }
        var options = ImageLoaderOptions()
        options.exchange = MeteredTransport(base: CurlTransport(options: curlOptions(parallel: parallel)), meter: meter)
        options.disk = cacheDirectory.map { .directory($0) } ?? .none
        // The user of this machine types the addresses.
        options.schemes.append("file")
        // Any header field that the user sets may identify a person, and the cache outlives this process.
        options.identityFields += fields.map(\.name)
        options.downloads = parallel
        options.isolation = isolation
        // The command writes each image once; only a list that repeats a URL reads one again.
        options.memory.costLimit = 64 << 20
        options.onProblem = { report($0.description) }
        return ImageLoader(options)
    }

    /// Returns whether this machine can isolate decoders as asked, and complains if it cannot.
    func canIsolate(_ console: Console) -> Bool {
        do throws(CodecError) {
            try isolation.start()
            return true
        } catch {
            console.complain("--isolate: \(error)")
            return false
        }
    }

    func request(_ url: URL) -> HTTPRequest {
        var timeouts = HTTPRequest.Timeouts()
        if let timeout {
            timeouts.total = timeout
            timeouts.connect = min(timeouts.connect, timeout)
            timeouts.idle = min(timeouts.idle, timeout)
        }
        let isHTTP = ["http", "https"].contains(url.caselessScheme)
        return HTTPRequest(url, fields: isHTTP ? fields : [:], timeouts: timeouts)
    }

    private func curlOptions(parallel: Int) -> CurlTransport.Options {
        var options = CurlTransport.Options()
        options.connectionsPerHost = parallel
        options.userAgent = "calotype/\(Dispatcher.version)"
        options.certificateAuthorities = authorities
        if let proxy { options.proxy = .url(proxy) }
        return options
    }

    private static func fields(_ arguments: Arguments) throws(UsageError) -> HTTPFields {
        var fields = HTTPFields()
        for given in arguments.allGiven(.header) {
            guard let field = QuantityParser.headerField(given.text) else {
                throw arguments.error(
                    "\(given.written(as: .header)): that is not a header field such as 'Accept: image/webp'")
            }
            fields.append(ByteString(field.value), to: CaselessString(field.name))
        }
        return fields
    }
}

extension CachePolicy {
    /// The policies by their words on the command line.
    static let names: [(word: String, value: CachePolicy)] = [
        ("protocol", .useProtocol), ("reload", .reloadIgnoringCache), ("cache-else-load", .returnCacheElseLoad),
        ("cache-only", .returnCacheDontLoad),
    ]
}

extension Arguments {
    /// Of the two options, the one written nearer to the command line decides.
    fileprivate var leavesOutCache: Bool {
        guard has(.noCache), let off = given(.noCache)?.location.rank else { return false }
        return off >= given(.cacheDirectory)?.location.rank ?? 0
    }
}

extension Option {
    static let isolate = Option(
        "isolate", isSetting: true,
        help: "Decode every format in processes that reach no file and no connection, not only the rarer ones.")
    static let policy = Option(
        "policy", "p", "POLICY", offers: .words(CachePolicy.names.map(\.word)), isSetting: true,
        help: "protocol (default: a fresh image is used), reload, cache-else-load (however old), cache-only.")
    static let header = Option(
        "header", "H", "'NAME: VALUE'", isSetting: true, help: "Send this header field; may be repeated.")
    static let noCache = Option("no-cache", isSetting: true, help: "Neither read nor write a cache on disk.")
    static let timeout = Option(
        "timeout", "t", "SECONDS", isSetting: true, help: "Give up on a download after this long.")
    static let authorities = Option(
        "cacert", nil, "FILE", offers: .files, isSetting: true,
        help: "Trust these authorities (PEM), not the system's.")
    static let proxy = Option(
        "proxy", nil, "URL", isSetting: true, help: "Go by this proxy, such as http://proxy:3128.")
}
