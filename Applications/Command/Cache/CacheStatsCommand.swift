import CalotypeStore

/// `calotype cache stats`.
struct CacheStatsCommand: CacheCommand {
    static let syntax = CommandSyntax(
        name: "cache stats", summary: "Show how much the cache holds.", options: [.cacheDirectory, .json],
        examples: [("cache stats", "how full it is"), ("cache stats --json", "for programs")])

    let directory: String
    private let isJSON: Bool

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        directory = arguments.cacheDirectory(context)
        isJSON = arguments.has(.json)
    }

    func run(_ store: DiskStore, _ context: Context) async throws(StoreError) -> ExitStatus {
        let statistics = try await store.statistics()
        let record = StatsRecord(directory: directory, statistics)
        context.console.line(isJSON ? JSON.line(record) : record.text)
        return .success
    }
}

private struct StatsRecord: Encodable {
    let directory: String
    let entries: Int
    /// The size that counts against the limit; the images alone take `bodyBytes`.
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
