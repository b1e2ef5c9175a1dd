import Foundation

/// The memory of a server and its decoder processes.
package struct MemoryOptions: Sendable {
    /// The whole, in bytes. The default is 60 % of the machine's, or of the limit of the process's control groups.
    package var limit = MemoryShares.standardTotal
    /// The number of processor cores among which ``limit`` is divided. The default is those of the machine.
    package var processors = ProcessInfo.processInfo.activeProcessorCount
    /// The maximum number of decoder processes, besides the limit that the memory sets. The default, `nil`, is one for each
    /// processor core, and at most 8.
    package var workers: Int?

    /// Throws if it is too little for a server.
    func check() throws(ServerError) {
        guard limit >= MemoryShares.smallest else {
            throw ServerError(
                start:
                    "--memory is \(limit / 1_000_000)MB (the default is 60 % of the machine's memory): "
                    + "the server needs at least \(MemoryShares.smallestInMegabytes)MB")
        }
    }

    /// Returns the division of the memory.
    ///
    /// - Parameter isStored: Whether originals are kept on disk.
    func shares(isStored: Bool) -> MemoryShares {
        MemoryShares(total: limit, processors: processors, isStored: isStored, workers: workers)
    }
}
