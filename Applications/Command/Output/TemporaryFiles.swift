import CalotypeBase
import Foundation

/// The files and directories that must not outlive the process.
final class TemporaryFiles: Sendable {
    private let paths = Locked(Set<String>())

    func insert(_ path: String) {
        paths.withLock { _ = $0.insert(path) }
    }

    func remove(_ path: String) {
        paths.withLock { _ = $0.remove(path) }
        try? FileManager.default.removeItem(atPath: path)
    }

    func removeAll() {
        for path in paths.withLock({ $0 }) { remove(path) }
    }

    func makeDirectory() throws(FileError) -> String {
        let place = FileManager.default.temporaryDirectory.path
        let path = "\(place)/calotype-\(UUID().uuidString)"
        guard mkdir(path, 0o700) == 0 else { throw FileError("cannot create \(path)", errno) }
        insert(path)
        return path
    }
}
