import CalotypeBase
package import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file of lines that several processes read, append to and replace. Changes need ``locked(_:)``.
package struct LineFile: Sendable {
    package let path: String
    /// The longest wait for the lock. The default is 5 seconds.
    package var patience = Duration.seconds(5)

    package init(_ path: String) { self.path = path }

    /// The identity, the size and the time of the last change of the file. Every change makes another version.
    package struct Version: Hashable, Sendable {
        fileprivate let device: UInt64
        fileprivate let number: UInt64
        // A file may get the number of one that it has replaced, and have its size.
        fileprivate let changedSeconds: Int
        fileprivate let changedNanoseconds: Int
        package let size: Int
    }

    /// Returns `nil` if the file does not exist.
    package func version() throws(StoreError) -> Version? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let reason = errno
            if reason == ENOENT { return nil }
            throw StoreError(errno: reason, doing: "looking at", path: path)
        }
        #if canImport(Glibc)
            let change = status.st_ctim
        #else
            let change = status.st_ctimespec
        #endif
        return Version(
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino),
            changedSeconds: Int(change.tv_sec), changedNanoseconds: Int(change.tv_nsec), size: Int(status.st_size))
    }

    /// Returns the bytes that the file has by now.
    package func read() throws(StoreError) -> Data {
        let file = try FileDescriptor(reading: path)
        while true {
            if let bytes = try file.read(file.size(), at: 0) { return bytes }
            // The file has become shorter since its size was read: a line without room was taken back.
        }
    }

    /// Runs `body` while no other process changes the file.
    ///
    /// - Throws: `busy` if another process has the lock for longer than ``patience``.
    package func locked<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try withExtendedLifetime(FileLock("\(path).lock", timeout: patience), body)
    }

    /// Appends bytes, which are on the disk when the call returns. Creates the file if it does not exist. If the bytes
    /// cannot be written, such as to a full disk, the file keeps its former ones alone.
    ///
    /// - Parameter written: Called as soon as other processes can read the bytes, before they are forced to the disk.
    package func append(_ bytes: Data, written: () -> Void) throws(StoreError) {
        let isNew = !FileSystem.exists(path)
        let file = try FileDescriptor(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW)
        let size = try file.size()
        do throws(StoreError) { try file.writeAll(bytes) } catch {
            // The beginning of a line would count as damage.
            _ = ftruncate(file.number, off_t(size))
            throw error
        }
        written()
        try file.sync()
        if isNew { try syncFolder() }
    }

    /// Replaces the file as a whole: it has the old bytes or the new ones at any time, also after a loss of power.
    package func replace(with bytes: Data) throws(StoreError) {
        let draft = "\(path).new"
        try WholeFile.write([bytes], to: draft, isSynced: true)
        // The file of a server remains its own if an administrator replaces it.
        var status = stat()
        if stat(path, &status) == 0, status.st_uid != geteuid() { _ = chown(draft, status.st_uid, status.st_gid) }
        try FileSystem.move(draft, to: path)
        try syncFolder()
    }

    private func syncFolder() throws(StoreError) {
        let folder = LocalPath(text: path).folder
        try FileDescriptor(folder.text?.nonEmptyPath ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC).sync()
    }
}

extension String {
    fileprivate var nonEmptyPath: String? { isEmpty ? nil : self }
}
