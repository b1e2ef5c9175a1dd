import CalotypeServer

extension MemoryOptions {
    /// The flags of the memory, in the order of the help.
    static let flags: [Option] = [.memory, .workers]

    mutating func read(_ arguments: Arguments) throws(UsageError) {
        limit = try arguments.value(.memory, wanted: "a size such as 512MB or 2GB", QuantityParser.bytes) ?? limit
        workers = try arguments.integer(.workers, in: 1...64) ?? workers
        if arguments.has(.memory), limit < MemoryShares.smallest {
            throw arguments.error(.memory, "the server needs at least \(MemoryShares.smallestInMegabytes)MB")
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
    static let workers = Option(
        "workers", nil, "N", help: "Run at most N decoders. The default is one for each processor, and at most 8.")
    static let memory = Option(
        "memory", nil, "SIZE",
        help: "The memory of the server and its decoders together, such as 512MB. The default is 60 % of the machine's."
    )
}
