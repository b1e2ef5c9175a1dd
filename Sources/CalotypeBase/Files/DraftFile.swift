#if canImport(Glibc)
    private import Glibc
#else
    private import Darwin
#endif

/// The hidden file beside a new file, which is filled first and then gets its name: the new file is complete or absent.
///
/// The owner calls ``remove()`` in any case: after ``publish(as:)`` the draft may be a second name of the new file.
package struct DraftFile: Sendable {
    package let path: LocalPath

    /// - Parameter folder: The folder of the new file; empty for the current folder.
    package init(in folder: LocalPath) {
        let id = String(UInt64.random(in: .min ... .max), radix: 16)
        path = (folder.isEmpty ? "." : folder).appending(name: ".calotype-\(id).part")
    }

    /// Creates the file with the permissions of this process's new files.
    ///
    /// - Returns: The descriptor, for ``fill(_:with:while:)``.
    package func create() throws(SystemError) -> Int32 {
        let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { throw SystemError(errno) }
        return descriptor
    }

    /// Writes all bytes, and closes the descriptor in any case.
    ///
    /// - Parameter goesOn: Called before each MiB. If it returns `false`, the write fails with `ECANCELED`.
    package func fill(
        _ descriptor: Int32, with bytes: UnsafeRawBufferPointer, while goesOn: () -> Bool = { true }
    ) throws(SystemError) {
        do throws(SystemError) {
            try write(bytes, to: descriptor, while: goesOn)
        } catch {
            close(descriptor)
            throw error
        }
        // `close` may be the first call to report a full disk or an exceeded quota.
        guard close(descriptor) == 0 else { throw SystemError(errno) }
    }

    private func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, while goesOn: () -> Bool
    ) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard goesOn() else { throw SystemError(ECANCELED) }
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 20))
            let count = posixWrite(descriptor, piece)
            if count < 0, errno == EINTR { continue }
            // If `write` returned 0, the loop would never end: treat this as a full disk.
            guard count > 0 else { throw SystemError(count == 0 ? ENOSPC : errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Gives the draft the name of the new file. Replaces a file with this name.
    package func replace(_ file: LocalPath) throws(SystemError) {
        let isMoved = path.withCString { draft in file.withCString { rename(draft, $0) } } == 0
        guard isMoved else { throw SystemError(errno) }
    }

    /// Gives the draft the name of the new file, unless something has this name: then fails with `EEXIST`.
    package func publish(as file: LocalPath) throws(SystemError) {
        // Unlike `rename`, `link` never replaces a file.
        if path.withCString({ draft in file.withCString { link(draft, $0) } }) == 0 { return }
        guard errno != EEXIST else { throw SystemError(EEXIST) }
        // `link` also fails on a file system without hard links, where only `rename` works.
        guard !file.isTaken else { throw SystemError(EEXIST) }
        try replace(file)
    }

    package func remove() { _ = path.withCString { unlink($0) } }
}

extension LocalPath {
    /// Whether anything has the path, also a link that leads nowhere.
    fileprivate var isTaken: Bool {
        var status = stat()
        return withCString { lstat($0, &status) } == 0
    }
}

// A method named `write` hides the function of the system.
private func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
