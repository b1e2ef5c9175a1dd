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

    /// Sets who may read and write, below and including the directory.
    func setMode(files: Int, directories: Int) throws {
        let below = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        for path in below.map({ self / $0 }) + [path] {
            let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            let mode = type == .typeDirectory ? directories : files
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
    }

    /// Whether something lies there, a link to nowhere included.
    func exists(_ name: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: self / name)) != nil
    }

    /// Puts something in a file's place. A link leads to the very bytes that were there.
    func replace(_ name: String, by kind: SpecialFile) throws {
        let path = self / name
        switch kind {
        case .pipe:
            try FileManager.default.removeItem(atPath: path)
            guard mkfifo(path, 0o666) == 0 else { throw POSIXError(.EIO) }
        case .link:
            try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".moved")
        case .directory:
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
    }
}

/// What may lie where a file is expected.
enum SpecialFile: CaseIterable {
    case pipe, link, directory
}
