import CBeneath
import CalotypeBase
import Foundation
import Glibc

/// The folder with the local sources. Files outside of it cannot be opened, whatever links and paths lead there.
final class SourceRoot: Sendable {
    private let folder: Descriptor
    /// Whether the kernel resolves whole paths (`openat2`). Otherwise each component is opened separately, and links
    /// are refused.
    let resolvesLinks: Bool

    /// - Parameter asksKernel: Whether to use `openat2` if the kernel has it. The default is `true`.
    /// - Throws: The system's error number if the folder cannot be opened.
    init(_ path: LocalPath, asksKernel: Bool = true) throws(SystemError) {
        let folder = path.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard folder >= 0 else { throw SystemError(errno) }
        self.folder = Descriptor(folder)
        guard asksKernel else {
            resolvesLinks = false
            return
        }
        let probe = calotype_open_beneath(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        resolvesLinks = probe >= 0 || ![ENOSYS, EPERM].contains(errno)
        if probe >= 0 { close(probe) }
    }

    /// Opens a regular file. Blocks the calling thread.
    ///
    /// - Parameter path: The path below the folder, without an empty or a ".." component.
    func file(at path: ByteString) throws(ServerError) -> SourceFile {
        // Without O_NONBLOCK, opening a pipe waits for a writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let descriptor = resolvesLinks ? try openBeneath(path, flags) : try walk(path, flags)
        let file = Descriptor(descriptor)
        guard let facts = file.facts else { throw .notFound }
        return SourceFile(descriptor: file, facts: facts)
    }

    private func openBeneath(_ path: ByteString, _ flags: Int32) throws(ServerError) -> Int32 {
        // EAGAIN: a folder on the path was renamed meanwhile, and may no longer be below the root. Try again.
        for _ in 0..<8 {
            let descriptor = path.withCString { calotype_open_beneath(folder.number, $0, flags) }
            if descriptor >= 0 { return descriptor }
            guard errno == EAGAIN || errno == EINTR else { throw ServerError(opening: errno) }
        }
        throw .busy
    }

    private func walk(_ path: ByteString, _ flags: Int32) throws(ServerError) -> Int32 {
        let parts = path.split(separator: UInt8(ascii: "/"))
        var place = folder
        for (index, part) in parts.enumerated() {
            guard part != ".." else { throw .notFound }
            let isLast = index == parts.count - 1
            let kind = isLast ? flags : O_RDONLY | O_DIRECTORY | O_CLOEXEC
            let next = part.withCString { openat(place.number, $0, kind | O_NOFOLLOW) }
            guard next >= 0 else { throw ServerError(opening: errno) }
            if isLast { return next }
            place = Descriptor(next)
        }
        throw .notFound
    }
}

/// The reasons why a local source cannot be read.
extension ServerError {
    /// The file does not exist, may not be opened, is not a regular file, or is behind a link out of the root.
    static let notFound = ServerError(
        404, "there is no such source",
        reason:
            "the file does not exist, may not be opened, is not a regular file, or is behind a link out of the root")
    static let tooLarge = ServerError(422, "the source has too many bytes", reason: "the file has too many bytes")
    /// A folder on the file's path was renamed repeatedly, or too many files wait to be read or are open.
    static let busy = ServerError(
        503, "the source cannot be read now", reason: "too many files wait to be read, or too many are open")
    /// The file was changed or replaced while it was read, or between two reads.
    static let changed = ServerError(
        503, "the source cannot be read now", reason: "the file changed while it was read")
    static let unreadable = ServerError(502, "the source cannot be read", reason: "the file cannot be read")

    fileprivate init(opening number: Int32) {
        self =
            switch number {
            // EXDEV and ELOOP: a link leads out of the root, or links are refused.
            case ENOENT, ENOTDIR, EXDEV, ELOOP, EACCES, ENAMETOOLONG, ENXIO: .notFound
            case EMFILE, ENFILE, ENOMEM: .busy
            default: .unreadable
            }
    }
}

/// An open file below the root.
struct SourceFile: Sendable {
    fileprivate let descriptor: Descriptor
    let facts: Facts

    fileprivate init(descriptor: Descriptor, facts: Facts) {
        (self.descriptor, self.facts) = (descriptor, facts)
    }

    /// The attributes of a file. If ``areSettled(at:)`` is `true`, each later change of the contents alters at least one
    /// of them.
    struct Facts: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
        let size: Int
        let modified: Int64
        /// The time of the last change of the contents or the attributes, in nanoseconds since 1970.
        let changed: Int64

        /// Whether the last change was so long ago that a further change would get a different time: the clock for file
        /// times advances in steps of milliseconds.
        func areSettled(at now: Double) -> Bool { now - Double(changed) / 1e9 > 1 }
    }

    /// Reads the file as a whole. Blocks the calling thread.
    func read(limit: Int) throws(ServerError) -> Data {
        guard facts.size <= limit else { throw .tooLarge }
        var data = Data(count: facts.size)
        let count = data.withUnsafeMutableBytes { room in
            var count = 0
            while count < room.count {
                let piece = pread(
                    descriptor.number, room.baseAddress?.advanced(by: count), room.count - count, off_t(count))
                if piece < 0, errno == EINTR { continue }
                guard piece > 0 else { break }
                count += piece
            }
            return count
        }
        guard count == facts.size, descriptor.facts == facts else { throw .changed }
        return data
    }
}

/// Owns a file descriptor, and closes it at the end of its lifetime.
private final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// The attributes of the file, or `nil` if it is not a regular file.
    var facts: SourceFile.Facts? {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return SourceFile.Facts(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int(status.st_size),
            modified: Int64(fileTime: status.st_mtim.tv_sec, status.st_mtim.tv_nsec),
            changed: Int64(fileTime: status.st_ctim.tv_sec, status.st_ctim.tv_nsec))
    }
}
