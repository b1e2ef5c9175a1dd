package import CalotypeBase
package import Foundation

package enum InputFile {
    /// - Parameters:
    ///   - path: "-" is standard input.
    ///   - limit: The maximum size in bytes. A larger file is an error.
    package static func read(_ path: LocalPath, limit: Int) throws(FileError) -> Data {
        if path == "-" { return try read(descriptor: 0, limit: limit) }
        // Without `O_NONBLOCK`, opening a named pipe would wait for a writer, and Ctrl-C could not end the wait.
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { throw FileError("cannot read it", errno) }
        defer { close(descriptor) }
        return try read(descriptor: descriptor, limit: limit)
    }

    private static func read(descriptor: Int32, limit: Int) throws(FileError) -> Data {
        var data = Data()
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            try waitForBytes(descriptor)
            let count = systemRead(descriptor, &chunk)
            if count == 0 { return data }
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                throw FileError("cannot read it", errno)
            }
            guard data.count + count <= limit else {
                throw FileError("it is larger than \(Amounts.bytes(limit))")
            }
            data.append(contentsOf: chunk[..<count])
        }
    }

    /// Waits for bytes, and checks for Ctrl-C every 100 ms: a terminal or a pipe may stay silent forever.
    private static func waitForBytes(_ descriptor: Int32) throws(FileError) {
        var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        repeat {
            if Task.isCancelled { throw FileError("interrupted") }
        } while poll(&source, 1, 100) == 0
    }
}

extension LocalPath {
    /// Whether a regular file is at the path, or a link to one.
    package var isFile: Bool {
        var status = stat()
        return withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}

private func systemRead(_ descriptor: Int32, _ chunk: inout [UInt8]) -> Int {
    chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
}
