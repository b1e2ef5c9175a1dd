package import CalotypeBase
package import Foundation

/// A file that is written completely or not at all: a hidden file beside it is filled, and then renamed.
package struct OutputFile: Sendable {
    package let path: LocalPath
    package let overwrites: Bool
    package let temporaryFiles: TemporaryFiles

    package init(path: LocalPath, overwrites: Bool, temporaryFiles: TemporaryFiles) {
        (self.path, self.overwrites, self.temporaryFiles) = (path, overwrites, temporaryFiles)
    }

    package func write(_ data: Data) throws(FileError) {
        let draft = DraftFile(in: path.folder)
        temporaryFiles.insert(draft.path)
        defer { temporaryFiles.remove(draft.path) }
        try fill(draft, with: data)
        do throws(SystemError) {
            if overwrites { try draft.replace(path) } else { try draft.publish(as: path) }
        } catch {
            throw error.number == EEXIST && !overwrites ? isTaken : FileError("cannot write \(path)", error.number)
        }
    }

    package func checkIsFree() throws(FileError) {
        var status = stat()
        guard path.withCString({ lstat($0, &status) }) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR { throw FileError("\(path) is a directory") }
        if !overwrites { throw isTaken }
    }

    private var directory: LocalPath { path.folder.isEmpty ? "." : path.folder }

    private var isTaken: FileError { FileError("\(path) already exists; --overwrite replaces it") }

    private func fill(_ draft: DraftFile, with data: Data) throws(FileError) {
        let descriptor: Int32
        do throws(SystemError) {
            descriptor = try draft.create()
        } catch {
            throw FileError("cannot write to \(directory)", error.number)
        }
        let problem = data.withUnsafeBytes { bytes -> SystemError? in
            do throws(SystemError) { try draft.fill(descriptor, with: bytes) } catch { return error }
            return nil
        }
        if let problem { throw FileError("cannot write \(path)", problem.number) }
    }
}

extension String {
    package var nonEmpty: String? { isEmpty ? nil : self }
}
