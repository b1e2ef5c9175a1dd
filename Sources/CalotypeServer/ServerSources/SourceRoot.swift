import CBeneath
import CalotypeBase
import Foundation
import Glibc

/// The folder with the local sources. Files outside of it cannot be opened, whatever links and paths lead there.
final class SourceRoot: Sendable {
    /// The most links that one path may follow, as the kernel's own limit.
    private static let linkLimit = 40
    /// The most folders below the root that the walk keeps open at once.
    private static let depthLimit = 64

    /// If `nil`, there are no local sources.
    private let folder: SharedDescriptor?
    /// Whether the kernel resolves whole paths (`openat2`). Otherwise each component is opened separately: old kernels,
    /// and filters such as that of systemd's `RestrictSUIDSGID`, have no `openat2`.
    private let asksKernel: Bool

    /// - Parameters:
    ///   - path: The folder. If it is empty, there are no local sources.
    ///   - asksKernel: Whether to use `openat2` if the kernel has it. The default is `true`.
    /// - Throws: The system's error number if the folder cannot be opened.
    init(_ path: LocalPath, asksKernel: Bool = true) throws(SystemError) {
        guard !path.isEmpty else {
            (self.folder, self.asksKernel) = (nil, false)
            return
        }
        let folder = path.withCString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard folder >= 0 else { throw SystemError(errno) }
        self.folder = SharedDescriptor(folder)
        guard asksKernel else {
            self.asksKernel = false
            return
        }
        let probe = calotype_open_beneath(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        self.asksKernel = probe >= 0 || ![ENOSYS, EPERM].contains(errno)
        if probe >= 0 { close(probe) }
    }

    /// Opens a regular file. Blocks the calling thread.
    ///
    /// - Parameter path: The path below the folder, without an empty or a ".." component.
    func file(at path: ByteString) throws(ServerError) -> SourceFile {
        guard let folder else { throw .noRoot }
        // Without O_NONBLOCK, opening a pipe waits for a writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let descriptor = asksKernel ? try open(path, below: folder, flags) : try walk(path, from: folder, flags)
        guard let file = SharedDescriptor(descriptor), let facts = file.facts else { throw .notFound }
        return SourceFile(descriptor: file, facts: facts)
    }

    private func open(_ path: ByteString, below folder: SharedDescriptor, _ flags: Int32) throws(ServerError) -> Int32 {
        // EAGAIN: a folder on the path was renamed meanwhile, and may no longer be below the root. Try again.
        for _ in 0..<8 {
            let descriptor = path.withCString { calotype_open_beneath(folder.number, $0, flags) }
            if descriptor >= 0 { return descriptor }
            guard errno == EAGAIN || errno == EINTR else { throw ServerError(opening: errno) }
        }
        throw .busy
    }

    /// Opens one component after the other, none of which the kernel may follow if it is a link. A relative link's text
    /// takes the place of its name, and ".." returns to the folder that the walk came from: it asks no folder for its
    /// parent, which may have been moved out of the root meanwhile.
    private func walk(_ path: ByteString, from folder: SharedDescriptor, _ flags: Int32) throws(ServerError) -> Int32 {
        var place = [folder], pending = Array(components(of: path).reversed()), links = 0
        while let name = pending.popLast() {
            if name.isEmpty || name == "." { continue }
            guard name != ".." else {
                place.removeLast()
                guard !place.isEmpty else { throw .notFound }
                continue
            }
            guard let current = place.last, place.count <= Self.depthLimit else { throw .notFound }
            let kind = pending.isEmpty ? flags : calotype_path_only | O_DIRECTORY | O_CLOEXEC
            let next = name.withCString { openat(current.number, $0, kind | O_NOFOLLOW) }
            if pending.isEmpty, next >= 0 { return next }
            if let folder = SharedDescriptor(next) {
                place.append(folder)
                continue
            }
            // A link is ELOOP for a file, and ENOTDIR for a folder.
            let failure = errno
            guard [ELOOP, ENOTDIR, EINTR].contains(failure) else { throw ServerError(opening: failure) }
            guard links < Self.linkLimit else { throw .notFound }
            links += 1
            if let text = current.link(name) {
                guard !text.hasPrefix("/") else { throw .notFound }
                pending += components(of: text).reversed()
            } else {
                // The call was interrupted, or something has taken the link's place: try again. A file in place of a
                // folder comes here a few times, too.
                links += Self.linkLimit / 8
                pending.append(name)
            }
        }
        throw .notFound
    }

    /// The last component is empty if the path ends with a slash, and is a folder then.
    private func components(of path: ByteString) -> [ByteString] { path.split(separator: UInt8(ascii: "/")) }
}

/// The reasons why a local source cannot be read.
extension ServerError {
    /// The file does not exist, may not be opened, is not a regular file, or is behind a link out of the root.
    static let notFound = ServerError(
        404, "there is no such source",
        reason:
            "the file does not exist, may not be opened, is not a regular file, or is behind a link out of the root")
    static let noRoot = ServerError(
        404, "there is no such source", reason: "the server has no root, the folder of local sources")
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
    fileprivate let descriptor: SharedDescriptor
    let facts: Facts

    fileprivate init(descriptor: SharedDescriptor, facts: Facts) {
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

extension SharedDescriptor {
    /// Returns the text of a symbolic link in this folder, or `nil` if the name is no link.
    func link(_ name: ByteString) -> ByteString? {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = name.withCString { readlinkat(number, $0, &text, text.count) }
        return count > 0 ? ByteString(bytes: text.prefix(count).map { UInt8(bitPattern: $0) }) : nil
    }

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
