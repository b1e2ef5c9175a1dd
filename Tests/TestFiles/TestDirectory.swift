package import Foundation

/// A temporary directory, deleted with this object.
package final class TestDirectory: Sendable {
    package let path: String

    package init() {
        path = NSTemporaryDirectory() + "/calotype-store-\(UUID().uuidString)"
    }

    deinit { delete() }

    package func delete() { try? FileManager.default.removeItem(atPath: path) }

    /// The relative paths of all files below, sorted.
    package var files: [String] {
        let paths = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        var isDirectory: ObjCBool = false
        return paths.filter {
            FileManager.default.fileExists(atPath: self / $0, isDirectory: &isDirectory) && !isDirectory.boolValue
        }
        .sorted()
    }

    /// The paths of the bodies that are too large for the index.
    package var blobs: [String] { files.filter { $0.hasPrefix("blobs/") } }

    package static func / (directory: TestDirectory, name: String) -> String { "\(directory.path)/\(name)" }

    /// Changes the bytes of a file in place.
    package func edit(_ name: String, _ change: (inout Data) -> Void) throws {
        let url = URL(fileURLWithPath: self / name)
        var data = try Data(contentsOf: url)
        change(&data)
        try data.write(to: url)
    }

    /// Sets the permissions of the directory and everything below it.
    package func setMode(files: Int, directories: Int) throws {
        let below = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        for path in below.map({ self / $0 }) + [path] {
            let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            let mode = type == .typeDirectory ? directories : files
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
    }

    /// Returns each file and folder, this one included, that is not for its user alone, with its permissions.
    package func openToOthers() throws -> [String] {
        let below = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return try ([path] + below.map { self / $0 }).compactMap { path in
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
            let isDirectory = attributes[.type] as? FileAttributeType == .typeDirectory
            return mode == (isDirectory ? 0o700 : 0o600) ? nil : "\(path) \(String(mode, radix: 8))"
        }
    }

    /// Returns `true` if the path exists, even as a dangling link.
    package func exists(_ name: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: self / name)) != nil
    }

    /// Replaces a file with a pipe, a directory, or a link to the original bytes.
    package func replace(_ name: String, by kind: SpecialFile) throws {
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

/// The kinds of files that may be in the place of a regular one.
package enum SpecialFile: CaseIterable, Sendable {
    case pipe, link, directory
}

/// Returns bytes with a pattern that depends on the seed.
package func sampleBytes(_ count: Int, seed: UInt8 = 1) -> Data {
    let block = Data((0..<251).map { UInt8($0) &* 31 ^ seed })
    var bytes = Data(capacity: count + block.count)
    while bytes.count < count { bytes.append(block) }
    return bytes.prefix(count)
}
