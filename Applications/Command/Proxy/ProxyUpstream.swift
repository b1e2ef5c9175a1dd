import Calotype
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTransport
import Foundation

/// The way to the origins: the one place where the cache is mounted.
struct ProxyUpstream: Sendable {
    /// 60 s of silence are the origin's failure, as long as clients wait by habit.
    static let timeouts = HTTPRequest.Timeouts(connect: .seconds(10), idle: .seconds(60))

    private let transport: any Transport
    private let cache: HTTPCache
    private let disk: DiskStore?

    /// - Parameter complain: told of what the store could not do.
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
        // Failures are remembered by loaders only: a proxy asks again.
        var rules = CacheRules(mode == .shared ? .shared : .private)
        rules.negativeLifetime = 0
        let report: @Sendable (HTTPCacheStoreError) -> Void = { complain("proxy: the cache: \($0)") }
        cache =
            if let disk {
                HTTPCache(rules: rules, store: DiskHTTPCacheStore(disk), onProblem: report)
            } else {
                HTTPCache(rules: rules, store: MemoryHTTPCacheStore(), onProblem: report)
            }
        self.transport = transport.cached(in: cache)
        self.disk = disk
    }

    /// Returns the product of `make` for a fresh answer in memory, or the one just made, without waiting for anything.
    func immediateAnswer<Product: AnyObject & Sendable>(
        to request: HTTPRequest, make: (HTTPResponse) -> Product
    ) -> Product? {
        cache.immediateAnswer(to: request, make: make)
    }

    /// - Parameter observer: told of interim responses.
    func send(
        _ request: HTTPRequest, _ observer: @escaping InterimResponses.Observer
    ) async throws(TransportError) -> HTTPResponse {
        try await InterimResponses.observed(by: observer) { () throws(TransportError) in
            try await transport.send(request)
        }
    }

    /// Why the store's directory will keep nothing; nil where it will, or where none was asked for. Makes it when missing.
    func storeProblem() async -> String? {
        guard let disk else { return nil }
        let files = FileManager.default
        try? files.createDirectory(atPath: disk.directory, withIntermediateDirectories: true)
        var isDirectory: ObjCBool = false
        guard files.fileExists(atPath: disk.directory, isDirectory: &isDirectory), isDirectory.boolValue else {
            return "it is no directory, and none can be made there"
        }
        guard files.isWritableFile(atPath: disk.directory) else { return "it may not be written" }
        do throws(StoreError) {
            _ = try await disk.statistics()
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Bytes on disk; nil without a store, or where it cannot say.
    func storeSize() async -> Int? { try? await disk?.statistics().bytes }

    /// Writes what waits to be written.
    func close() async { await disk?.closeForGood() }
}
