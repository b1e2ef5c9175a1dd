import CalotypeStore

/// A `cache` command. The extension below opens and closes the cache's store, and reports a failure in one line.
protocol CacheCommand: Command {
    var arguments: Arguments { get }

    /// - Parameter report: Prints a result as text, or as JSON with --json.
    func run(_ store: DiskStore, _ report: (any Record) -> Void) async throws(StoreError) -> ExitStatus
}

extension CacheCommand {
    func run(_ context: Context) async -> ExitStatus {
        let (console, directory) = (context.console, arguments.cacheDirectory(context))
        // Opening a store would create its index, even in a folder of photographs.
        guard DiskStore.exists(in: directory) else {
            console.complain("\(directory): no cache exists here")
            return .failure
        }
        let store = DiskStore(
            directory: directory, options: .keepingAll, onProblem: { console.complain("\(directory): \($0)") })
        do throws(StoreError) {
            let isJSON = arguments.has(.json)
            let status = try await run(store) { console.line($0, isJSON: isJSON) }
            try await store.close()
            return status
        } catch {
            if error.code != .cancelled { console.complain("\(directory): \(error)") }
            return .failure
        }
    }
}

extension DiskStoreOptions {
    /// Options that delay the first sweep by 30 minutes, and leave the limit as it is: a command that only opens a store
    /// must not remove its entries, and the store may be that of a server.
    static var keepingAll: DiskStoreOptions {
        var options = DiskStoreOptions()
        options.sweepDelay = options.sweepInterval
        options.adoptsLimit = true
        return options
    }
}

extension Arguments {
    func cacheDirectory(_ context: Context) -> String { self[.cacheDirectory] ?? context.defaultCacheDirectory }
}
