package import CalotypeBase
import Foundation

/// The files and directories that must not outlive the process.
package final class TemporaryFiles: Sendable {
    private let paths = Locked(Set<LocalPath>())

    package init() {}

    package func insert(_ path: LocalPath) {
        paths.withLock { _ = $0.insert(path) }
    }

    package func remove(_ path: LocalPath) {
        paths.withLock { _ = $0.remove(path) }
        if path.withCString({ unlink($0) }) == 0 { return }
        // Only the directories of ``makeDirectory()`` remain, whose names are text.
        if let text = path.text { try? FileManager.default.removeItem(atPath: text) }
    }

    package func removeAll() {
        for path in paths.withLock({ $0 }) { remove(path) }
    }

    package func makeDirectory() throws(FileError) -> String {
        let place = FileManager.default.temporaryDirectory.path
        let path = "\(place)/calotype-\(UUID().uuidString)"
        guard mkdir(path, 0o700) == 0 else { throw FileError("cannot create \(path)", errno) }
        insert(LocalPath(text: path))
        return path
    }
}
