import CalotypeBase
import Foundation

/// A file that is written completely or not at all: a hidden file beside it is filled, and then renamed.
struct OutputFile: Sendable {
    let path: LocalPath
    let overwrites: Bool
    let temporaryFiles: TemporaryFiles

    func write(_ data: Data) throws(FileError) {
        let draft = directory.appending(name: ".calotype-\(UUID().uuidString).part")
        temporaryFiles.insert(draft)
        defer { temporaryFiles.remove(draft) }
        try fill(draft, with: data)
        if overwrites {
            guard move(draft) else { throw FileError("cannot write \(path)", errno) }
        } else {
            try publish(draft)
        }
    }

    func checkIsFree() throws(FileError) {
        var status = stat()
        guard path.withCString({ lstat($0, &status) }) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR { throw FileError("\(path) is a directory") }
        if !overwrites { throw isTaken }
    }

    private var directory: LocalPath { path.folder.isEmpty ? "." : path.folder }

    private var isTaken: FileError { FileError("\(path) already exists; --overwrite replaces it") }

    private func move(_ draft: LocalPath) -> Bool {
        draft.withCString { draft in path.withCString { rename(draft, $0) } } == 0
    }

    private func fill(_ draft: LocalPath, with data: Data) throws(FileError) {
        let descriptor = draft.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { throw FileError("cannot write to \(directory)", errno) }
        do throws(FileError) {
            try Stream(descriptor: descriptor).write(data)
        } catch {
            close(descriptor)
            throw FileError("cannot write \(path)", error.number)
        }
        // `close` may be the first call to report a full disk or an exceeded quota.
        guard close(descriptor) == 0 else { throw FileError("cannot write \(path)", errno) }
    }

    /// Gives the draft its final name unless a file has it by now: unlike `rename`, `link` never replaces a file.
    private func publish(_ draft: LocalPath) throws(FileError) {
        let isLinked = draft.withCString { draft in path.withCString { link(draft, $0) } } == 0
        if isLinked { return }
        if errno == EEXIST { throw isTaken }
        // `link` also fails on a file system without hard links, where only `rename` works.
        try checkIsFree()
        guard move(draft) else { throw FileError("cannot write \(path)", errno) }
    }
}

extension String {
    var nonEmpty: String? { isEmpty ? nil : self }
}
