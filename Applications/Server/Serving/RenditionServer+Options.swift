import Calotype
package import CalotypeBase
package import CalotypeCodecs
package import CalotypeHTTP
import CalotypeHTTPCache
package import CalotypeListener
import CalotypeStore
package import CalotypeTransport
package import CalotypeURLs
import Foundation

extension RenditionServer {
    package struct Options: Sendable {
        /// The path of the folder to which `local:///` refers; empty for sources on the web alone.
        package var root: LocalPath
        package var listener = Listener.Options()
        /// Checks signatures. If `nil`, the server accepts any signature.
        package var signer: URLSigner?
        package var grammar = RenditionGrammar()
        /// The formats that a client may get because it accepts them, if the URL names no format. The default is both;
        /// with neither, results do not depend on the client.
        package var negotiated = AcceptedFormats.both
        /// The speed of the encoder of AVIF, from 0 (smallest files) to 10. The default is 8.
        package var avifSpeed = 8
        /// The path of the folder for sources and results, or `nil` to keep both in memory only.
        package var store: String?
        /// The size limit of each of the two stores in ``store``, in bytes. The default is 1 GB.
        package var storeSize = 1_000_000_000
        /// Finds the network file system at a path, on which no store works. Tests replace it.
        var networkFileSystem: @Sendable (String) -> NetworkFileSystem? = { NetworkFileSystem(at: $0) }
        /// The memory of the server and its decoder processes, in bytes. The default is 60 % of the machine's, or of the
        /// limit of the process's control groups.
        package var memoryLimit = MemoryShares.standardTotal
        /// The number of processor cores among which ``memoryLimit`` is divided. The default is those of the machine.
        package var processors = ProcessInfo.processInfo.activeProcessorCount
        /// The file of purges, beside the stores; `nil` without ``store``: purges then end with the server.
        package var purgeFile: String? { store.map { "\($0)/purges" } }
        /// The secret of the requests to ``RenditionServer/purges``. The default, `nil`, permits none.
        package var adminToken: AdminToken?
        /// The purges that the caches obey.
        var purges = PurgeList()
        /// The admin ports of the other nodes, to which purges are passed on. Requires ``adminToken``. Empty by default.
        package var nodes: [NodeAddress] = []
        /// Passes purges on in place of ``nodes``, for tests.
        var otherPeers: (any PurgePeers)?
        /// The objects of purges, for tests without ``far``. If `nil` (the default), the far store has them.
        var purgeObjects: PurgeObjects?
        /// Whether the server learns the purges of others from the far store before it reads there. The default is `true`.
        var learnsFarPurges = true
        /// The purges that results from the far store obey, besides ``purges``.
        var farPurges = PurgeList()
        /// The far store of results, which other servers share. The default is none.
        package var far: FarOptions?
        package var watermark: Bitmap?
        /// The decoders of the formats that sources may have.
        package var decoders = DecoderRegistry.standard
        /// The permitted sources on the web. Empty by default.
        package var allowed = AllowedSources()
        /// The variables of the environment, which name the places of credentials for buckets. Empty by default. A reload
        /// reads the places again.
        package var environment: [String: String] = [:]
        /// The addresses of the hosts of sources. The default is all.
        package var addresses = AddressRules.all
        /// Header fields, such as credentials, for requests to URLs that begin with a prefix. After a redirect to
        /// another URL, they are not sent.
        package var sourceFields: [(prefix: URLPrefix, fields: HTTPFields)] = []
        /// The maximum number of redirects for a source. The default is 5.
        package var redirectLimit = 5
        /// The lifetime of a source on the web whose origin states no freshness, in seconds. The default is 3,600.
        package var defaultLifetime = 3600.0
        /// The lifetime of the results of local sources, in seconds, in responses to clients. The default, `nil`, is a
        /// minute: the time after which the server itself looks at a file again.
        package var localLifetime: Int?
        /// Whether the origin's response determines the freshness of a source. If `false`, each source is fresh for
        /// ``defaultLifetime``. The default is `true`.
        package var obeysFreshness = true
        /// The other origin whose scripts may read responses, or "*" for all origins. The default, `nil`, permits none.
        package var scriptOrigin: ByteString?
        /// The maximum number of pixels in a source. The default is 50 million.
        package var maxSourcePixels = 50_000_000
        /// The maximum number of pixels in an animation, added up over its frames. Each frame counts as the larger of
        /// its canvas and its result, and as at least 16,384. The result of a larger animation is its first frame. The
        /// default is 50 million.
        package var maxAnimationPixels = 50_000_000
        /// The maximum size of a source, in bytes. The default is 50 MB. A source may have at most a quarter of the share
        /// for undecoded images.
        package var maxSourceBytes = 50_000_000
        /// The maximum memory of decoding one source, in bytes. The default is no limit but the share for decodes.
        package var maxDecodeBytes = Int.max
        /// The longest side of a result, in pixels. The default is 4,096. A larger result is made smaller as a whole.
        package var maxResultSide = 4096
        /// The maximum number of pixels of a result. The default is 16 million. A larger result is made smaller as a whole.
        package var maxResultPixels = 16_000_000
        /// The maximum number of renditions that are made or wait for memory and a codec thread. The default is 256.
        package var queueLimit = 256
        /// The time limit for loading a source of the web, redirects and retries included. The default is 10 s.
        package var fetchDeadline = Duration.seconds(10)
        /// The time limit for a rendition, from the request to the finished file. The default is 15 s.
        package var requestDeadline = Duration.seconds(15)
        /// The time for which all renditions of a missing, damaged or silent source fail. The default is 10 s.
        package var failureMemory = Duration.seconds(10)
        /// The maximum number of silent origins' downloads that do not count as such, of which one host may have half. The
        /// default is 512, or less if the process may open fewer than 1,500 files.
        package var silentLimit = Self.standardSilentLimit(descriptors: DescriptorBudget.current.limit)
        /// The formats that are decoded in separate processes. The default is `riskyFormats`.
        package var isolation = DecoderIsolation.riskyFormats
        package var wallClock = WallClock.system
        /// The clock for time limits.
        package var clock: any Clock<Duration> = ContinuousClock()
        /// Called with the record of each answer that ``logLevel`` includes, on threads that must not block. The default,
        /// `nil`, makes no records.
        package var log: (@Sendable (AnswerRecord) -> Void)?
        /// The answers that have records. The default is `errors`.
        package var logLevel = LogLevel.errors
        /// The counters of the server. Copies of the options share them.
        package var metrics = ServerMetrics()
        /// Called with a message for each problem of the stores and of the machine.
        package var report: @Sendable (String) -> Void = { _ in }
        /// Called with the name of each ignored URL option.
        package var noteIgnored: @Sendable (String) -> Void = { _ in }

        package init(root: LocalPath) { self.root = root }

        package init(root: String) { self.init(root: LocalPath(text: root)) }

        /// The division of ``memoryLimit``.
        package var shares: MemoryShares {
            MemoryShares(total: memoryLimit, processors: processors, isStored: store != nil)
        }

        /// The number of descriptors to keep from clients: decoder processes may start at any time, and purges reach other nodes
        /// and the far store however many clients are connected.
        package func keptDescriptors(of budget: DescriptorBudget) -> Int {
            let forNodes = nodes.isEmpty ? 0 : budget.kept(for: 32)
            let forFar = far == nil ? 0 : Self.farConnections(of: budget)
            return budget.kept(for: isolation.descriptors) + forNodes + forFar
        }

        /// The maximum size of a source in bytes, under both limits.
        var sourceLimit: Int { min(maxSourceBytes, shares.sourceLimit) }

        /// The connections of the admin port, more with other nodes, which pass their purges on.
        package var adminConnections: Int { nodes.isEmpty ? 16 : FleetPurges.connections }

        /// Passes purges on to other nodes; `nil` without any.
        var peers: (any PurgePeers)? {
            if let otherPeers { return otherPeers }
            guard let adminToken, !nodes.isEmpty else { return nil }
            return NodePeers(nodes, token: adminToken, clock: clock)
        }

        /// The objects of purges in the far store; `nil` without one.
        func purgeObjects(_ store: FarStore?) -> PurgeObjects? {
            if let purgeObjects { return purgeObjects }
            guard let store, let far, learnsFarPurges else { return nil }
            return PurgeObjects(store, age: far.age)
        }

        /// Whether a store from an earlier start exists.
        var hasStores: Bool {
            store.map { store in ["sources", "results"].contains { DiskStore.exists(in: "\(store)/\($0)") } } ?? false
        }

        var loader: ImageLoaderOptions {
            var options = ImageLoaderOptions.ephemeral
            options.decoders = decoders
            options.limits.maxPixels = maxSourcePixels
            // Beyond the budget, whole renditions are refused.
            options.limits.maxDecodeBytes = maxDecodeBytes
            // `RenditionAnimation` checks it, and makes a still image of a larger animation.
            options.limits.maxAnimationPixels = .max
            options.limits.maxBitmapBytes = nil
            options.bodyLimit = sourceLimit
            options.decodeBudget = shares.decodes
            options.refusesBeyondBudget = true
            options.undecodedBytes = shares.undecodedLimit
            options.schemes = []
            options.addresses = addresses
            options.purges = purges
            // The HTTP cache keeps results encoded, so the loader need not cache bitmaps.
            options.memory.costLimit = 0
            options.isolation = isolation
            options.wallClock = wallClock
            // The client learns how long the origin asks to wait, instead of waiting for it here.
            options.retry.statuses.subtract([408, 429])
            options.retry.longestRetryAfter = .seconds(1)
            return options
        }

        /// Makes the cache of results, and a function that returns its memory in use, in bytes.
        ///
        /// - Parameter far: The far half of the store. By default there is none.
        func makeResults(
            _ disk: DiskStore?, far: ObjectHTTPCacheStore? = nil
        ) throws(ServerError) -> (cache: HTTPCache, memoryBytes: @Sendable () -> Int) {
            var rules = CacheRules(.shared)
            rules.negativeLifetime = .zero
            var options = HTTPCacheOptions()
            options.isGateway = true
            options.limitGathering(to: store == nil ? shares.gathering / 2 : shares.gathering)
            options.purges = purges
            let reports = RepeatedReports(report, wallClock: wallClock)
            let onProblem: @Sendable (any Error) -> Void = { reports.add("the results: \($0)") }
            func cache(over near: any BodyFileStore) throws(ServerError) -> HTTPCache {
                var store = near
                if let far {
                    store = try TieredHTTPCacheStore(
                        near: near, far: far, rules: rules, purges: purges, farPurges: farPurges, wallClock,
                        onProblem: onProblem)
                }
                return HTTPCache(
                    rules: rules, store: store, options: options, wallClock: wallClock, onProblem: onProblem)
            }
            guard let disk else {
                let store = MemoryHTTPCacheStore(byteLimit: shares.resultLimit)
                return (try cache(over: store), { store.byteCount })
            }
            let store = DiskHTTPCacheStore(disk, memory: shares.resultLimit)
            return (try cache(over: store), { store.memoryBytes })
        }

        /// Makes the folders of ``store``, so that a server which cannot write there does not start.
        func makeStoreFolders() throws(ServerError) {
            guard let store else { return }
            let folders = ["sources", "results"].map { "\(store)/\($0)" }
            // Before anything is made there. Each may be a mount, or a link to another file system.
            for folder in [store] + folders {
                if let system = networkFileSystem(folder) { throw ServerError(start: system.refusal(of: store)) }
            }
            do throws(StoreError) { for folder in folders { try DiskStore.makeFolder(folder) } } catch {
                throw ServerError(start: "the store cannot be written: \(error)")
            }
        }

        /// Opens the store for sources or for results, or returns `nil` if ``store`` is `nil`.
        func openStore(_ name: String) -> DiskStore? {
            store.map { folder in
                var options = DiskStoreOptions()
                options.byteLimit = storeSize
                options.maximumAge = nil
                return DiskStore(directory: "\(folder)/\(name)", options: options) { [report] in
                    report("the store of \(name): \($0)")
                }
            }
        }
    }
}

extension HTTPCacheOptions {
    /// Limits the bodies that are still to be stored, in bytes: all of them, and each.
    mutating func limitGathering(to limit: Int) {
        gatheringLimit = limit
        bodyLimit = min(bodyLimit, limit)
    }
}
