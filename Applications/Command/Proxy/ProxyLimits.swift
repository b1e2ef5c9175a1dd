import CalotypeBase
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How many connections a proxy has at the same time, on both sides: what the system lets it open, divided so that clients
/// never take what requests to origins need.
struct ProxyLimits: Hashable, Sendable {
    /// Clients' connections.
    let connections: Int
    /// Requests to origins that wait for nothing but the origin.
    let transfers: Int
    /// Exchanges that wait for their client. Each may have a connection to an origin.
    let waiting: Int
    /// Descriptors that clients' connections leave to origins and to the store's files.
    let kept: Int
    /// Threads that serve clients. Each has two descriptors.
    let threads: Int

    /// What the command itself has open, with a store and an admin port, apart from two for each thread.
    private static let own = 24

    /// - Parameter descriptors: how many the process may have open.
    init(descriptors: Int) {
        let budget = DescriptorBudget(limit: descriptors)
        transfers = max(min(512, descriptors / 8), 1)
        waiting = max(min(1024, descriptors / 4 - 8), 4)
        kept = transfers + waiting + budget.files
        threads = min(max(descriptors / 64, 1), 8)
        connections = max(min(4096, descriptors - budget.reserve - kept - Self.own - 2 * threads), 4)
    }

    /// Raises the process's limit of descriptors as far as the system allows it.
    static func raisingDescriptorLimit() -> ProxyLimits {
        var limit = rlimit()
        #if canImport(Glibc)
            let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let descriptors = RLIMIT_NOFILE
        #endif
        guard getrlimit(descriptors, &limit) == 0 else { return current }
        // More than is of use would only make tables larger.
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
