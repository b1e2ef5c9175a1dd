import CalotypeCodecs
import CalotypeListener
import CalotypeServer
import Foundation

extension RenditionServer.Options {
    /// Reads the limits on work that waits, and divides the process's file descriptors.
    mutating func readLimits(_ arguments: Arguments) throws(UsageError) {
        queueLimit = try arguments.integer(.queue, in: 1...65_536) ?? queueLimit
        let limits = ServerLimits.ofThumbnails(
            descriptors: ServerLimits.raisedDescriptorLimit(), stores: store == nil ? 0 : 2,
            workers: isolation.descriptors)
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
