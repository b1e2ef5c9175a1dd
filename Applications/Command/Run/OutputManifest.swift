import CalotypeBase
import CalotypeHTTP
import Foundation

/// A hidden file in an output folder that records the input and the recipe of each output, for `--if-changed`.
///
/// Without the file, the next run makes all images again.
final class OutputManifest: Sendable {
    static let fileName = ".calotype-made.json"
    private static let sizeLimit = 256 << 20

    private struct Record: Codable, Sendable {
        /// The output's path, relative to the folder.
        let output: StoredPath
        let recipe: String
        /// The input's size and modification time, or the validator of a URL's response.
        let stamp: String
    }

    private let folder: LocalPath
    private let records: Locked<[String: Record]>

    init(folder: LocalPath) {
        self.folder = folder
        let data = try? InputFile.read(
            folder.appending(name: ByteString(OutputManifest.fileName)), limit: OutputManifest.sizeLimit)
        records = Locked(data.flatMap { try? JSONDecoder().decode([String: Record].self, from: $0) } ?? [:])
    }

    /// Returns the path of an input's output. Returns `nil` if the output does not exist, is older than the input, or
    /// was made by another recipe or from another version of the input.
    func current(_ input: ImageInput, recipe: String, stamp: String) -> LocalPath? {
        guard let record = records.withLock({ $0[OutputManifest.key(input)] }), record.recipe == recipe,
            record.stamp == stamp
        else { return nil }
        let path = folder.appending(record.output.path)
        guard let output = FileTimes(path) else { return nil }
        if let times = FileTimes(LocalPath(input.name)), times.changed > output.changed { return nil }
        return path
    }

    func note(_ input: ImageInput, output: LocalPath, recipe: String, stamp: String) {
        records.withLock {
            $0[OutputManifest.key(input)] = Record(output: StoredPath(path: output), recipe: recipe, stamp: stamp)
        }
    }

    func save(_ temporaryFiles: TemporaryFiles) throws(FileError) {
        try OutputFile(
            path: folder.appending(name: ByteString(OutputManifest.fileName)), overwrites: true,
            temporaryFiles: temporaryFiles
        )
        .write(Data(JSON.line(records.withLock { $0 }).utf8))
    }

    /// Returns the key of an input, independent of the current directory: a URL or an absolute path, or the URL of a
    /// path that is not UTF-8. A URL has no user and password in it, because the folder may be published.
    private static func key(_ input: ImageInput) -> String {
        guard let path = (try? Address(input.name, allowsPaths: true))?.path else {
            return Address.shown(input.name).displayed
        }
        return path.absolute.text ?? path.url.absoluteString
    }
}

/// A path in JSON: text, or the bytes in Base64 if they are not UTF-8.
private struct StoredPath: Codable, Sendable {
    let path: LocalPath

    private enum CodingKeys: CodingKey { case bytes }

    init(path: LocalPath) { self.path = path }

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            path = LocalPath(text: text)
        } else {
            let bytes = try decoder.container(keyedBy: CodingKeys.self).decode(Data.self, forKey: .bytes)
            path = LocalPath(ByteString(bytes: bytes))
        }
    }

    func encode(to encoder: any Encoder) throws {
        if let text = path.text {
            var value = encoder.singleValueContainer()
            try value.encode(text)
        } else {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(Data(path.bytes.bytes), forKey: .bytes)
        }
    }
}

struct FileTimes: Sendable {
    private let device: Int
    private let inode: Int
    /// The modification time, in nanoseconds since 1970.
    let changed: Int
    let size: Int

    init?(_ path: LocalPath) {
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        changed = Int(status.st_mtim.tv_sec) * 1_000_000_000 + Int(status.st_mtim.tv_nsec)
        size = Int(status.st_size)
        device = Int(status.st_dev)
        inode = Int(status.st_ino)
    }

    func isSameFile(as other: FileTimes) -> Bool { device == other.device && inode == other.inode }

    var stamp: String { "\(changed) \(size)" }
}
