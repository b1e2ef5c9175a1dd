import CalotypeBase
import CalotypeListener
package import CalotypeStore

extension RenditionServer {
    /// Whether load balancers may send requests.
    package var isReady: Bool { unreadiness == nil }

    /// The reason why load balancers are to send no requests; `nil` if they may. From the start of ``drain(delay:limit:)`` on,
    /// before the server knows the purges of other nodes, for ten seconds at most, while it hears of no others, and while
    /// it can load no more from some origin.
    package var unreadiness: String? {
        if ready.load() != 1 { return "the server is ending" }
        if sources.web.isStuck { return "the server is stuck: nothing more can be loaded from some origin" }
        return fleet.sync.unreadiness
    }

    /// Ends the server: finishes the requests in flight and all pending writes. The cancellation of the caller's task
    /// does not shorten this.
    ///
    /// - Parameters:
    ///   - delay: The time for which the server still accepts connections, although ``isReady`` is already `false`.
    ///   - limit: The time for the requests in flight after that. Those that take longer are cut. The results that wait
    ///     to be written to the far store have the rest of it.
    /// - Returns: The number of requests that were cut.
    @discardableResult package func drain(delay: Duration, limit: Duration) async -> Int {
        ready.store(0)
        // In a task of its own, which the cancellation of the caller's does not reach.
        await Task { [clock = basis.clock, far] in
            if delay > .zero { try? await Stopwatch(clock).sleep(delay) }
            let time = Stopwatch(clock)
            await finishRequests(within: limit)
            await far?.writer.finish(within: limit - time.elapsed())
        }.value
        fleet.stop()
        for (_, disk) in stores.all { try? await disk.close() }
        return metrics.cut
    }

    private func finishRequests(within limit: Duration) async {
        let end = Task { [clock = basis.clock, metrics, listener, imaginary] in
            try await Stopwatch(clock).sleep(limit)
            metrics.beginCutting()
            listener.stop()
            imaginary?.listener.stop()
        }
        async let others: Void? = imaginary?.listener.drain()
        await listener.drain()
        await others
        end.cancel()
        listener.stop()
        imaginary?.listener.stop()
    }
}

extension RenditionServer {
    /// The sizes and counters of the stores, by their names. Empty without stores.
    package func storeStatistics() async -> [(name: String, statistics: StoreStatistics)] {
        var all: [(name: String, statistics: StoreStatistics)] = []
        for (name, disk) in stores.all {
            let statistics = try? await disk.statistics()
            all.append((name, statistics ?? disk.counts))
        }
        return all
    }
}
