import CalotypeStore

/// `calotype cache stats`.
struct CacheStatsCommand: CacheCommand {
    static let syntax = CommandSyntax(
        name: "cache stats", summary: "Print the number and size of the images in the cache.",
        options: CacheArguments.options,
        examples: [("cache stats", "the default cache"), ("cache stats --json", "as JSON")])

    let cache: CacheArguments

    init(_ arguments: Arguments, _ context: Context) { cache = CacheArguments(arguments, context) }

    func run(_ store: DiskStore, _ context: Context) async throws(StoreError) -> ExitStatus {
        let statistics = try await store.statistics()
        let record = StatsRecord(directory: cache.directory, statistics)
        context.console.line(record, isJSON: cache.isJSON)
        return .success
    }
}

private struct StatsRecord: Record {
    let directory: String
    let entries: Int
    /// The size that counts against the limit; `bodyBytes` is that of the images alone.
    let bytes: Int
    let bodyBytes: Int
    let byteLimit: Int

    init(directory: String, _ statistics: StoreStatistics) {
        self.directory = directory
        entries = statistics.entries
        bytes = statistics.bytes
        bodyBytes = statistics.bodyBytes
        byteLimit = statistics.byteLimit
    }

    var text: String {
        let share = byteLimit > 0 ? " (\(bytes * 100 / byteLimit) %)" : ""
        return """
            directory  \(Console.printable(directory))
            images     \(entries)
            bytes      \(Amounts.bytes(bytes)) of \(Amounts.bytes(byteLimit))\(share)
            """
    }
}
