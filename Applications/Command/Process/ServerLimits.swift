import CalotypeBase
import CalotypeServer
import Foundation

/// The limits on connections, exchanges and threads of `proxy` and `serve`. They divide the process's file descriptors so
/// that clients never take those needed for requests to origins, for files and for decoder processes.
struct ServerLimits: Hashable, Sendable {
    /// The maximum number of clients' connections.
    let connections: Int
    /// The maximum number of requests in flight to origins, apart from those that `waiting` counts.
    let transfers: Int
    /// The maximum number of further requests, which wait for their client or for a silent origin.
    let waiting: Int
    /// The number of descriptors reserved for origins and for the store's files.
    let kept: Int
    /// The maximum number of threads that serve clients. Each holds two descriptors.
    let threads: Int

    /// Whether every part has its share, and clients have `fewest` connections. Otherwise it could serve no client.
    let suffices: Bool

    /// The descriptors that the command itself holds, with a store and all connections of an admin port, but without those
    /// of the threads.
    private static let own = 40

    /// - Parameters:
    ///   - descriptors: The process's limit on open file descriptors.
    ///   - stores: The number of stores whose files may be open.
    ///   - others: The number of descriptors that are kept from clients, too, but not included in `kept`.
    ///   - fewest: The number of clients below which a server is of no use.
    private init(descriptors: Int, transfers: Int, waiting: Int, stores: Int, others: Int, fewest: Int) {
        let budget = DescriptorBudget(limit: descriptors)
        self.transfers = transfers
        self.waiting = waiting
        kept = transfers + waiting + stores * budget.files
        threads = min(max(descriptors / 64, 1), 8)
        let left = descriptors - budget.reserve - kept - others - Self.own - 2 * threads
        suffices = left >= fewest
        connections = max(min(4096, left), threads, 4)
    }

    /// Returns the limits of a proxy. Further requests wait for their client to send or read more of a body.
    static func ofProxy(descriptors: Int) -> ServerLimits {
        ServerLimits(
            descriptors: descriptors, transfers: max(min(512, descriptors / 8), 1),
            waiting: max(min(1024, descriptors / 4 - 8), 4), stores: 1, others: 0,
            // With 64 it serves a few clients out of the reserve.
            fewest: descriptors >= 64 ? .min : .max)
    }

    /// Returns the limits of a server of thumbnails. Further requests wait for an origin that sends nothing.
    ///
    /// - Parameters:
    ///   - stores: The number of stores whose files may be open.
    ///   - others: The number of descriptors that the server itself keeps from clients.
    static func ofThumbnails(descriptors: Int, stores: Int, others: Int) -> ServerLimits {
        ServerLimits(
            descriptors: descriptors, transfers: max(min(32, descriptors / 16), 1),
            waiting: SourceOptions.standardSilentLimit(descriptors: descriptors), stores: stores,
            others: others, fewest: 16)
    }

    /// Returns the limits of this process, whose limit on descriptors it raises.
    ///
    /// - Throws: A message with the number of descriptors that a server needs, if the process may have fewer.
    static func ofProcess(_ limits: (Int) -> ServerLimits) throws(TooFew) -> ServerLimits {
        let descriptors = raisedDescriptorLimit()
        let found = limits(descriptors)
        guard !found.suffices, let needed = (descriptors...4096).first(where: { limits($0).suffices }) else {
            return found
        }
        throw TooFew(
            message: "the process may open \(descriptors) files (ulimit -n, LimitNOFILE=): the server needs \(needed)")
    }

    struct TooFew: Error {
        let message: String
    }

    /// Raises the process's limit on descriptors to the hard limit, or to 16,384: more would raise none of the limits.
    ///
    /// - Returns: The limit that holds now.
    static func raisedDescriptorLimit() -> Int {
        var limit = rlimit()
        let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(descriptors, &limit) == 0 else { return DescriptorBudget.current.limit }
        let wanted = min(limit.rlim_max, 16_384)
        if limit.rlim_cur < wanted {
            limit.rlim_cur = wanted
            _ = setrlimit(descriptors, &limit)
        }
        return DescriptorBudget.current.limit
    }
}
