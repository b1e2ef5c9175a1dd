import Foundation

/// A directory in memory (tmpfs) where the machine has one: the figures are the program's, not the disk's. Removed when
/// it is let go.
final class ScratchDirectory {
    let path: String

    init() throws {
        let shared = "/dev/shm"
        let parent = access(shared, W_OK) == 0 ? shared : NSTemporaryDirectory()
        path = "\(parent)/calotype-benchmarks-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
