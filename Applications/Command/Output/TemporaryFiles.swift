#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
import CalotypeBase
import Foundation

/// The files and directories that must not outlive the process, whichever way it ends.
final class TemporaryFiles: Sendable {
    private let paths = Locked(Set<String>())

    /// Takes charge of a path. It need not exist yet.
    func insert(_ path: String) {
        paths.withLock { _ = $0.insert(path) }
    }

    /// Lets go of a path that has become something lasting.
    func release(_ path: String) {
        paths.withLock { _ = $0.remove(path) }
    }

    func remove(_ path: String) {
        release(path)
        try? FileManager.default.removeItem(atPath: path)
    }

    func removeAll() {
        let all = paths.withLock { paths in
            defer { paths = [] }
            return paths
        }
        for path in all { try? FileManager.default.removeItem(atPath: path) }
    }

    /// A new empty directory of our own in the system's place for such.
    func makeDirectory() throws(FileError) -> String {
        let place = FileManager.default.temporaryDirectory.path
        let path = "\(place)/calotype-\(UUID().uuidString)"
        guard mkdir(path, 0o700) == 0 else { throw FileError("cannot make \(path)", errno) }
        insert(path)
        return path
    }
}
