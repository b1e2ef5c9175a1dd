import CalotypeStore

/// `calotype cache clear`.
struct CacheClearCommand: CacheCommand {
    static let syntax = CommandSyntax(
        name: "cache clear", summary: "Empty the cache.", options: CacheArguments.options,
        examples: [("cache clear", "the default cache"), ("cache clear --cache-dir /tmp/pictures", "another cache")])

    let cache: CacheArguments

    init(_ arguments: Arguments, _ context: Context) { cache = CacheArguments(arguments, context) }

    func run(_ store: DiskStore, _ context: Context) async throws(StoreError) -> ExitStatus {
        let before = try await store.statistics()
        try await store.removeAll()
        try await store.flush()
        let removal = RemovalRecord(before: before, after: try await store.statistics())
        context.console.line(removal, isJSON: cache.isJSON)
        return .success
    }
}
