import Foundation

/// Files by the system's calls alone. Nothing is forced to the disk.
enum BareFiles {
    /// To a temporary name first and then to its own, so that nobody ever sees half of it.
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

    /// Into memory of its own, which is let go. Returns its size.
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
