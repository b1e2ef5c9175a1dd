import CalotypeBase
import CalotypeHTTP
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A regular file that is open for reading.
final class OpenFile: Sendable {
    let facts: FileFacts
    var size: Int { facts.size }
    private let descriptor: Descriptor
    private let remaining: Locked<Int>

    init(_ path: LocalPath) throws(TransportError) {
        // Without O_NONBLOCK, opening a pipe waits for a writer.
        guard let descriptor = Descriptor(path.withCString({ open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) })) else {
            throw Self.error(errno)
        }
        var status = stat()
        guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw notRegular }
        self.descriptor = descriptor
        facts = FileFacts(status)
        remaining = Locked(facts.size)
    }

    /// Returns a file's attributes without opening it.
    static func look(at path: LocalPath) throws(TransportError) -> FileFacts {
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0 else { throw error(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw notRegular }
        return FileFacts(status)
    }

    /// Returns the next bytes, or `nil` after as many bytes as the file had when it was opened.
    func read(atMost count: Int) throws(TransportError) -> Data? {
        try remaining.withLock { (remaining: inout Int) throws(TransportError) -> Data? in
            guard remaining > 0 else { return nil }
            var piece = Data(count: min(count, remaining))
            let received = piece.withUnsafeMutableBytes { room in
                var received: Int
                repeat { received = systemRead(descriptor.number, room) } while received < 0 && errno == EINTR
                return received
            }
            guard received >= 0 else { throw TransportError(.fileUnreadable, "reading failed: \(Self.text(errno))") }
            guard received > 0 else {
                throw TransportError(.truncatedBody, "the file became shorter while it was read")
            }
            piece.count = received
            remaining -= received
            return piece
        }
    }

    /// Without the path, which the request's URL shows.
    private static func error(_ number: Int32) -> TransportError {
        let isAbsent = number == ENOENT || number == ENOTDIR
        return TransportError(isAbsent ? .fileNotFound : .fileUnreadable, "cannot read the file: \(text(number))")
    }

    private static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}

private func systemRead(_ descriptor: Int32, _ room: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, room.baseAddress, room.count)
}

private var notRegular: TransportError { TransportError(.fileUnreadable, "it is not a regular file") }
