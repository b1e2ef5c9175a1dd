import CalotypeStore

/// `calotype cache clear`.
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
