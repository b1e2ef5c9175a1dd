import Calotype
import CalotypeBase
package import CalotypeCodecs
import CalotypeHTTPCache
import CalotypeListener
import CalotypeStore
package import Foundation

/// An HTTP server for thumbnails: it verifies and parses URLs, and responds from a cache of results. A
/// `RenditionTransport` makes the results that the cache lacks.
///
/// The listener's thread sends a fresh result from memory directly, without starting a task.
package final class RenditionServer: Sendable {
    let results: HTTPCache
    let renditions: RenditionTransport
    /// The counts of requests and work.
    package let metrics: ServerMetrics
    let listener: Listener
    let clock: any Clock<Duration>
    let ready = AtomicInteger(1)
    private let isolation: DecoderIsolation
    private let known: KnownTargets
    let web: WebSources
    /// The stores of sources and results; empty if `Options.store` is `nil`.
    let disks: [DiskStore]
    /// The codec threads and the memory that local sources and those of the web share.
    let work: SharedWork
    let purging: PurgeControl
    let fleet: FleetPurges
    /// The far half of the store of results; `nil` without `Options.far`.
    let far: ObjectHTTPCacheStore?
    let farCounters = FarCounters()
    /// The pages for purges, or `nil` without `Options.adminToken`.
    package let purges: PurgeAnswers?

    /// - Throws: `ServerError` if there is too little memory, if the root cannot be opened or if decoder processes cannot be
    ///   started; `ListenerError` if the address cannot be used.
    package init(_ options: Options) throws {
        guard options.memoryLimit >= MemoryShares.smallest else {
            throw ServerError(
                start:
                    "--memory is \(options.memoryLimit / 1_000_000)MB (the default is 60 % of the machine's memory): "
                    + "the server needs at least \(MemoryShares.smallestInMegabytes)MB")
        }
        var options = options
        // A copy of the options may make another server.
        options.purges = PurgeList()
        options.farPurges = PurgeList()
        do throws(CodecError) { try options.isolation.start() } catch { throw ServerError(start: error.message) }
        metrics = options.metrics
        clock = options.clock
        isolation = options.isolation
        let root: SourceRoot
        do throws(SystemError) { root = try SourceRoot(options.root) } catch {
            throw ServerError(start: "the root \(options.root) cannot be opened: \(error)")
        }
        try options.makeStoreFolders()
        let isNewStore = !options.hasStores
        let originals = options.openStore("sources"), results = options.openStore("results")
        let watermark = options.watermark.map(WatermarkImage.init)
        let shares = options.shares, held = HeldOriginals(limit: shares.heldLimit)
        var loader = options.loader
        work = SharedWork(loader)
        loader.sharedWork = work
        let known = KnownTargets(ServingRules(options))
        self.known = known
        let web = WebSources(options, disk: originals, sharing: work, held, rules: { known.rules })
        self.web = web
        let local = LocalSources(
            root, ImageLoader(loader), byteLimit: options.sourceLimit, held, purges: options.purges,
            wallClock: options.wallClock)
        renditions = RenditionTransport(options, local: local, web: web, watermark)
        let farStore = try options.makeFarStore()
        if let farStore, let far = options.far {
            let sources = FarSources(store: web.responses, allowed: { known.rules.allowed })
            self.far = options.makeFar(farStore, far, sources: sources, farCounters)
        } else {
            far = nil
        }
        let made = try options.makeResults(results, far: far)
        self.results = made.cache
        disks = [originals, results].compactMap(\.self)
        let cache = self.results
        let purging = PurgeControl(options, disks, far: farStore) {
            cache.forgetMemory()
            web.forgetMemory()
        }
        self.purging = purging
        let objects = options.purgeObjects(farStore)
        let fleet = FleetPurges(
            purging, peers: options.peers,
            far: objects.map { FarPurges($0, options, purging, isNewStore: isNewStore) })
        self.fleet = fleet
        purges = options.adminToken.map { PurgeAnswers(fleet: fleet, token: $0) }
        let journal = AnswerLog(options, known)
        let answers = RenditionAnswers(
            options, ClientTargets(options, known, mark: watermark?.digest), cache: self.results, over: renditions,
            journal)
        var listening = options.listener
        listening.connectionLimit = max(min(listening.connectionLimit, shares.connectionLimit), listening.threads)
        // No request has a body: the head, with what the kernel has not taken yet, is all that a connection holds.
        listening.bodyLimit = min(listening.bodyLimit, 16 << 10)
        listening.onRefusal = { status, reason in journal.noteRefusal(status, reason) }
        listening.onEnd = { [metrics = options.metrics] _, outcome in metrics.ended(outcome) }
        listening.onCut = { answers.noteCut($0, $1) }
        // `drain(delay:limit:)` has the limit.
        listening.timeouts.drain = nil
        listening.keptDescriptors += options.keptDescriptors(of: .current)
        listener = try Listener(options: listening, answer: answers.answer)
        // Not the sources themselves, whose transport has the metrics.
        metrics.reportMemory { [work, sourceBytes = web.memoryBytes, weak listener] in
            shares.use([
                "decodes": work.reservedBytes, "undecoded": work.undecodedBytes + held.bytes,
                "results": made.memoryBytes(), "sources": sourceBytes(),
                "connections": (listener?.openConnections ?? 0) * MemoryShares.connectionBytes,
            ])
        }
        fleet.start(options.clock)
    }

    /// The URL of the server, such as http://127.0.0.1:8080.
    package var url: URL { listener.url }

    /// The number of renditions encoded since the server started, including those in progress.
    package var encodes: Int { renditions.work.encodes }

    /// The memory that renditions in progress have reserved, in bytes.
    package var reservedBytes: Int { work.reservedBytes }

    /// The number of download slots in use.
    package var downloads: Int { web.downloads }

    /// Returns `true` once each time the renditions in progress have dropped to a quarter of their maximum.
    package func hasCalmedDown() -> Bool { renditions.work.hasCalmedDown() }

    /// The number of requests that wait for the work of another request: in the cache or, if the cache may not share
    /// the response, in the transport.
    var waiters: Int { results.waiters + max(0, renditions.waiters - 1) }

    /// Replaces keys, grammar, permitted sources, buckets and addresses, header fields of sources, and the log's level and
    /// receiver by those of other options, all at once. Requests in progress keep the earlier ones. The remaining options
    /// are those with which the server was created.
    package func reload(_ options: Options) { known.replaceRules(by: ServingRules(options)) }

    /// Finishes the requests in flight within 10 seconds and all pending writes, then stops.
    package func close() async { await drain(delay: .zero, limit: .seconds(10)) }

    /// Returns when each of the listener's threads has passed through its event loop: the server's sign of life.
    package func pulse() async { await listener.pulse() }

    /// Stops at once, without finishing the requests in flight.
    package func stop() {
        listener.stop()
        fleet.stop()
        far?.writer.stop()
    }

    /// The counters of the processes that decode; `nil` if none do.
    package var workers: DecoderWorkers.Counters? { isolation.counters }
}
