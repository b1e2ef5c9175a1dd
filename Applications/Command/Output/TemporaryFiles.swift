import CalotypeBase
import Foundation

/// The files and directories that must not outlive the process.
final class TemporaryFiles: Sendable {
    private let paths = Locked(Set<LocalPath>())

    func insert(_ path: LocalPath) {
        paths.withLock { _ = $0.insert(path) }
    }

    func remove(_ path: LocalPath) {
        paths.withLock { _ = $0.remove(path) }
        if path.withCString({ unlink($0) }) == 0 { return }
        // Only the directories of ``makeDirectory()`` remain, whose names are text.
        if let text = path.text { try? FileManager.default.removeItem(atPath: text) }
    }

    func removeAll() {
        for path in paths.withLock({ $0 }) { remove(path) }
    }

    func makeDirectory() throws(FileError) -> String {
        let place = FileManager.default.temporaryDirectory.path
        let path = "\(place)/calotype-\(UUID().uuidString)"
        guard mkdir(path, 0o700) == 0 else { throw FileError("cannot create \(path)", errno) }
        insert(LocalPath(text: path))
        return path
    }
}
