import CalotypeBase
import CalotypeListener

/// The numbers by which an operator watches a server. Counting takes no lock on the path of hits.
///
/// Every request for a rendition has exactly one ``Outcome``, also if the listener refuses it or its client leaves: the
/// outcomes add up to the number of requests, and so do the statuses. Requests for the server's health and preflights of
/// scripts are none.
package final class ServerMetrics: Sendable {
    package enum Outcome: String, CaseIterable, Sendable {
        /// A fresh result from the cache.
        case hit
        /// A result from the cache that is no longer fresh.
        case stale
        /// A result from the cache whose source has not changed since.
        case revalidated
        /// A result made for this request.
        case made
        /// A result made or revalidated for another request at the same time.
        case coalesced
        /// A request refused without work: it is wrong, not permitted, or more than the server can do.
        case rejected
        /// A valid request without a result, because the source or the work failed.
        case failed
        /// A request whose client left, or that was cut, before there was a result.
        case left
    }

    package enum Stage: String, CaseIterable, Sendable {
        case queue, fetch, decode, encode
    }

    /// The statuses with a counter of their own. The others share one.
    private static let statuses = [
        200, 204, 206, 304, 400, 403, 404, 405, 408, 413, 414, 416, 422, 431, 499, 500, 501, 502, 503, 504, 505, 508,
    ]

    /// The places of the counters.
    private enum Cell {
        static let firstStatus = Outcome.allCases.count
        static let otherStatus = firstStatus + statuses.count
        static let began = otherStatus + 1, ended = began + 1, clientsLeft = ended + 1, dropped = clientsLeft + 1
        static let cut = dropped + 1, sentBytes = cut + 1
        static let firstByte = Histogram(first: sentBytes + 1)
        static let firstStage = firstByte.first + Histogram.cellCount
        static let count = firstStage + Stage.allCases.count * Histogram.cellCount
    }

    private let cells = ShardedCounters(count: Cell.count)
    /// The place of the counter of each status below 600.
    private let statusCells: [Int]
    private let cutting = AtomicInteger(0)
    private let rare = Locked(Rare())
    /// Returns the parts into which the memory is divided, in bytes. Empty by default.
    private let memory = Locked<@Sendable () -> [MemoryShare]>({ [] })

    package struct MemoryShare: Sendable {
        package let name: String
        package let limit: Int
        package let used: Int

        package init(name: String, limit: Int, used: Int) { (self.name, self.limit, self.used) = (name, limit, used) }
    }

    /// Counters that no hit changes.
    private struct Rare {
        var origins: [String: Int] = [:]
        var failures: [String: Int] = [:]
        var ignoredOptions: [String: Int] = [:]
        var gainMaps: [String: Int] = [:]
    }

    package init() {
        var places = [Int](repeating: Cell.otherStatus, count: 600)
        for (offset, status) in Self.statuses.enumerated() { places[status] = Cell.firstStatus + offset }
        statusCells = places
    }

    // MARK: Requests

    /// Counts a request that has reached the handler.
    func began() { cells.add(to: Cell.began) }

    /// Counts an answer. Called exactly once for each request.
    ///
    /// - Parameters:
    ///   - bytes: The size of the body.
    ///   - nanoseconds: The time since the request, or `nil` if the listener refused it.
    func answered(_ outcome: Outcome, status: Int, bytes: Int, after nanoseconds: UInt64?) {
        let shard = cells.ownShard
        shard.add(to: outcome.cell)
        shard.add(to: statusCells.indices.contains(status) ? statusCells[status] : Cell.otherStatus)
        if bytes > 0 { shard.add(bytes, to: Cell.sentBytes) }
        if let nanoseconds { Cell.firstByte.add(nanoseconds, to: shard) }
    }

    /// Counts the end of a request that has reached the handler.
    func ended(_ outcome: Listener.Outcome) {
        let shard = cells.ownShard
        shard.add(to: Cell.ended)
        switch outcome {
        case .complete: break
        case .clientLeft: shard.add(to: Cell.clientsLeft)
        case .dropped: shard.add(to: cutting.load() == 1 ? Cell.cut : Cell.dropped)
        }
    }

    /// Counts requests that the listener drops from now on as cut, because the server ends.
    func beginCutting() { cutting.store(1) }

    /// The number of requests that were cut when the server ended.
    var cut: Int { cells[Cell.cut] }

    // MARK: Work

    func took(_ nanoseconds: UInt64, _ stage: Stage) {
        stage.histogram.add(nanoseconds, to: cells.ownShard)
    }

    func originAnswered(_ status: Int) { rare.withLock { $0.origins["\(status)", default: 0] += 1 } }

    func originFailed(_ code: String) { rare.withLock { $0.failures[code, default: 0] += 1 } }

    /// Counts a URL's option that is left out. Of further names than 64, which URLs choose freely, the sum is counted.
    func ignored(_ option: String) {
        let option = String(option.prefix(32))
        rare.withLock { rare in
            let isKnown = rare.ignoredOptions[option] != nil || rare.ignoredOptions.count < 64
            rare.ignoredOptions[isKnown ? option : "other", default: 0] += 1
        }
    }

    /// Counts a gain map by what became of it: "kept", or the reason for which it was dropped.
    func foundGainMap(_ outcome: String) { rare.withLock { $0.gainMaps[outcome, default: 0] += 1 } }

    /// Sets the function that returns the parts into which the memory is divided.
    package func reportMemory(_ shares: @escaping @Sendable () -> [MemoryShare]) { memory.withLock { $0 = shares } }

    // MARK: Values

    package struct Values: Sendable {
        package var outcomes: [(Outcome, Int)]
        /// The number of responses with each status. `nil` is any other status.
        package var statuses: [(Int?, Int)]
        package var inFlight: Int
        package var clientsLeft: Int
        package var dropped: Int
        package var cut: Int
        package var sentBytes: Int
        package var firstByte: Histogram.Values
        package var stages: [(Stage, Histogram.Values)]
        /// The number of responses of origins by their status, in order.
        package var origins: [(String, Int)]
        /// The number of exchanges with origins that had no response, by the reason.
        package var originFailures: [(String, Int)]
        package var ignoredOptions: [(String, Int)]
        /// The number of gain maps that results kept, and of those dropped for each reason.
        package var gainMaps: [(String, Int)]
        package var memory: [MemoryShare]
    }

    package var values: Values {
        let rare = rare.withLock { $0 }
        let shares = memory.withLock { $0 }
        func sorted(_ counts: [String: Int]) -> [(String, Int)] {
            counts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { ($0.key, $0.value) }
        }
        // Read before `began`, so that the difference is never negative.
        let ended = cells[Cell.ended]
        return Values(
            outcomes: Outcome.allCases.map { ($0, cells[$0.cell]) },
            statuses: Self.statuses.enumerated().map { ($1, cells[Cell.firstStatus + $0]) }
                + [(nil, cells[Cell.otherStatus])],
            inFlight: cells[Cell.began] - ended, clientsLeft: cells[Cell.clientsLeft], dropped: cells[Cell.dropped],
            cut: cut, sentBytes: cells[Cell.sentBytes], firstByte: Cell.firstByte.values(in: cells),
            stages: Stage.allCases.map { ($0, $0.histogram.values(in: cells)) }, origins: sorted(rare.origins),
            originFailures: sorted(rare.failures), ignoredOptions: sorted(rare.ignoredOptions),
            gainMaps: sorted(rare.gainMaps), memory: shares())
    }
}

extension ServerMetrics.Outcome {
    fileprivate var cell: Int {
        switch self {
        case .hit: 0
        case .stale: 1
        case .revalidated: 2
        case .made: 3
        case .coalesced: 4
        case .rejected: 5
        case .failed: 6
        case .left: 7
        }
    }
}

extension ServerMetrics.Stage {
    fileprivate var histogram: Histogram {
        let number =
            switch self {
            case .queue: 0
            case .fetch: 1
            case .decode: 2
            case .encode: 3
            }
        return Histogram(first: ServerMetrics.firstStageCell + number * Histogram.cellCount)
    }
}

extension ServerMetrics {
    fileprivate static var firstStageCell: Int { Cell.firstStage }
}
