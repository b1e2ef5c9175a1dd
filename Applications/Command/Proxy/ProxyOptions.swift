import CalotypeHTTP
import CalotypeListener
import CalotypeTransport
import Foundation

/// The options of a proxy on the command line.
struct ProxyOptions: Sendable {
    enum Mode: Sendable {
        case shared, isPrivate

        var name: String { self == .shared ? "shared cache" : "private cache" }
    }

    let listen: ListenAddress
    let admin: ListenAddress?
    let route: ProxyRoute
    let mode: Mode
    /// The directory of the cached bodies; `nil` keeps them in memory only.
    let store: String?
    /// The limit of the store, in bytes.
    let storeSize: Int
    let authorities: String?
    let complains: Bool
    var limits = ProxyLimits(descriptors: 1024)

    init(_ arguments: Arguments) throws(UsageError) {
        listen = try Self.address(arguments, .listen) ?? ListenAddress(host: "127.0.0.1", port: 8080)
        admin = try Self.address(arguments, .admin)
        route = ProxyRoute(origin: try Self.origin(arguments))
        mode = try arguments.choice(.cacheMode, [("shared", Mode.shared), ("private", .isPrivate)]) ?? .shared
        store = arguments[.store]
        storeSize =
            try arguments.value(.storeSize, wanted: "a size such as 500MB or 10GB", QuantityParser.bytes)
            ?? 1_000_000_000
        authorities = arguments[.cacert]
        complains = arguments.has(.complaints)
        if arguments.has(.storeSize) && store == nil {
            throw arguments.error("--store-size says how large the store may be; name one with --store DIR")
        }
        if let authorities, !FileManager.default.isReadableFile(atPath: authorities) {
            throw arguments.error("--cacert \(authorities): there is no such file, or it cannot be read")
        }
        if arguments.has(.allowRemote) { return }
        if route.origin == nil, !listen.isLoopback {
            throw arguments.error(
                "--listen \(listen) would be an open proxy for everybody who reaches it; --allow-remote permits it")
        }
        if let admin, !admin.isLoopback {
            throw arguments.error(
                "--admin \(admin) would show the metrics to everybody who reaches it; --allow-remote permits it")
        }
    }

    private static func address(_ arguments: Arguments, _ option: Option) throws(UsageError) -> ListenAddress? {
        try arguments.value(option, wanted: "an address and port such as 127.0.0.1:8080", ListenAddress.init)
    }

    private static func origin(_ arguments: Arguments) throws(UsageError) -> HTTPOrigin? {
        try arguments.value(.origin, wanted: "an origin such as http://127.0.0.1:8000, without a path") { text in
            guard let url = URL(string: text), url.path.isEmpty || url.path == "/", url.query == nil,
                url.fragment == nil, url.user == nil
            else { return nil }
            return try? HTTPOrigin(url)
        }
    }

    /// - Parameter metrics: counts the end of each request.
    func listenerOptions(_ metrics: ProxyMetrics) -> Listener.Options {
        var options = Listener.Options(host: listen.host, port: listen.port)
        options.threads = min(max(ProcessInfo.processInfo.activeProcessorCount, 1), limits.threads)
        options.connectionLimit = limits.connections
        options.keptDescriptors = limits.kept
        options.slowExchangeLimit = max(limits.waiting, limits.threads)
        options.streamsBodies = true
        // Bodies are streamed, never collected.
        options.bodyLimit = 1 << 40
        options.onEnd = { _, outcome in metrics.requestEnded(outcome) }
        return options
    }

    var curlOptions: CurlTransport.Options {
        var options = CurlTransport.Options()
        options.addsNothing = true
        options.connectionsPerHost = min(128, limits.transfers)
        options.transferLimit = limits.transfers
        options.waitingLimit = limits.waiting
        // The clients of a forward proxy may name origins that never answer.
        options.sharesPlaces = route.origin == nil
        options.queueLimit = 4096
        // Another 32 KiB are on their way to the client: 64 KiB for each exchange that waits for its client.
        options.bodyBuffer = 32 << 10
        options.certificateAuthorities = authorities
        return options
    }
}

extension Option {
    static let listen = Option(
        "listen", "l", "ADDRESS:PORT", help: "Where to listen. 127.0.0.1:8080; port 0 takes a free one.")
    static let origin = Option(
        "origin", "o", "URL", help: "Send every request to this origin. Without it: a forward proxy.")
    static let cacheMode = Option(
        "mode", "m", "MODE", offers: .words(["shared", "private"]),
        help: "shared (default): a cache for many users; private: as inside an app.")
    static let store = Option(
        "store", nil, "DIR", offers: .directories, help: "Keep what is cached in this directory, too.")
    static let storeSize = Option("store-size", nil, "SIZE", help: "Bytes on disk at most, such as 10GB. 1GB.")
    static let admin = Option(
        "admin", nil, "ADDRESS:PORT", help: "Answer /.calotype/health and /.calotype/metrics there.")
    static let allowRemote = Option(
        "allow-remote", help: "Let a forward proxy, or the admin port, listen on an address that other machines reach.")
    static let complaints = Option("verbose", "v", help: "Print a line for each exchange that fails.")
    static let cacert = Option(
        "cacert", nil, "FILE", offers: .files, help: "Trust these authorities (PEM), not the system's.")
}
