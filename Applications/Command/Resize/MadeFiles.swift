#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
import CalotypeBase
import Foundation

/// Remembers what the outputs of a folder were made of, in a hidden file beside them: for `--if-changed`.
///
/// Losing it costs nothing but the making of the images again.
final class MadeFiles: Sendable {
    static let fileName = ".calotype-made.json"
    private static let sizeLimit = 256 << 20

    private struct Record: Codable, Sendable {
        /// Seen from the folder.
        let output: String
        let recipe: String
        /// Of the input: its size and the time of its last change, or a URL's validator.
        let stamp: String
    }

    private let folder: String
    private let records: Locked<[String: Record]>

    init(folder: String) {
        self.folder = folder
        let data = try? InputFile.read("\(folder)/\(MadeFiles.fileName)", limit: MadeFiles.sizeLimit)
        records = Locked(data.flatMap { try? JSONDecoder().decode([String: Record].self, from: $0) } ?? [:])
    }

    /// The output of an input, if it is there, not older than its input, and made of the same bytes by the same recipe.
    func current(_ input: ImageInput, recipe: String, stamp: String) -> String? {
        guard let record = records.withLock({ $0[MadeFiles.key(input)] }), record.recipe == recipe,
            record.stamp == stamp, let output = FileTimes("\(folder)/\(record.output)")
        else { return nil }
        if let times = FileTimes(input.name), times.changed > output.changed { return nil }
        return "\(folder)/\(record.output)"
    }

    func note(_ input: ImageInput, output: String, recipe: String, stamp: String) {
        records.withLock {
            $0[MadeFiles.key(input)] = Record(output: output, recipe: recipe, stamp: stamp)
        }
    }

    func save(_ temporaryFiles: TemporaryFiles) throws(FileError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(records.withLock({ $0 })) else { return }
        try OutputFile(path: "\(folder)/\(MadeFiles.fileName)", overwrites: true, temporaryFiles: temporaryFiles)
            .write(data)
    }

    /// The same from wherever the command is called.
    private static func key(_ input: ImageInput) -> String {
        guard let address = try? Address(input.name, allowsPaths: true) else { return input.name }
        return address.isURL ? input.name : address.url.standardizedFileURL.path
    }
}

/// The size and the last change of a file.
struct FileTimes: Sendable {
    private let device: Int
    private let inode: Int
    /// Nanoseconds since 1970.
    let changed: Int
    let size: Int

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Glibc)
            let time = status.st_mtim
        #else
            let time = status.st_mtimespec
        #endif
        changed = Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
        size = Int(status.st_size)
        device = Int(status.st_dev)
        inode = Int(status.st_ino)
    }

    /// Returns whether both are of one file, whatever the paths say.
    func isSameFile(as other: FileTimes) -> Bool { device == other.device && inode == other.inode }

    var stamp: String { "\(changed) \(size)" }
}
