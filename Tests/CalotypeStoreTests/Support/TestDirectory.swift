import Foundation

/// A directory of a test's own, deleted with it.
final class TestDirectory: Sendable {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "/calotype-store-\(UUID().uuidString)"
    }

    deinit { delete() }

    func delete() { try? FileManager.default.removeItem(atPath: path) }

    /// Paths of all files below, relative, sorted.
    var files: [String] {
        let paths = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        var isDirectory: ObjCBool = false
        return paths.filter {
            FileManager.default.fileExists(atPath: self / $0, isDirectory: &isDirectory) && !isDirectory.boolValue
        }
        .sorted()
    }

    /// The files of bodies too large for the index.
    var blobs: [String] { files.filter { $0.hasPrefix("blobs/") } }

    static func / (directory: TestDirectory, name: String) -> String { "\(directory.path)/\(name)" }

    /// Changes the bytes of a file in place.
    func edit(_ name: String, _ change: (inout Data) -> Void) throws {
        let url = URL(fileURLWithPath: self / name)
        var data = try Data(contentsOf: url)
        change(&data)
        try data.write(to: url)
    }
}
