import CalotypeBase
import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A file without a name for one body: it is gone with its last user, however the process ends.
final class SpoolFile: Sendable {
    private let descriptor: SharedDescriptor
    private let written = Locked(0)

    init(in folder: String) throws(SystemError) {
        var number = folder.withCString { open($0, O_RDWR | Self.withoutName | O_CLOEXEC, 0o600) }
        if number < 0, [EOPNOTSUPP, EISDIR].contains(errno) {
            // The file system has no such files: this one loses its name at once.
            let draft = DraftFile(in: LocalPath(text: folder))
            number = draft.path.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
            let failure = errno
            draft.remove()
            errno = failure
        }
        guard let descriptor = SharedDescriptor(number) else { throw SystemError(errno) }
        self.descriptor = descriptor
    }

    /// `O_TMPFILE`, which Swift does not import.
    private static let withoutName = 0o20_000_000 | O_DIRECTORY

    /// The number of bytes that have been appended.
    var size: Int { written.withLock { $0 } }

    func append(_ bytes: Data) throws(SystemError) {
        let failure: Int32? = descriptor.use { number in
            bytes.withUnsafeBytes { buffer -> Int32? in
                var rest = buffer[0..<buffer.count]
                while !rest.isEmpty {
                    let piece = UnsafeRawBufferPointer(rebasing: rest)
                    let count = write(number, piece.baseAddress, piece.count)
                    if count < 0, errno == EINTR { continue }
                    // If `write` returned 0, the loop would never end: treat this as a full disk.
                    guard count > 0 else { return count == 0 ? ENOSPC : errno }
                    rest = rest.dropFirst(count)
                }
                return nil
            }
        }
        if let failure { throw SystemError(failure) }
        written.withLock { $0 += bytes.count }
    }

    /// Returns the bytes as memory that the kernel reads from the file, and drops again, as it likes.
    func mapped() throws(SystemError) -> Data {
        let size = self.size
        let address = descriptor.use { mmap(nil, size, PROT_READ, MAP_PRIVATE, $0, 0) }
        guard let address, address != MAP_FAILED else { throw SystemError(errno) }
        return Data(bytesNoCopy: address, count: size, deallocator: .unmap)
    }
}
