import CalotypeBase
import Foundation

/// A hidden file in an output folder that records the input and the recipe of each output, for `--if-changed`.
///
/// Without the file, the next run makes all images again.
final class OutputManifest: Sendable {
    static let fileName = ".calotype-made.json"
    private static let sizeLimit = 256 << 20

    private struct Record: Codable, Sendable {
        /// The output's path, relative to the folder.
        let output: String
        let recipe: String
        /// The input's size and modification time, or the validator of a URL's response.
        let stamp: String
    }

    private let folder: String
    private let records: Locked<[String: Record]>

    init(folder: String) {
        self.folder = folder
        let data = try? InputFile.read("\(folder)/\(OutputManifest.fileName)", limit: OutputManifest.sizeLimit)
        records = Locked(data.flatMap { try? JSONDecoder().decode([String: Record].self, from: $0) } ?? [:])
    }

    /// Returns the path of an input's output. Returns `nil` if the output does not exist, is older than the input, or
    /// was made by another recipe or from another version of the input.
    func current(_ input: ImageInput, recipe: String, stamp: String) -> String? {
        guard let record = records.withLock({ $0[OutputManifest.key(input)] }), record.recipe == recipe,
            record.stamp == stamp, let output = FileTimes("\(folder)/\(record.output)")
        else { return nil }
        if let times = FileTimes(input.name), times.changed > output.changed { return nil }
        return "\(folder)/\(record.output)"
    }

    func note(_ input: ImageInput, output: String, recipe: String, stamp: String) {
        records.withLock {
            $0[OutputManifest.key(input)] = Record(output: output, recipe: recipe, stamp: stamp)
        }
    }

    func save(_ temporaryFiles: TemporaryFiles) throws(FileError) {
        try OutputFile(path: "\(folder)/\(OutputManifest.fileName)", overwrites: true, temporaryFiles: temporaryFiles)
            .write(Data(JSON.line(records.withLock { $0 }).utf8))
    }

    /// Returns the key of an input, independent of the current directory.
    private static func key(_ input: ImageInput) -> String {
        guard let address = try? Address(input.name, allowsPaths: true) else { return input.name }
        return address.isURL ? input.name : address.url.standardizedFileURL.path
    }
}

struct FileTimes: Sendable {
    private let device: Int
    private let inode: Int
    /// The modification time, in nanoseconds since 1970.
    let changed: Int
    let size: Int

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        changed = Int(status.st_mtim.tv_sec) * 1_000_000_000 + Int(status.st_mtim.tv_nsec)
        size = Int(status.st_size)
        device = Int(status.st_dev)
        inode = Int(status.st_ino)
    }

    func isSameFile(as other: FileTimes) -> Bool { device == other.device && inode == other.inode }

    var stamp: String { "\(changed) \(size)" }
}
