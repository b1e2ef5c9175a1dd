internal import CalotypeBase
public import CalotypeHTTP
public import Foundation

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

// Bodies in files, for a store of a program's own.

extension HTTPCacheStore {
    /// Returns a name for a key's file: the SHA-256 of the key, as 64 hexadecimal digits. Two keys have different names.
    public func fileName(for key: ByteString) -> String { key.bytes.withUnsafeBytes { KeyDigest.hex(of: $0) } }

    /// Returns a writer that writes a body to a new file, on a thread for files, and reads it back for clients that come late.
    ///
    /// The file is deleted with the writer, unless `commit` has moved it.
    ///
    /// - Parameters:
    ///   - file: The URL of the file, which must not exist.
    ///   - commit: Moves the file to its place and stores the variant, as ``HTTPBodyWriter/commit(_:replacing:)`` does.
    public func fileWriter(
        at file: URL, commit: @escaping @Sendable (StoredVariant, [StoredVariant.ID]) async throws -> Void
    ) throws -> any HTTPBodyWriter {
        FileWriter(file, try BodyFileHandle(file, O_RDWR | O_CREAT | O_EXCL), commit)
    }
}

extension HTTPBody {
    /// Creates a body that reads a range of a file, in pieces of 256 KiB, at the pace of its reader and on a thread for files.
    ///
    /// The file is opened at once, and may be moved or deleted afterwards. If it ends before the range does, reading throws
    /// `truncatedBody`.
    public init(contentsOf file: URL, in range: Range<Int>) throws {
        self.init(FilePart(try BodyFileHandle(file, O_RDONLY), range))
    }
}

private final class FileWriter: HTTPBodyWriter {
    private let file: URL
    private let handle: BodyFileHandle
    private let size = Locked(0)
    private let store: @Sendable (StoredVariant, [StoredVariant.ID]) async throws -> Void

    init(
        _ file: URL, _ handle: BodyFileHandle,
        _ store: @escaping @Sendable (StoredVariant, [StoredVariant.ID]) async throws -> Void
    ) {
        (self.file, self.handle, self.store) = (file, handle, store)
    }

    deinit { try? FileManager.default.removeItem(at: file) }

    let isReadable = true

    func append(_ chunks: [Data]) async throws {
        let start = size.withLock { $0 }
        let end = try await handle.write(chunks, at: start)
        size.withLock { $0 = end }
    }

    func read(_ range: Range<Int>) async throws -> Data { try await handle.read(range) }

    func commit(_ variant: StoredVariant, replacing old: [StoredVariant.ID]) async throws {
        try await store(variant, old)
    }
}

private final class FilePart: HTTPBodySource {
    private static let pieceSize = 256 << 10

    private let handle: BodyFileHandle
    private let rest: Locked<Range<Int>>

    init(_ handle: BodyFileHandle, _ range: Range<Int>) {
        self.handle = handle
        rest = Locked(range)
    }

    func next() async throws(TransportError) -> Data? {
        let piece = rest.withLock { rest in
            let piece = rest.prefix(Self.pieceSize)
            rest = piece.upperBound..<rest.upperBound
            return piece
        }
        return piece.isEmpty ? nil : try await handle.read(piece)
    }
}

/// An open file, which is read and written at any position, on threads of its own kind.
private final class BodyFileHandle: Sendable {
    private static let threads = BlockingPool(threads: 2)

    private let descriptor: Descriptor

    init(_ file: URL, _ flags: Int32) throws(TransportError) {
        guard let path = LocalPath(fileURL: file) else { throw TransportError(.fileNotFound, "no file has this URL") }
        guard let descriptor = Descriptor(path.withCString { open($0, flags | O_CLOEXEC, 0o600) }) else {
            let reason = errno
            throw Self.failure(reason == ENOENT ? .fileNotFound : .fileUnreadable, "opening \(path)", reason)
        }
        guard DescriptorBudget.current.admits(descriptor.number) else {
            if flags & O_CREAT != 0 { _ = path.withCString { unlink($0) } }
            throw Self.failure(.fileUnreadable, "opening \(path)", EMFILE)
        }
        self.descriptor = descriptor
    }

    private static func failure(_ code: TransportError.Code, _ work: String, _ number: Int32) -> TransportError {
        TransportError(code, "\(work) failed: \(SystemError(number))")
    }

    /// - Returns: The offset behind the last byte.
    func write(_ chunks: [Data], at offset: Int) async throws(TransportError) -> Int {
        try await Self.threads.run { [self] () throws(TransportError) in
            var offset = offset
            for chunk in chunks {
                var rest = chunk
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes {
                        pwrite(descriptor.number, $0.baseAddress, $0.count, off_t(offset))
                    }
                    if count < 0, errno == EINTR { continue }
                    // A file that takes nothing would never end.
                    guard count > 0 else { throw Self.failure(.other, "writing", count == 0 ? ENOSPC : errno) }
                    rest = rest.dropFirst(count)
                    offset += count
                }
            }
            return offset
        }
    }

    func read(_ range: Range<Int>) async throws(TransportError) -> Data {
        try await Self.threads.run { [self] () throws(TransportError) in
            if range.isEmpty { return Data() }
            // `Data(count:)` would first clear the bytes.
            guard let start = malloc(range.count) else { throw Self.failure(.fileUnreadable, "reading", ENOMEM) }
            do throws(TransportError) {
                try fill(UnsafeMutableRawBufferPointer(start: start, count: range.count), from: range.lowerBound)
            } catch {
                free(start)
                throw error
            }
            return Data(bytesNoCopy: start, count: range.count, deallocator: .free)
        }
    }

    private func fill(_ bytes: UnsafeMutableRawBufferPointer, from offset: Int) throws(TransportError) {
        var filled = 0
        while filled < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
            let count = pread(descriptor.number, rest.baseAddress, rest.count, off_t(offset + filled))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure(.fileUnreadable, "reading", errno) }
            guard count > 0 else { throw TransportError(.truncatedBody, "the file is shorter than the body") }
            filled += count
        }
    }
}
