import Calotype
import CalotypeStore

/// The options for requests and the cache, in every command that accepts URLs.
struct NetworkOptions: Sendable {
    static let options: [Option] = [.policy, .header, .cacheDirectory, .noCache, .timeout, .authorities, .proxy]

    let fields: HTTPFields
    let policy: CachePolicy
    /// The directory of the disk cache; `nil` if the cache is off.
    let cacheDirectory: String?
    /// The cache's directory as the user has named it, such as "--cache-dir /tmp/cache"; `nil` for the default one.
    private let namedCache: String?
    let timeout: Duration?
    let isolation: DecoderIsolation
    /// The maximum memory of one decode in bytes; `nil` for the loader's default.
    private let decodeLimit: Int?
    private let authorities: String?
    private let proxy: String?

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        fields = try NetworkOptions.fields(arguments, of: .header)
        policy = try arguments.choice(.policy, CachePolicy.names) ?? .useProtocol
        cacheDirectory = arguments.leavesOutCache ? nil : arguments[.cacheDirectory] ?? context.defaultCacheDirectory
        namedCache = arguments.given(.cacheDirectory)?.written(as: .cacheDirectory)
        if cacheDirectory == nil, policy == .returnCacheDontLoad {
            throw arguments.error("--policy cache-only needs the cache, which --no-cache turns off")
        }
        timeout = try arguments.value(.timeout, wanted: "a number of seconds", QuantityParser.seconds)
        authorities = try arguments.readableFile(.authorities)
        proxy = arguments[.proxy]
        isolation = arguments.has(.isolate) ? .all : .riskyFormats
        decodeLimit = try arguments.decodeLimit()
    }

    /// Returns a loader, whose disk store the caller closes.
    ///
    /// - Parameter parallel: The maximum number of simultaneous downloads from all servers.
    func makeLoader(parallel: Int, meter: Meter, _ context: Context, isVerbose: Bool) -> ImageLoader {
        let report: @Sendable (String) -> Void = { if isVerbose { context.console.complain($0) } }
        var options = ImageLoaderOptions()
        options.transport = MeteredTransport(
            base: CurlTransport(options: curlOptions(parallel: parallel)), meter: meter)
        options.disk = disk(context.console)
        options.retry.onRequestedPause = { meter.wait(for: $0) }
        // Allows local files, because the user of this machine chooses the addresses.
        options.schemes.append("file")
        // The user's header fields may identify a person, and the cache must not mix the responses of two people.
        options.identityFields += fields.map(\.name)
        options.downloads = parallel
        options.isolation = isolation
        options.limits.maxDecodeBytes = decodeLimit ?? options.limits.maxDecodeBytes
        // A small memory cache is enough: the command reads an image again only if a list repeats its URL.
        options.memory.costLimit = 64 << 20
        options.onProblem = { report($0.description) }
        return ImageLoader(options)
    }

    /// Returns the storage of the cache. Complains if the directory that the user has named cannot be made.
    private func disk(_ console: Console) -> DiskStorage {
        guard let cacheDirectory else { return .none }
        guard let namedCache else { return .directory(cacheDirectory) }
        do throws(StoreError) {
            try DiskStore.makeFolder(cacheDirectory)
            return .directory(cacheDirectory)
        } catch {
            console.complain("\(namedCache): \(error); nothing is cached")
            return .none
        }
    }

    /// Returns whether this machine can isolate decoders as the options require, and complains if it cannot.
    func canIsolate(_ console: Console) -> Bool {
        do throws(CodecError) {
            try isolation.start()
            return true
        } catch {
            console.complain("--isolate: \(error)")
            return false
        }
    }

    /// Returns a transport for single exchanges, without a cache.
    func makeTransport() -> some Transport { CurlTransport(options: curlOptions(parallel: 1)) }

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

    /// Returns the header fields that the user has given by this option.
    static func fields(_ arguments: Arguments, of option: Option) throws(UsageError) -> HTTPFields {
        var fields = HTTPFields()
        for given in arguments.allGiven(option) {
            guard let field = QuantityParser.headerField(given.text) else {
                throw arguments.error(
                    "\(given.written(as: option)): expected a header field such as 'Accept: image/webp'")
            }
            fields.append(ByteString(field.value), to: CaselessString(field.name))
        }
        return fields
    }
}

extension CachePolicy {
    static let names: [(word: String, value: CachePolicy)] = [
        ("protocol", .useProtocol), ("reload", .reloadIgnoringCache), ("cache-else-load", .returnCacheElseLoad),
        ("cache-only", .returnCacheDontLoad),
    ]
}

extension Arguments {
    /// Whether --no-cache is on, and no --cache-dir of higher precedence overrides it.
    fileprivate var leavesOutCache: Bool {
        guard has(.noCache), let off = given(.noCache)?.location.rank else { return false }
        return off >= given(.cacheDirectory)?.location.rank ?? 0
    }
}

extension Arguments {
    /// Reads the maximum memory of one decode, in bytes.
    func decodeLimit() throws(UsageError) -> Int? {
        try value(.maxDecode, wanted: "a size such as 2GB") { text in
            QuantityParser.bytes(text).flatMap { $0 > 0 ? $0 : nil }
        }
    }
}

extension Option {
    static let maxDecode = Option(
        "max-decode", nil, "SIZE", isSetting: true,
        help: "Refuse images whose decode takes more memory. The default is a quarter of the machine's.")
    static let isolate = Option(
        "isolate", isSetting: true,
        help: "Decode every format, not only the rarer ones, in processes without access to files or the network.")
    static let policy = Option(
        "policy", "p", "POLICY", offers: .words(CachePolicy.names.map(\.word)), isSetting: true,
        help: "protocol (the default: follow HTTP's rules), reload, cache-else-load (use any age) or cache-only."
    )
    static let header = Option(
        "header", "H", "'NAME: VALUE'", isSetting: true, help: "Send this header field. Can be repeated.")
    static let noCache = Option("no-cache", isSetting: true, help: "Do not read or write the disk cache.")
    static let timeout = Option(
        "timeout", "t", "SECONDS", isSetting: true, help: "Give up on a download after this time.")
    static let authorities = Option(
        "cacert", nil, "FILE", offers: .files, isSetting: true,
        help: "Trust the certificate authorities in this PEM file instead of the system's.")
    static let proxy = Option("proxy", nil, "URL", isSetting: true, help: "Use this proxy, such as http://proxy:3128.")
}
