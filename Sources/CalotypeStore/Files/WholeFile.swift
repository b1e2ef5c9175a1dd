import CalotypeBase
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Whole files in one go: written from memory, read into memory, without a copy in between.
enum WholeFile {
    /// - Parameter isSynced: forces the bytes to the disk before returning.
    static func write(_ pieces: [Data], to path: String, isSynced: Bool) throws(StoreError) {
        let file = try FileDescriptor(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC)
        do throws(StoreError) {
            for piece in pieces { try file.writeAll(piece) }
            if isSynced { try file.sync() }
        } catch {
            unlink(path)
            throw error
        }
    }

    /// The bytes of a file that should have `size` of them; nil when it has more or fewer.
    static func read(_ path: String, size: Int) throws(StoreError) -> Data? {
        let file = try FileDescriptor(reading: path)
        guard try file.size() == size else { return nil }
        return try file.readAll(size)
    }

    /// The bytes of a file of any size up to `limit`; nil when it is larger.
    static func read(_ path: String, limit: Int) throws(StoreError) -> Data? {
        let file = try FileDescriptor(reading: path)
        let size = try file.size()
        return size <= limit ? try file.readAll(size) : nil
    }
}

/// An open file, closed with its owner. A new one is for this user alone: what a cache holds may be private.
struct FileDescriptor: ~Copyable {
    let number: Int32
    private let path: String

    init(_ path: String, _ flags: Int32) throws(StoreError) {
        number = open(path, flags, 0o600)
        self.path = path
        guard number >= 0 else { throw StoreError(errno: errno, doing: "opening", path: path) }
    }

    /// Opens a regular file, and nothing that was put in its place: a pipe would keep the reader waiting for ever, a
    /// link could lead to any other file.
    ///
    /// - Throws: `notAFile` for anything else.
    init(reading path: String) throws(StoreError) {
        // Without O_NONBLOCK opening a pipe waits for somebody who writes.
        number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
        self.path = path
        guard number >= 0 else {
            let reason = errno
            throw reason == ELOOP ? .notAFile(path) : StoreError(errno: reason, doing: "opening", path: path)
        }
        guard DescriptorBudget.current.admits(number) else {
            throw StoreError(errno: EMFILE, doing: "opening", path: path)
        }
        guard try status().st_mode & S_IFMT == S_IFREG else { throw .notAFile(path) }
    }

    deinit { close(number) }

    func size() throws(StoreError) -> Int { Int(try status().st_size) }

    /// Returns whether the path still leads to this file.
    func isLinked() throws(StoreError) -> Bool { try status().st_nlink > 0 }

    private func status() throws(StoreError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw StoreError(errno: errno, doing: "looking at", path: path) }
        return status
    }

    func sync() throws(StoreError) {
        guard FileSync.sync(number) == 0 else { throw StoreError(errno: errno, doing: "syncing", path: path) }
    }

    func writeAll(_ data: Data) throws(StoreError) {
        let failure = data.withUnsafeBytes { bytes -> Int32 in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = write(number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written < 0 && errno == EINTR { continue }
                // Zero would loop for ever; a disk that takes nothing is a full one.
                guard written > 0 else { return written == 0 ? ENOSPC : errno }
                rest = rest.dropFirst(written)
            }
            return 0
        }
        guard failure == 0 else { throw StoreError(errno: failure, doing: "writing", path: path) }
    }

    /// The first bytes of the file; `nil` if it ends before.
    func readAll(_ count: Int) throws(StoreError) -> Data? { try read(count, at: 0) }

    /// `nil` if the file ends before.
    func read(_ count: Int, at offset: Int) throws(StoreError) -> Data? {
        guard count > 0 else { return Data() }
        // Not `Data(count:)`, which would clear what is about to be overwritten.
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
        // Only now: of a few bytes it takes a copy, and frees the buffer.
        return Data(bytesNoCopy: buffer, count: count, deallocator: .free)
    }
}
