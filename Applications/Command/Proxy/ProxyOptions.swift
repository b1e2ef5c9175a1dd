import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeListener
import CalotypeTransport
import Foundation

struct ProxyOptions: Sendable {
    typealias Mode = CacheRules.Mode

    let listen: ListenAddress
    let admin: ListenAddress?
    let route: ProxyRoute
    let mode: Mode
    /// The directory of the cache; `nil` keeps it only in memory.
    let store: String?
    /// The limit of the store, in bytes.
    let storeSize: Int
    let authorities: String?
    let complains: Bool
    let limits: ServerLimits

    init(_ arguments: Arguments) throws(UsageError) {
        listen = try arguments.address(.listen) ?? ListenAddress(host: "127.0.0.1", port: 8080)
        admin = try arguments.adminAddress()
        route = ProxyRoute(origin: try Self.origin(arguments))
        mode = try arguments.choice(.cacheMode, [("shared", Mode.shared), ("private", .private)]) ?? .shared
        store = try arguments.storeFolder()
        storeSize = try arguments.storeSize() ?? 1_000_000_000
        authorities = try arguments.readableFile(.cacert)
        complains = arguments.has(.complaints)
        do throws(ServerLimits.TooFew) {
            limits = try ServerLimits.ofProcess { ServerLimits.ofProxy(descriptors: $0) }
        } catch { throw arguments.error(error.message) }
        if route.origin == nil, !listen.isLoopback, !arguments.has(.allowRemote) {
            throw arguments.error(
                "--listen \(listen) opens the proxy to everyone who can reach it; --allow-remote permits that")
        }
    }

    private static func origin(_ arguments: Arguments) throws(UsageError) -> HTTPOrigin? {
        try arguments.value(.origin, wanted: "an origin such as http://127.0.0.1:8000, without a path") { text in
            guard let url = URL(text: ByteString(text)), url.path.isEmpty || url.path == "/", url.query == nil,
                url.fragment == nil, url.user == nil
            else { return nil }
            return try? HTTPOrigin(url)
        }
    }

    func listenerOptions(_ metrics: ProxyMetrics) -> Listener.Options {
        var options = Listener.Options(host: listen.host, port: listen.port)
        options.threads = min(max(ProcessInfo.processInfo.activeProcessorCount, 1), limits.threads)
        options.connectionLimit = limits.connections
        options.keptDescriptors = limits.kept
        options.slowExchangeLimit = limits.waiting
        options.streamsBodies = true
        // In practice no limit, because the listener streams bodies instead of collecting them in memory.
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
        // The clients of a forward proxy may name origins that never answer: they must not use up `transferLimit`.
        options.sharesPlaces = route.origin == nil
        options.queueLimit = 4096
        // For each request that waits for its client, 32 KiB are buffered here, and another 32 KiB in the listener.
        options.bodyBuffer = 32 << 10
        options.pieceLimit = 16 << 20
        options.certificateAuthorities = authorities
        return options
    }
}

extension Arguments {
    /// Returns the value of --store. An empty one, as of a shell's variable that is not set, would be the root.
    func storeFolder() throws(UsageError) -> String? {
        guard let folder = self[.store] else { return nil }
        guard !folder.isEmpty else { throw error(.store, "the name of the folder is empty") }
        return folder
    }

    /// Returns the value of --store-size in bytes.
    func storeSize() throws(UsageError) -> Int? {
        let size = try value(.storeSize, wanted: "a size such as 500MB or 10GB", QuantityParser.bytes)
        if size != nil, !has(.store) { throw error("--store-size requires --store DIR") }
        return size
    }
}

extension Option {
    static let listen = Option(
        "listen", "l", "ADDRESS:PORT",
        help: "Listen at this address, or port of 127.0.0.1. The default is 127.0.0.1:8080; port 0 is any free one.")
    static let origin = Option(
        "origin", "o", "URL", help: "Send every request to this origin, instead of running a forward proxy.")
    static let cacheMode = Option(
        "mode", "m", "MODE", offers: .words(["shared", "private"]),
        help: "shared (the default): a cache for many users; private: for one user, like a browser's.")
    static let store = Option(
        "store", nil, "DIR", offers: .directories, help: "Keep the cache in this directory. The default is memory only."
    )
    static let storeSize = Option(
        "store-size", nil, "SIZE", help: "The maximum size of the store, such as 10GB. The default is 1GB.")
    static let allowRemote = Option(
        "allow-remote",
        help: "Let a forward proxy or the admin server listen at an address that other machines can reach.")
    static let complaints = Option("verbose", "v", isReloaded: true, help: "Print a line for each failed exchange.")
    static let cacert = Option(
        "cacert", nil, "FILE", offers: .files,
        help: "Trust the certificate authorities in this PEM file instead of the system's.")
}
