import CalotypeBase
import CalotypeHTTP
import Foundation

#if canImport(CCurl)
    // CCurl is imported because optimized builds resolve `timespec` to the declaration in that module.
    import CCurl
#endif
#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The attributes that identify a file's contents: they change if the file is changed or replaced.
struct FileFacts: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int
    /// The times of the last change to the contents (`modified`) and to any attribute (`changed`), in ns since 1970.
    let modified: Int64
    let changed: Int64

    init(_ status: stat) {
        #if canImport(Glibc)
            let (modification, change) = (status.st_mtim, status.st_ctim)
        #else
            let (modification, change) = (status.st_mtimespec, status.st_ctimespec)
        #endif
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        modified = Int64(fileTime: modification.tv_sec, modification.tv_nsec)
        changed = Int64(fileTime: change.tv_sec, change.tv_nsec)
    }

    var identity: BodyIdentity {
        BodyIdentity("file \(device) \(inode) \(size) \(modified) \(changed)", isOfFile: true)
    }
}

/// A file that is opened when its body is read. If it has changed by then, reading throws `storedBodyGone`.
final class LazyFileBody: HTTPBodySource {
    private let path: LocalPath
    private let facts: FileFacts
    private let pool: BlockingPool
    private let file = Locked<OpenFile?>(nil)

    init(_ path: LocalPath, _ facts: FileFacts, pool: BlockingPool) {
        self.path = path
        self.facts = facts
        self.pool = pool
    }

    func next() async throws(TransportError) -> Data? {
        let (path, facts) = (path, facts)
        let open = file.withLock { $0 }
        let (opened, piece) = try await pool.run { () throws(TransportError) -> (OpenFile, Data?) in
            let file = if let open { open } else { try OpenFile(path) }
            guard file.facts == facts else { throw .storedBodyGone }
            return (file, try file.read(atMost: FileTransport.pieceSize))
        }
        file.withLock { $0 = piece == nil ? nil : opened }
        return piece
    }
}
