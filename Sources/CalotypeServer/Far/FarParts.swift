import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTransport
import CalotypeURLs

extension FarOptions {
    /// Makes the far half of the store of results.
    ///
    /// - Parameters:
    ///   - making: Has the settings on which the bytes of results depend.
    ///   - near: The near store of sources.
    func half(
        _ making: MakingOptions, _ sources: SourceOptions, _ near: any HTTPCacheStore, objects: (any ObjectStore)?,
        basis: ServerBasis
    ) throws(ServerError) -> ObjectHTTPCacheStore {
        let store = try store(objects, sources, basis.wallClock)
        let (counters, shares) = (FarCounters(), basis.shares)
        let reader = FarReader(
            store, timeout: timeout, limit: max(8, min(64, shares.gathering >> 20)), counters, basis.clocks,
            report: basis.report)
        // Their bodies may have left the near store, as those that clients still read.
        let limit = min(FarWriter.standardLimit, shares.resultLimit)
        let writer = FarWriter(store, limit: limit, counters, basis.clock, report: basis.report)
        let allowed: @Sendable () -> AllowedSources = { [known = basis.known] in known.rules.allowed }
        return ObjectHTTPCacheStore(
            store, names: FarNames(making, allowed: allowed), reader: reader, writer: writer,
            sources: FarSources(store: near, allowed: allowed), self, counters: counters, basis.wallClock)
    }

    /// Makes the far store.
    ///
    /// - Parameters:
    ///   - objects: The store in place of a bucket, if any.
    ///   - sources: Have the place of the bucket, if it is one of theirs.
    /// - Throws: `ServerError` if the options of its bucket are wrong.
    func store(
        _ objects: (any ObjectStore)?, _ sources: SourceOptions, _ wallClock: WallClock
    ) throws(ServerError) -> FarStore {
        if let objects { return FarStore(objects: objects, prefix: prefix) }
        let place: S3Bucket
        do throws(RenditionError) {
            place = try sources.allowed.objects.described(bucket)
        } catch { throw ServerError(start: "the far store: \(error)") }
        let signer = ObjectSigners(environment: sources.environment, wallClock: wallClock).signer(of: place)
        var transport = SystemTransport.Options()
        // Its connections are no part of the limits for sources: neither keeps the other waiting.
        transport.connectionsPerHost = Self.connections(of: .current)
        // The reader and the writer report a refusal once, as the reason for which they stop.
        let signed = SystemTransport(options: transport).signed(by: signer, onRefusal: { _ in })
        return FarStore(objects: S3ObjectStore(bucket: place, transport: signed), prefix: prefix)
    }

    /// The maximum number of connections with the far store's bucket. Each takes a descriptor.
    static func connections(of budget: DescriptorBudget) -> Int { max(4, min(72, budget.limit / 16)) }
}

extension RenditionServer {
    /// The counts of the far store, or `nil` without one.
    package var farCounts: FarCounts? {
        far.map { far in
            var counts = far.counters.values
            counts.isRead = far.reader.isPermitted
            return counts
        }
    }
}
