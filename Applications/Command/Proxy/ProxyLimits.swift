import CalotypeBase
import Foundation

/// The limits on connections, exchanges and threads. They divide the process's file descriptors so that clients never
/// take those needed for requests to origins.
struct ProxyLimits: Hashable, Sendable {
    /// The maximum number of clients' connections.
    let connections: Int
    /// The maximum number of requests in flight to origins, apart from those that `waiting` counts.
    let transfers: Int
    /// The maximum number of further requests, which wait for their client to send or read more of a body.
    let waiting: Int
    /// The number of descriptors reserved for origins and for the store's files.
    let kept: Int
    /// The maximum number of threads that serve clients. Each holds two descriptors.
    let threads: Int

    /// The descriptors that the command itself holds, with a store and an admin port, but without those of the threads.
    private static let own = 24

    /// - Parameter descriptors: The process's limit on open file descriptors.
    init(descriptors: Int) {
        let budget = DescriptorBudget(limit: descriptors)
        transfers = max(min(512, descriptors / 8), 1)
        waiting = max(min(1024, descriptors / 4 - 8), 4)
        kept = transfers + waiting + budget.files
        threads = min(max(descriptors / 64, 1), 8)
        connections = max(min(4096, descriptors - budget.reserve - kept - Self.own - 2 * threads), 4)
    }

    /// Raises the process's limit on descriptors to 16,384, or to the hard limit if that is lower.
    static func raisingDescriptorLimit() -> ProxyLimits {
        var limit = rlimit()
        let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(descriptors, &limit) == 0 else { return current }
        // A higher limit would not raise any of the proxy's own limits.
        let wanted = min(limit.rlim_max, 16_384)
        if limit.rlim_cur < wanted {
            let before = limit.rlim_cur
            limit.rlim_cur = wanted
            if setrlimit(descriptors, &limit) != 0 { limit.rlim_cur = before }
        }
        return current
    }

    private static var current: ProxyLimits { ProxyLimits(descriptors: DescriptorBudget.current.limit) }
}
