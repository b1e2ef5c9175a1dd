import Foundation

/// A directory in memory (tmpfs) if the machine has one, so that the figures do not depend on its disk. It is removed
/// with this object.
final class ScratchDirectory: Sendable {
    let path: String

    init() throws {
        let shared = "/dev/shm"
        let parent = access(shared, W_OK) == 0 ? shared : NSTemporaryDirectory()
        path = "\(parent)/calotype-benchmarks-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
