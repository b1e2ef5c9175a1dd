import CalotypeStore

struct CacheTrimCommand: CacheCommand {
    static let syntax = CommandSyntax(
        name: "cache trim", summary: "Remove the least recently used images until the cache is small enough.",
        options: [.cacheDirectory, .bytes, .json],
        examples: [("cache trim --bytes 50MB", "to 50 megabytes"), ("cache trim", "to 70 % of the cache's limit")])

    let arguments: Arguments
    private let target: Int?

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        self.arguments = arguments
        target = try arguments.value(.bytes, wanted: "an amount such as 500000, 50MB or 1GiB", QuantityParser.bytes)
    }

    func run(_ store: DiskStore, _ report: (any Record) -> Void) async throws(StoreError) -> ExitStatus {
        let before = try await store.statistics()
        try await store.trim(toBytes: target ?? before.byteLimit / 10 * 7)
        report(RemovalRecord(before: before, after: try await store.statistics()))
        return .success
    }
}

struct CacheClearCommand: CacheCommand {
    static let syntax = CommandSyntax(
        name: "cache clear", summary: "Empty the cache.", options: [.cacheDirectory, .json],
        examples: [("cache clear", "the default cache"), ("cache clear --cache-dir /tmp/pictures", "another cache")])

    let arguments: Arguments

    init(_ arguments: Arguments, _ context: Context) { self.arguments = arguments }

    func run(_ store: DiskStore, _ report: (any Record) -> Void) async throws(StoreError) -> ExitStatus {
        let before = try await store.statistics()
        try await store.removeAll()
        try await store.flush()
        report(RemovalRecord(before: before, after: try await store.statistics()))
        return .success
    }
}

struct RemovalRecord: Record {
    let removedEntries: Int
    let removedBytes: Int
    let entries: Int
    let bytes: Int

    init(before: StoreStatistics, after: StoreStatistics) {
        removedEntries = max(before.entries - after.entries, 0)
        removedBytes = max(before.bytes - after.bytes, 0)
        entries = after.entries
        bytes = after.bytes
    }

    var text: OutputLine {
        let removed = Amounts.count(removedEntries, "image")
        return "\(removed) removed, \(Amounts.bytes(removedBytes)); \(entries) left, \(Amounts.bytes(bytes))"
    }
}

extension Option {
    static let bytes = Option("bytes", "b", "BYTES", help: "The size to keep, such as 500000, 50MB or 1GiB.")
}
