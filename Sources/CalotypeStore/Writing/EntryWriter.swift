import CalotypeBase
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The body of an entry that is written to the disk while it arrives. Until ``DiskStore/commit(_:metadata:for:expires:)``
/// there is no entry. Releasing this object without it deletes the file; that of a process that has died is deleted by a
/// sweep.
package final class EntryWriter: Sendable {
    let path: String
    let share: StreamShare
    private let file: FileDescriptor
    private let sums = Locked(BodySums())
    /// Whether the file has the name of an entry, or is deleted.
    private let isSettled = Locked(false)

    init(_ path: String, _ room: StreamRoom) throws(StoreError) {
        let file = try FileDescriptor(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC)
        guard file.isWithinBudget else {
            unlink(path)
            throw StoreError(errno: EMFILE, doing: "opening", path: path)
        }
        self.path = path
        self.file = file
        share = StreamShare(room)
    }

    deinit {
        if !isSettled.withLock({ $0 }) { unlink(path) }
    }

    /// The number of bytes written.
    package var size: Int { sums.withLock { $0.size } }

    /// Writes the chunks. After a failure, the call can be repeated.
    func write(_ chunks: [Data]) throws(StoreError) {
        var offset = size
        for chunk in chunks {
            try file.writeAll(chunk, at: offset)
            offset += chunk.count
        }
        sums.withLock { sums in for chunk in chunks { sums.add(chunk) } }
    }

    func read(_ range: Range<Int>) throws(StoreError) -> Data {
        guard range.lowerBound >= 0, range.upperBound <= size,
            let bytes = try file.read(range.count, at: range.lowerBound)
        else { throw StoreError(.ioFailed, "a body's file is shorter than the bytes written to it") }
        return bytes
    }

    func sync() throws(StoreError) { try file.sync() }

    func row(_ key: StoreKey, metadata: Data, storedAt: Double, lastUsed: Int64, expires: Double?) -> NewRow {
        sums.withLock { sums in
            NewRow(
                key: key, metadata: metadata, storedAt: storedAt, expires: expires,
                version: .random(in: .min ... .max), lastUsed: lastUsed, size: sums.size, checksum: sums.checksum,
                inlineBody: nil, sums: sums.blocks?.bytes)
        }
    }

    /// Notes that the file has another name or is deleted, and gives its reservation back.
    func settle() {
        isSettled.withLock { $0 = true }
        share.giveBack()
    }
}
