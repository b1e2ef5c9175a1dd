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
    let basis: ServerBasis
    let stores: ServerStores
    let sources: ServerSources
    let renditions: RenditionTransport
    /// The bodies that clients send; `nil` if no images are taken.
    let uploads: Uploads?
    /// The far half of the store of results; `nil` without `Options.far`.
    let far: ObjectHTTPCacheStore?
    let results: ResultCache
    let purging: PurgeControl
    let fleet: FleetPurges
    /// The pages for purges, or `nil` without an admin token.
    package let purges: PurgeAnswers?
    let listener: Listener
    /// The port for requests in imaginary's form, or `nil` without one.
    let imaginary: ImaginaryPort?
    let ready = AtomicInteger(1)
    private let isolation: DecoderIsolation

    /// - Throws: `ServerError` if there is too little memory, if the root cannot be opened or if decoder processes cannot be
    ///   started; `ListenerError` if the address cannot be used.
    package convenience init(_ options: Options) throws { try self.init(options, in: Surroundings()) }

    init(_ options: Options, in surroundings: Surroundings) throws {
        try options.memory.check()
        isolation = try options.making.startedIsolation()
        let root = try options.sources.openRoot()
        basis = ServerBasis(options, surroundings.clocks)
        try options.stores.makeFolders(surroundings.networkFileSystem)
        stores = ServerStores(options.stores, report: basis.report)
        let clients = options.serving.listener.connectionLimit
        sources = ServerSources(options.sources, root, disk: stores.sources, clients: clients, basis)
        renditions = RenditionTransport(RenditionMaker(options.making, sources, basis), basis)
        far = try options.far?.half(
            options.making, options.sources, sources.web.responses, objects: surroundings.farObjects, basis: basis)
        results = try ResultCache(stores.results, far: far, basis)
        purging = PurgeControl(inStore: options.stores.folder, stores, far, basis) { [results, sources] in
            results.cache.forgetMemory()
            sources.web.forgetMemory()
        }
        fleet = FleetPurges(
            purging, basis, peers: options.purging.peers(basis.clock), bucket: surroundings.purgeObjects(far),
            front: options.purging.calls(basis.clock, basis.wallClock), unknown: options.purging.unknown)
        purges = options.purging.adminToken.map { [fleet] in PurgeAnswers(fleet: fleet, token: $0) }
        uploads = options.uploads(held: sources.held, basis)
        let answers = RenditionAnswers(
            options.serving, options.sources, results.cache, over: renditions, obeying: fleet,
            uploads: uploads, basis: basis)
        listener = try options.serving.listener(
            answers, keeping: options.keptDescriptors(of: .current), basis)
        imaginary = try options.imaginary.map { [renditions, basis, sources] imaginary in
            try ImaginaryPort(
                imaginary, options.serving, over: renditions,
                uploads: imaginary.uploads(sources.held, folder: options.stores.folder, basis), basis: basis)
        }
        reportMemory()
        fleet.start(basis.clock)
    }

    /// Not the sources themselves, whose transport has the metrics.
    private func reportMemory() {
        let (work, held, sourceBytes) = (sources.work, sources.held, sources.web.memoryBytes)
        metrics.reportMemory {
            [shares = basis.shares, resultBytes = results.memoryBytes, weak listener, weak other = imaginary?.listener]
            in
            let connections = (listener?.openConnections ?? 0) + (other?.openConnections ?? 0)
            return shares.use([
                "decodes": work.reservedBytes, "undecoded": work.undecodedBytes + held.bytes,
                "results": resultBytes(), "sources": sourceBytes(),
                "connections": connections * MemoryShares.connectionBytes,
            ])
        }
    }

    /// The counts of requests and work.
    package var metrics: ServerMetrics { basis.metrics }

    /// The URL of the server, such as http://127.0.0.1:8080.
    package var url: URL { listener.url }

    /// The URL of the port for requests in imaginary's form, or `nil` without one.
    package var imaginaryURL: URL? { imaginary?.listener.url }

    /// The number of renditions encoded since the server started, including those in progress.
    package var encodes: Int { renditions.work.encodes }

    /// The number of those renditions whose decode was one for several sizes. Read before ``encodes``, at most as many.
    package var sharingEncodes: Int { renditions.work.sharing }

    /// The number of images decoded since the server started, including those in progress.
    package var decodes: Int { renditions.work.decodes }

    /// The memory that renditions in progress have reserved, in bytes.
    package var reservedBytes: Int { sources.work.reservedBytes }

    /// The number of download slots in use.
    package var downloads: Int { sources.web.downloads }

    /// Returns `true` once each time the renditions in progress have dropped to a quarter of their maximum.
    package func hasCalmedDown() -> Bool { renditions.work.hasCalmedDown() }

    /// The number of requests that wait for the work of another request.
    var waiters: Int { results.cache.waiters }

    /// Replaces keys, grammar, permitted sources, buckets and addresses, header fields of sources, and the log's level and
    /// receiver by those of other options, all at once. Requests in progress keep the earlier ones. The remaining options
    /// are those with which the server was created.
    package func reload(_ options: Options) {
        basis.known.replaceRules(
            by: ServingRules(options.serving, options.sources, options.log, wallClock: basis.wallClock))
    }

    /// Finishes the requests in flight within 10 seconds and all pending writes, then stops.
    package func close() async { await drain(delay: .zero, limit: .seconds(10)) }

    /// Returns when each of the listeners' threads has passed through its event loop: the server's sign of life.
    package func pulse() async {
        await listener.pulse()
        await imaginary?.listener.pulse()
    }

    /// Stops at once, without finishing the requests in flight.
    package func stop() {
        listener.stop()
        imaginary?.listener.stop()
        fleet.stop()
        far?.writer.stop()
    }

    /// The counters of the processes that decode; `nil` if none do.
    package var workers: DecoderWorkers.Counters? { isolation.counters }
}
