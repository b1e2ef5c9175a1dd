import CalotypeListener
import CalotypeTransport
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

    /// - Parameter descriptors: how many the process may have open. An eighth, and 256 at most, is for the store's files
    ///   and everything else.
    init(descriptors: Int) {
        transfers = max(min(512, descriptors / 8), 1)
        waiting = max(min(1024, descriptors / 4), 8)
        connections = max(min(4096, descriptors - transfers - waiting - min(256, descriptors / 8)), 8)
    }

    /// Raises the process's limit of descriptors as far as the system allows it.
    static func raisingDescriptorLimit() -> ProxyLimits {
        var limit = rlimit()
        #if canImport(Glibc)
            let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let descriptors = RLIMIT_NOFILE
        #endif
        guard getrlimit(descriptors, &limit) == 0 else { return ProxyLimits(descriptors: 1024) }
        // More than is of use would only make tables larger.
        let wanted = min(limit.rlim_max, 16_384)
        if limit.rlim_cur < wanted {
            let before = limit.rlim_cur
            limit.rlim_cur = wanted
            if setrlimit(descriptors, &limit) != 0 { limit.rlim_cur = before }
        }
        return ProxyLimits(descriptors: Int(min(limit.rlim_cur, 1 << 20)))
    }
}
