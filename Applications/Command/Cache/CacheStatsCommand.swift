import CalotypeBase
import CalotypeStore

struct CacheStatsCommand: CacheCommand {
    static let syntax = CommandSyntax(
        name: "cache stats", summary: "Print the number and size of the images in the cache.",
        options: [.cacheDirectory, .json],
        examples: [("cache stats", "the default cache"), ("cache stats --json", "as JSON")])

    let arguments: Arguments

    init(_ arguments: Arguments, _ context: Context) { self.arguments = arguments }

    func run(_ store: DiskStore, _ report: (any Record) -> Void) async throws(StoreError) -> ExitStatus {
        let statistics = try await store.statistics()
        report(
            StatsRecord(
                directory: store.directory, entries: statistics.entries, bytes: statistics.bytes,
                bodyBytes: statistics.bodyBytes, byteLimit: statistics.byteLimit))
        return .success
    }
}

private struct StatsRecord: Record {
    let directory: String
    let entries: Int
    /// The bytes that count against `byteLimit`. `bodyBytes` counts only the images themselves.
    let bytes: Int
    let bodyBytes: Int
    let byteLimit: Int

    var text: OutputLine {
        let share = byteLimit > 0 ? " (\(bytes * 100 / byteLimit) %)" : ""
        return """
            directory  \(name: ByteString(directory))
            images     \(entries)
            bytes      \(Amounts.bytes(bytes)) of \(Amounts.bytes(byteLimit))\(share)
            """
    }
}
