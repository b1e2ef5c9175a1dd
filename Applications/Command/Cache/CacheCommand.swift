import CalotypeStore

/// The part that the `cache` commands share: opens a store, closes it, and reports a failure in one line.
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
            console.complain("\(directory): there is no cache here")
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
    /// Options that evict nothing: a command that only reads must not remove entries by opening the store.
    static var keepingAll: DiskStoreOptions {
        var options = DiskStoreOptions()
        options.sweepDelay = options.sweepInterval
        return options
    }
}

extension Arguments {
    func cacheDirectory(_ context: Context) -> String { self[.cacheDirectory] ?? context.defaultCacheDirectory }
}
