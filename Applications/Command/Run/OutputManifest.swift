import CalotypeBase
import CalotypeHTTP
import Foundation

/// A hidden file in an output folder that records the input and the recipe of each output, for `--if-changed`.
///
/// A run adds a line for each output, so that a run that is killed, or that fills the disk, leaves a record of its outputs.
/// Its end writes one line for all. Without the file, the next run makes all images again.
final class OutputManifest: Sendable {
    static let fileName = ".calotype-made.json"
    private static let sizeLimit = 256 << 20

    private struct Record: Codable, Sendable {
        /// The output's path, relative to the folder.
        let output: StoredPath
        let recipe: String
        /// The input's size and modification time, or the validator of a URL's response.
        let stamp: String
        /// The output's size in bytes: a file that a power failure cut is no output. `nil` in older records.
        let size: Int?
    }

    private struct State {
        var records: [String: Record]
        /// The file to which lines are added; `nil` before the first.
        var log: LineLog?
        /// Whether the file has more than one line.
        var isLong = false
    }

    private let folder: LocalPath
    private var path: LocalPath { folder.appending(name: ByteString(OutputManifest.fileName)) }
    private let state: Locked<State>

    init(folder: LocalPath) {
        self.folder = folder
        let path = folder.appending(name: ByteString(OutputManifest.fileName))
        let lines =
            (try? InputFile.read(path, limit: OutputManifest.sizeLimit))?.split(separator: UInt8(ascii: "\n")) ?? []
        var records: [String: Record] = [:]
        // The last line of a killed run may be incomplete.
        for line in lines {
            let added = try? JSONDecoder().decode([String: Record].self, from: line)
            records.merge(added ?? [:]) { $1 }
        }
        state = Locked(State(records: records, isLong: lines.count > 1))
    }

    /// Returns the path of an input's output. Returns `nil` if the output does not exist, is older than the input, or
    /// was made by another recipe or from another version of the input.
    func current(_ input: ImageInput, recipe: String, stamp: String) -> LocalPath? {
        guard let record = state.withLock({ $0.records[OutputManifest.key(input)] }), record.recipe == recipe,
            record.stamp == stamp
        else { return nil }
        let path = folder.appending(record.output.path)
        guard let output = FileTimes(path), record.size == nil || record.size == output.size else { return nil }
        if let times = FileTimes(LocalPath(input.name)), times.changed > output.changed { return nil }
        return path
    }

    /// Records an output that has been written.
    func note(_ input: ImageInput, output: LocalPath, size: Int, recipe: String, stamp: String) {
        let key = OutputManifest.key(input)
        let record = Record(output: StoredPath(path: output), recipe: recipe, stamp: stamp, size: size)
        let line = JSON.line([key: record])
        state.withLock { state in
            state.records[key] = record
            state.isLong = true
            // A line that cannot be written is in the one for all, or the run reports the failure.
            if state.log == nil { state.log = try? LineLog(path) }
            try? state.log?.add(line)
        }
    }

    /// Replaces the lines by one, unless there is only one.
    func save(_ temporaryFiles: TemporaryFiles) throws(FileError) {
        let (records, isLong) = state.withLock { ($0.records, $0.isLong) }
        guard isLong else { return }
        try OutputFile(path: path, overwrites: true, temporaryFiles: temporaryFiles)
            .write(Data(JSON.line(records).utf8))
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
        changed = Int(Int64(fileTime: status.st_mtim.tv_sec, status.st_mtim.tv_nsec))
        size = Int(status.st_size)
        device = Int(truncatingIfNeeded: status.st_dev)
        inode = Int(truncatingIfNeeded: status.st_ino)
    }

    func isSameFile(as other: FileTimes) -> Bool { device == other.device && inode == other.inode }

    var stamp: String { "\(changed) \(size)" }
}
