import CalotypeBase
import CalotypeHTTP
import CalotypeTransport
import CalotypeURLs

extension RenditionServer.Options {
    /// Makes the far store, or returns `nil` without ``far``.
    ///
    /// - Throws: `ServerError` if the options of its bucket are wrong.
    func makeFarStore() throws(ServerError) -> FarStore? {
        guard let far else { return nil }
        if let objects = far.objects { return FarStore(objects: objects, prefix: far.prefix) }
        let bucket: S3Bucket
        do throws(RenditionError) {
            if let known = allowed.objects.bucket(named: far.bucket) {
                bucket = known
            } else {
                bucket = try S3Bucket(far.bucket)
            }
        } catch { throw ServerError(start: "the far store: \(error)") }
        var transport = SystemTransport.Options()
        // Its connections are no part of the limits for sources: neither keeps the other waiting.
        transport.connectionsPerHost = Self.farConnections(of: .current)
        // The reader and the writer report a refusal once, as the reason for which they stop.
        let signed = SystemTransport(options: transport).signed(by: makeSigner(of: bucket), onRefusal: { _ in })
        return FarStore(objects: S3ObjectStore(bucket: bucket, transport: signed), prefix: far.prefix)
    }

    /// The maximum number of connections with the far store's bucket. Each takes a descriptor.
    static func farConnections(of budget: DescriptorBudget) -> Int { max(4, min(72, budget.limit / 16)) }

    /// Makes the far half of the store of results.
    ///
    /// - Parameter sources: The near store of sources.
    func makeFar(
        _ store: FarStore, _ far: FarOptions, sources: FarSources, _ counters: FarCounters
    ) -> ObjectHTTPCacheStore {
        let reader = FarReader(
            store, self, timeout: far.timeout, limit: max(8, min(64, shares.gathering >> 20)), counters,
            report: report)
        // Their bodies may have left the near store, as those that clients still read.
        let writer = FarWriter(
            store, self, limit: min(FarWriter.standardLimit, shares.resultLimit), counters, report: report)
        return ObjectHTTPCacheStore(
            names: FarNames(self, allowed: sources.allowed), reader: reader, writer: writer, sources: sources, far,
            wallClock)
    }
}

extension RenditionServer {
    /// The counts of the far store, or `nil` without one.
    package var farCounts: FarCounts? {
        far.map { far in
            var counts = farCounters.values
            counts.isRead = far.reader.isPermitted
            return counts
        }
    }
}
