import CalotypeBase
import CalotypeMemory

/// The division of one amount of memory among the parts of a server and its decoder processes.
///
/// 64 MiB are for the programs themselves, and 16 MiB for each decoder process. Of the rest, decoding gets 6/16 and undecoded
/// images 4/16; sources in memory, bodies to be stored, the memory shared with decoder processes, and connections get 1/16
/// each, the latter three up to a limit. Results in memory get what remains, which is 2/16 or more.
package struct MemoryShares: Hashable, Sendable {
    /// The whole, in bytes.
    package let total: Int
    /// The code and the tables of the server and of its decoder processes, in bytes.
    package let program: Int
    /// The maximum number of decoder processes.
    package let workers: Int
    /// The memory of all decoder processes apart from their code and their images, in bytes.
    package let workerBytes: Int
    /// Decoding, steps and encoding of all renditions in progress, in bytes. A rendition that needs more is refused.
    package let decodes: Int
    /// The originals that wait for a decoder, in bytes.
    package let undecoded: Int
    /// The results that are answered from memory, in bytes.
    package let results: Int
    /// The originals that are kept in memory, in bytes; 0 if they are kept on disk.
    package let sources: Int
    /// The bodies that are to be stored, in bytes.
    package let gathering: Int
    /// The memory that decoder processes share with the server and keep for later images, in bytes.
    package let regions: Int
    /// The connections with clients, in bytes.
    package let connections: Int

    private static let mebibyte = 1 << 20
    private static let programBytes = 64 * mebibyte
    private static let oneWorker = 16 * mebibyte
    /// The memory that is kept for each connection, in bytes.
    static let connectionBytes = 64 << 10
    /// The least memory besides the programs and one decoder process, in bytes.
    private static let leastRest = 64 * mebibyte

    /// The smallest amount that can be divided, in bytes.
    package static let smallest = programBytes + oneWorker + leastRest

    /// ``smallest`` in whole megabytes, for messages.
    package static let smallestInMegabytes = (smallest + 999_999) / 1_000_000

    /// 60 % of the memory of the machine, or of the limit of the process's control groups if that is less, in bytes.
    package static let standardTotal = PhysicalMemory.limit() / 10 * 6

    /// - Parameters:
    ///   - total: The amount in bytes. One below ``smallest`` counts as that.
    ///   - processors: The number of processor cores.
    ///   - isStored: Whether originals are kept on disk, so that memory keeps none.
    ///   - workers: The maximum number of decoder processes. If `nil` (the default), one for each core, and at most 8.
    package init(total: Int, processors: Int, isStored: Bool, workers: Int? = nil) {
        self.total = max(total, Self.smallest)
        program = Self.programBytes
        // All decoder processes together take at most a fifth of what the programs leave.
        let affordable = (self.total - Self.programBytes) / (5 * Self.oneWorker)
        self.workers = min(max(affordable, 1), max(workers ?? min(processors, 8), 1))
        workerBytes = self.workers * Self.oneWorker
        let rest = self.total - program - workerBytes, part = rest / 16
        decodes = 6 * part
        undecoded = 4 * part
        sources = isStored ? 0 : part
        gathering = min(part, 512 * Self.mebibyte)
        regions = min(part, 128 * Self.mebibyte)
        connections = min(part, 4096 * Self.connectionBytes)
        results = rest - decodes - undecoded - sources - gathering - regions - connections
    }

    /// The maximum number of connections.
    package var connectionLimit: Int { connections / Self.connectionBytes }

    /// The limit on complete originals in memory, in bytes. One more may arrive while they reach it.
    var undecodedLimit: Int { undecoded / 2 }
    /// The maximum size of an original, in bytes.
    var sourceLimit: Int { undecoded / 4 }
    /// The limit on originals that all renditions together keep until the loader takes them, in bytes.
    var heldLimit: Int { undecoded / 4 }
    /// The limit on results in the cache, in bytes. As many may have left it that clients still read.
    var resultLimit: Int { results / 2 }

    /// All shares in bytes with their names, for people and for metrics. They add up to ``total``.
    package var parts: [(name: String, bytes: Int)] {
        [
            ("program", program), ("workers", workerBytes), ("decodes", decodes), ("undecoded", undecoded),
            ("results", results), ("sources", sources), ("gathering", gathering), ("regions", regions),
            ("connections", connections),
        ]
    }

    /// Returns the shares whose use is known, for metrics.
    ///
    /// - Parameter bytes: The memory in use of shares, by their names.
    func use(_ bytes: [ByteString: Int]) -> [ServerMetrics.MemoryShare] {
        parts.compactMap { part in
            bytes[ByteString(part.name)].map { .init(name: part.name, limit: part.bytes, used: $0) }
        }
    }
}
