import Calotype
import CalotypeBase
import CalotypeServer

struct ProxyUpstream: Sendable {
    /// An origin fails after 60 s of silence, the usual timeout of clients.
    static let timeouts = HTTPRequest.Timeouts(connect: .seconds(10), idle: .seconds(60))

    private let transport: any Transport
    let cache: HTTPCache
    private let disk: DiskStore?

    init(_ options: ProxyOptions, complain: @escaping @Sendable (String) -> Void) {
        let disk = options.store.map { directory in
            var store = DiskStoreOptions()
            store.byteLimit = options.storeSize
            return DiskStore(directory: directory, options: store, onProblem: { complain("proxy: the store: \($0)") })
        }
        self.init(CurlTransport(options: options.curlOptions), mode: options.mode, disk: disk, complain: complain)
    }

    init(
        _ transport: some Transport, mode: ProxyOptions.Mode, disk: DiskStore? = nil,
        complain: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let rules = Self.rules(mode)
        let report: @Sendable (any Error) -> Void = { error in
            // Does not report cancellation, because a client that disconnects cancels its request.
            if (error as? StoreError)?.code != .cancelled { complain("proxy: the cache: \(error)") }
        }
        cache =
            if let disk {
                HTTPCache(rules: rules, store: DiskHTTPCacheStore(disk), onProblem: report)
            } else {
                HTTPCache(rules: rules, store: MemoryHTTPCacheStore(), onProblem: report)
            }
        self.transport = transport.cached(in: cache)
        self.disk = disk
    }

    static func rules(_ mode: ProxyOptions.Mode) -> CacheRules {
        // Unlike a loader, a proxy does not cache a 404 or 410 without explicit freshness.
        var rules = CacheRules(mode)
        rules.negativeLifetime = .zero
        return rules
    }

    /// - Parameter observer: Receives interim responses.
    func send(
        _ request: HTTPRequest, _ observer: @escaping InterimResponses.Observer
    ) async throws(TransportError) -> HTTPResponse {
        try await InterimResponses.observed(by: observer) { () throws(TransportError) in
            try await transport.send(request)
        }
    }

    /// Creates the store's directory if it is missing. Returns the message if it is unusable.
    ///
    /// - Parameter networkFileSystem: Finds the network file system at a path, on which no store works.
    func storeProblem(
        networkFileSystem: (String) -> NetworkFileSystem? = { NetworkFileSystem(at: $0) }
    ) async -> String? {
        guard let disk else { return nil }
        if let system = networkFileSystem(disk.directory) { return system.refusal(of: disk.directory) }
        return await folderProblem(disk).map { "--store \(disk.directory): \($0)" }
    }

    private func folderProblem(_ disk: DiskStore) async -> String? {
        let files = FileManager.default
        try? files.createDirectory(atPath: disk.directory, withIntermediateDirectories: true)
        guard LocalPath(text: disk.directory).isFolder else { return "it is not a directory, and cannot be created" }
        guard files.isWritableFile(atPath: disk.directory) else { return "it is not writable" }
        do throws(StoreError) {
            _ = try await disk.statistics()
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Returns the size of the store in bytes; `nil` without a store, or if its statistics cannot be read.
    func storeSize() async -> Int? { try? await disk?.statistics().bytes }

    func close() async { await disk?.closeForGood() }
}
