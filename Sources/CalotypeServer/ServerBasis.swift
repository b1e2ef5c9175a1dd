import Calotype
import CalotypeBase

/// All that the parts of a server have in common.
struct ServerBasis: Sendable {
    let clocks: ServerClocks
    /// The division of the memory.
    let shares: MemoryShares
    let metrics = ServerMetrics()
    /// The purges that all caches obey.
    let purges = PurgeList()
    /// The rules of now, and the targets that are known under them.
    let known: KnownTargets
    /// The options of loaders that decode sources.
    let loading: ImageLoaderOptions
    /// Called with a message for each problem of the stores and of the machine.
    let report: @Sendable (String) -> Void

    init(_ options: RenditionServer.Options, _ clocks: ServerClocks) {
        (self.clocks, shares, report) = (clocks, options.shares, options.report)
        known = KnownTargets(ServingRules(options.serving, options.sources, options.log, wallClock: clocks.wallClock))
        loading = options.making.loader(
            shares, bodyLimit: min(options.sources.maxBytes, shares.sourceLimit), purges, clocks.wallClock)
    }

    var clock: any Clock<Duration> { clocks.clock }
    var wallClock: WallClock { clocks.wallClock }
}
