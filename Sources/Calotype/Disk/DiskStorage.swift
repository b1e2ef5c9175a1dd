import CalotypeBase
public import CalotypeHTTPCache
public import CalotypeStore
import Foundation

/// A loader's storage for bytes on disk.
///
/// This value only describes the storage: ``ImageLoader/init(_:)`` opens the store, once per directory in a process.
public struct DiskStorage: Sendable {
    private let makeStore: @Sendable (ProblemReports) -> DiskStore?
    /// The caller's store for responses, or `nil` if the loader makes one over the disk store.
    let responses: (any HTTPCacheStore)?

    private init(
        responses: (any HTTPCacheStore)? = nil, _ makeStore: @escaping @Sendable (ProblemReports) -> DiskStore?
    ) {
        self.responses = responses
        self.makeStore = makeStore
    }

    /// Opens the disk store. Returns `nil` if the loader has no disk store.
    func open(_ problems: ProblemReports) -> DiskStore? { makeStore(problems) }

    /// A folder named after the program, in the user's cache directory.
    ///
    /// If the user has no cache directory, a loader keeps images in memory only and reports a problem.
    public static let userCaches = directory(userCacheDirectory)

    /// No disk store, and therefore no HTTP cache either: images are cached in memory only.
    public static let none = DiskStorage { _ in nil }

    /// A directory used for nothing else. The loader creates it if necessary.
    public static func directory(_ path: String) -> DiskStorage { directory { path } }

    /// A store that the caller has opened, with limits of its own.
    public static func store(_ store: DiskStore) -> DiskStorage { DiskStorage { _ in store } }

    /// A store that the caller has opened, with the responses in a store that the caller has made over it.
    package static func store(_ store: DiskStore, responses: any HTTPCacheStore) -> DiskStorage {
        DiskStorage(responses: responses) { _ in store }
    }

    /// A store of your own for the responses of servers, such as a database or another machine.
    ///
    /// The loader's HTTP cache lies over the store, and keeps apart the users whom
    /// ``ImageLoaderOptions/identityFields`` distinguishes. The store keeps no processed images. The loader requests
    /// a response again that the store has lost.
    public static func responses(in store: any HTTPCacheStore) -> DiskStorage {
        DiskStorage(responses: store) { _ in nil }
    }

    /// - Parameter path: Returns the path, or `nil` if there is no such directory.
    static func directory(_ path: @escaping @Sendable () -> String?) -> DiskStorage {
        DiskStorage { problems in
            if let path = path() { return OpenStores.store(in: path, problems) }
            problems.report("no cache directory: images are kept in memory only", nil)
            return nil
        }
    }

    private static func userCacheDirectory() -> String? {
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        return caches?.appending(path: ProcessInfo.processInfo.processName).appending(path: "calotype").path
    }
}

/// The stores that loaders have opened: one per directory, for as long as a loader uses it.
private enum OpenStores {
    private struct Reference {
        weak var store: DiskStore?
    }

    private static let table = Locked([String: Reference]())

    static func store(in directory: String, _ problems: ProblemReports) -> DiskStore {
        let path = URL(filePath: directory).standardizedFileURL.resolvingSymlinksInPath().path
        return table.withLock { table in
            if let store = table[path]?.store, !store.isClosed { return store }
            let store = DiskStore(directory: path) { problems.report("the disk store: \($0)", nil) }
            table = table.filter { $0.value.store != nil }
            table[path] = Reference(store: store)
            return store
        }
    }
}
