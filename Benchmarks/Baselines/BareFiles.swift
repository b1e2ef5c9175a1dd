import Foundation

/// Files read and written by system calls, without forcing them to the disk.
enum BareFiles {
    /// Writes to a temporary name, then renames, so that no reader sees half a file.
    static func write(_ data: Data, to path: String) throws {
        let temporary = path + ".tmp"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw BenchError("cannot create \(temporary)") }
        defer { close(file) }
        try data.withUnsafeBytes { bytes in
            guard Foundation.write(file, bytes.baseAddress, bytes.count) == bytes.count else {
                throw BenchError("cannot write \(temporary)")
            }
        }
        guard rename(temporary, path) == 0 else { throw BenchError("cannot rename \(temporary)") }
    }

    /// Reads a file into a new buffer, frees the buffer, and returns the number of bytes.
    static func read(_ path: String) throws -> Int {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw BenchError("cannot open \(path)") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, let memory = malloc(Int(status.st_size)) else {
            throw BenchError("cannot read \(path)")
        }
        defer { free(memory) }
        return Foundation.read(file, memory, Int(status.st_size))
    }
}
