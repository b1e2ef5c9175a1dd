import CalotypeCodecs
import CalotypeServer

extension RenditionServer.Options {
    /// Reads the limits on memory, on the queue and on the size of results, and makes the decoder processes that fit.
    mutating func readMemory(_ arguments: Arguments) throws(UsageError) {
        memoryLimit =
            try arguments.value(.memory, wanted: "a size such as 512MB or 2GB", QuantityParser.bytes) ?? memoryLimit
        if arguments.has(.memory), memoryLimit < MemoryShares.smallest {
            throw arguments.error(.memory, "the server needs at least \(MemoryShares.smallestInMegabytes)MB")
        }
        maxResultSide = try arguments.integer(.maxResult, in: 1...65_535) ?? maxResultSide
        maxResultPixels = try Self.resultPixels(arguments) ?? maxResultPixels
        queueLimit = try arguments.integer(.queue, in: 1...65_536) ?? queueLimit
        // Drawings that wait leave room in the queue.
        let workers = DecoderWorkers(
            limit: shares.workers, regions: shares.regions, waitingDrawings: queueLimit / 4)
        isolation = arguments.has(.noIsolate) ? .riskyFormats(in: workers) : .all(in: workers)
    }

    private static func resultPixels(_ arguments: Arguments) throws(UsageError) -> Int? {
        try arguments.value(.maxPixels, wanted: "megapixels from 0.01 to 4000, such as 16") { text in
            Double(text).flatMap { (0.01...4000).contains($0) ? Int($0 * 1_000_000) : nil }
        }
    }
}

extension MemoryShares {
    /// The shares, for people: "512.0 MB: program 67.1 MB, 2 workers 33.6 MB, …".
    var line: String {
        let parts = parts.filter { $0.bytes > 0 }.map { name, bytes in
            "\(name == "workers" ? Amounts.count(workers, "worker") : name) \(Amounts.bytes(bytes))"
        }
        return "\(Amounts.bytes(total)): \(parts.joined(separator: ", "))"
    }
}

extension Option {
    static let memory = Option(
        "memory", nil, "SIZE",
        help: "The memory of the server and its decoders together, such as 512MB. The default is 60 % of the machine's."
    )
    static let maxResult = Option(
        "max-result", nil, "PIXELS",
        help: "The longest side of a result. Larger results are made smaller as a whole. The default is 4096.")
    static let maxPixels = Option(
        "max-pixels", nil, "MP",
        help: "The megapixels of a result. Larger results are made smaller as a whole. The default is 16.")
}
