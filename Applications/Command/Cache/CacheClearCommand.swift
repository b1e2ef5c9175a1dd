import CalotypeStore

/// `calotype cache clear`.
struct CacheClearCommand: CacheCommand {
    static let syntax = CommandSyntax(
        name: "cache clear", summary: "Empty the cache.", options: [.cacheDirectory, .json],
        examples: [("cache clear", "all of it"), ("cache clear --cache-dir /tmp/pictures", "another one")])

    let directory: String
    private let isJSON: Bool

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        directory = arguments.cacheDirectory(context)
        isJSON = arguments.has(.json)
    }

    func run(_ store: DiskStore, _ context: Context) async throws(StoreError) -> ExitStatus {
        let before = try await store.statistics()
        try await store.removeAll()
        try await store.flush()
        let removal = RemovalRecord(before: before, after: try await store.statistics())
        context.console.line(isJSON ? JSON.line(removal) : removal.text)
        return .success
    }
}
