import CalotypeBase
import CalotypeCodecs
import CalotypeListener
import CalotypeServer
import Foundation

extension RenditionServer.Options {
    /// Divides the process's file descriptors. Call this when the other options are known.
    mutating func divideDescriptors() throws(ServerLimits.TooFew) {
        let limits = try ServerLimits.ofProcess { descriptors in
            ServerLimits.ofThumbnails(
                descriptors: descriptors, stores: store == nil ? 0 : 2,
                others: keptDescriptors(of: DescriptorBudget(limit: descriptors)))
        }
        silentLimit = limits.waiting
        listener.threads = min(listener.threads, limits.threads)
        listener.connectionLimit = limits.connections
        listener.keptDescriptors = limits.kept
    }
}

extension Option {
    static let queue = Option(
        "queue", nil, "N",
        help: "Make or queue at most N renditions at a time, 256 by default. Further ones are answered 503 at once.")
}
