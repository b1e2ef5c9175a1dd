import CalotypeBase
package import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Reads and writes whole files, without copying the bytes in between.
package enum WholeFile {
    /// - Parameter isSynced: Whether to force the bytes to the disk before returning.
    package static func write(_ pieces: [Data], to path: String, isSynced: Bool) throws(StoreError) {
        let file = try FileDescriptor(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC)
        do throws(StoreError) {
            for piece in pieces { try file.writeAll(piece) }
            if isSynced { try file.sync() }
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Returns the bytes of a file, or `nil` if it does not have exactly `size` bytes.
    static func read(_ path: String, size: Int) throws(StoreError) -> Data? {
        let file = try FileDescriptor(reading: path)
        guard try file.size() == size else { return nil }
        return try file.read(size, at: 0)
    }

    /// Returns the bytes of a file, or `nil` if it is larger than `limit`.
    package static func read(_ path: String, limit: Int) throws(StoreError) -> Data? {
        let file = try FileDescriptor(reading: path)
        let size = try file.size()
        return size <= limit ? try file.read(size, at: 0) : nil
    }
}

/// An open file, closed when this value is destroyed. New files are readable by this user alone, because a cache may
/// contain private data.
struct FileDescriptor: ~Copyable {
    private let descriptor: Descriptor
    private let path: String

    var number: Int32 { descriptor.number }

    init(_ path: String, _ flags: Int32) throws(StoreError) {
        guard let descriptor = Descriptor(open(path, flags, 0o600)) else {
            throw StoreError(errno: errno, doing: "opening", path: path)
        }
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens a regular file and refuses anything else: a pipe would block the reader for ever, and a symbolic link
    /// could lead to any other file.
    ///
    /// - Throws: `notAFile` for anything else, or the reason why the file cannot be opened.
    init(reading path: String) throws(StoreError) {
        // Without O_NONBLOCK, opening a pipe waits for a writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
        guard let descriptor = Descriptor(open(path, flags)) else {
            let reason = errno
            throw reason == ELOOP ? .notAFile(path) : StoreError(errno: reason, doing: "opening", path: path)
        }
        guard DescriptorBudget.current.admits(descriptor.number) else {
            throw StoreError(errno: EMFILE, doing: "opening", path: path)
        }
        guard try Self.status(of: descriptor.number, path).st_mode & S_IFMT == S_IFREG else { throw .notAFile(path) }
        self.descriptor = descriptor
        self.path = path
    }

    /// Whether the process may have a descriptor of this number open for a body.
    var isWithinBudget: Bool { DescriptorBudget.current.admits(number) }

    func size() throws(StoreError) -> Int { Int(try status().st_size) }

    /// Returns `true` until the last name of the file is deleted.
    func isLinked() throws(StoreError) -> Bool { try status().st_nlink > 0 }

    private func status() throws(StoreError) -> stat { try Self.status(of: number, path) }

    private static func status(of number: Int32, _ path: String) throws(StoreError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw StoreError(errno: errno, doing: "looking at", path: path) }
        return status
    }

    func sync() throws(StoreError) {
        guard FileSync.sync(number) == 0 else { throw StoreError(errno: errno, doing: "syncing", path: path) }
    }

    func writeAll(_ data: Data) throws(StoreError) {
        try writeAll(data) { write(number, $0.baseAddress, $0.count) }
    }

    /// Writes the bytes at an offset, and moves no position of the file: after a failure, the same call can be repeated.
    func writeAll(_ data: Data, at offset: Int) throws(StoreError) {
        try writeAll(data) { rest in
            pwrite(number, rest.baseAddress, rest.count, off_t(offset + data.count - rest.count))
        }
    }

    /// - Parameter write: Writes some of the bytes; returns their number, or a negative number after an error.
    private func writeAll(_ data: Data, _ write: (UnsafeRawBufferPointer) -> Int) throws(StoreError) {
        let failure = data.withUnsafeBytes { bytes -> Int32 in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = write(UnsafeRawBufferPointer(rebasing: rest))
                if written < 0 && errno == EINTR { continue }
                // If `write` returned 0, the loop would never end: treat this as a full disk.
                guard written > 0 else { return written == 0 ? ENOSPC : errno }
                rest = rest.dropFirst(written)
            }
            return 0
        }
        guard failure == 0 else { throw StoreError(errno: failure, doing: "writing", path: path) }
    }

    /// Returns bytes at an offset, or `nil` if the file ends before their last one.
    func read(_ count: Int, at offset: Int) throws(StoreError) -> Data? {
        guard count > 0 else { return Data() }
        // `Data(count:)` would first clear the bytes.
        guard let buffer = malloc(count) else { throw StoreError(errno: ENOMEM, doing: "reading", path: path) }
        var filled = 0
        while filled < count {
            let got = pread(number, buffer + filled, count - filled, off_t(offset + filled))
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else {
                let reason = errno
                free(buffer)
                if got == 0 { return nil }
                throw StoreError(errno: reason, doing: "reading", path: path)
            }
            filled += got
        }
        // Create `Data` last: it copies a few bytes, instead of keeping the buffer, and frees the buffer at once.
        return Data(bytesNoCopy: buffer, count: count, deallocator: .free)
    }
}
