package import CalotypeBase
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The store's operations on files and directories, with typed errors.
package enum FileSystem {
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Creates the directory and missing parents, accessible to this user alone. Does nothing if it exists.
    static func makeDirectory(_ path: String) throws(StoreError) {
        if mkdir(path, 0o700) == 0 { return }
        let number = errno
        switch number {
        case EEXIST where isDirectory(path): return
        case EEXIST: throw StoreError(errno: ENOTDIR, doing: "making the directory", path: path)
        case ENOENT:
            let parent = (path as NSString).deletingLastPathComponent
            guard !parent.isEmpty, parent.utf8.count < path.utf8.count else { break }
            try makeDirectory(parent)
            if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        default: break
        }
        throw StoreError(errno: number, doing: "making the directory", path: path)
    }

    static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// Returns a file's size in bytes, and the time of its last change in seconds since 1970, or `nil` if the system
    /// cannot read its attributes, usually because the file does not exist.
    package static func sizeAndDate(_ path: String) -> (size: Int, date: Double)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Glibc)
            let time = status.st_mtim
        #else
            let time = status.st_mtimespec
        #endif
        return (Int(status.st_size), Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }

    /// Returns the number of bytes that the disk of a path has left for this user; `nil` if the system does not know it.
    static func freeBytes(_ path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }

    static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Gives a file of the administrator to the owner of a folder. Does nothing for other users.
    package static func giveToOwner(of folder: String, _ path: String) {
        var status = stat()
        if geteuid() == 0, stat(folder, &status) == 0 { _ = chown(path, status.st_uid, status.st_gid) }
    }

    /// Renames a file or a directory atomically. A file that already exists at the new path is replaced.
    package static func move(_ old: String, to new: String) throws(StoreError) {
        guard rename(old, new) == 0 else { throw StoreError(errno: errno, doing: "renaming to", path: new) }
    }

    /// Deletes a file, and returns `false` if that fails: in a `DiskStore`, a sweep deletes the file later.
    @discardableResult
    package static func remove(_ path: String) -> Bool { unlink(path) == 0 }

    /// Returns the names in a directory, unsorted; empty if the directory does not exist.
    package static func names(in directory: String) -> [ByteString] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [ByteString] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { ByteString(String(cString: $0)) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Deletes the file, or the directory with its contents, as far as possible.
    static func removeTree(_ path: String) {
        if unlink(path) == 0 { return }
        for name in names(in: path) { removeTree("\(path)/\(name)") }
        rmdir(path)
    }
}

extension StoreError {
    /// - Parameter number: `errno`, read directly after the failed call.
    init(errno number: Int32, doing what: String, path: String) {
        let code: Code =
            switch number {
            case ENOSPC, EDQUOT, EFBIG: .diskFull
            case ENOENT: .fileNotFound
            case ENOTDIR, EACCES, EPERM, EROFS, ELOOP, ENAMETOOLONG: .directoryUnusable
            default: .ioFailed
            }
        self.init(code, "\(what) \(path): \(String(cString: strerror(number)))")
    }
}
