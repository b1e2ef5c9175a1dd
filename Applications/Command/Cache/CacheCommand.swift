import CalotypeStore

/// A `cache` command. The extension below opens its store, closes it, and reports a failure in one line.
protocol CacheCommand: Command {
    var cache: CacheArguments { get }

    func run(_ store: DiskStore, _ context: Context) async throws(StoreError) -> ExitStatus
}

/// The options of every `cache` command.
struct CacheArguments: Sendable {
    static let options: [Option] = [.cacheDirectory, .json]

    let directory: String
    let isJSON: Bool

    init(_ arguments: Arguments, _ context: Context) {
        directory = arguments.cacheDirectory(context)
        isJSON = arguments.has(.json)
    }
}

extension CacheCommand {
    func run(_ context: Context) async -> ExitStatus {
        let (console, directory) = (context.console, cache.directory)
        // Opening a store would create its index, even in a folder of photographs.
        guard DiskStore.exists(in: directory) else {
            console.complain("\(directory): no cache exists here")
            return .failure
        }
        let store = DiskStore(
            directory: directory, options: .keepingAll, onProblem: { console.complain("\(directory): \($0)") })
        do throws(StoreError) {
            let status = try await run(store, context)
            try await store.close()
            return status
        } catch {
            if error.code != .cancelled { console.complain("\(directory): \(error)") }
            return .failure
        }
    }
}

extension DiskStoreOptions {
    /// Options that evict nothing: to open the store must not remove entries.
    static var keepingAll: DiskStoreOptions {
        var options = DiskStoreOptions()
        options.sweepDelay = options.sweepInterval
        return options
    }
}

extension Arguments {
    func cacheDirectory(_ context: Context) -> String { self[.cacheDirectory] ?? context.defaultCacheDirectory }
}
