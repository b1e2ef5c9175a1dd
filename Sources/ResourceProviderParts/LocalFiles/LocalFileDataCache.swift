import CalotypeBase
import CalotypeStore
public import Foundation
public import ResourceProvider

/// A simple disk cache that keeps one file per key in a directory.
///
/// ```swift
/// let files = LocalFileDataCache()
/// let provider = source.cache(files.makeAsync()).coordinated()
/// ```
///
/// - A file's name is a hash of the key, and the file contains the key itself: no key can reach another key's file, nor
///   a file outside the directory.
/// - A file is written to a temporary path and then renamed, with its length and a checksum: reading returns exactly
///   the stored bytes or `nil`.
/// - Damaged files are deleted and counted in `report.failures`.
/// - The total size of the files stays within `byteLimit`: a trim deletes the least recently used files. The directory
///   is read once, at the first store or report: files that other processes add later do not count.
///
/// Calls block while they read and write. `makeAsync()` runs them on two separate threads. For an index, expiry,
/// several processes or asynchronous writes, use `DiskStore`.
public final class LocalFileDataCache: RemovableSyncCache, Sendable {
    // Stated, because the overloads for System's `FilePath` would make inference ambiguous.
    /// A path as text.
    public typealias ID = String
    /// The bytes of a file.
    public typealias Value = Data

    /// The path of the directory that holds the files.
    public let directory: String
    /// The limit for the total size of the files, in bytes.
    public let byteLimit: Int
    private let table: Locked<FileTable>
    // This lock allows one writer at a time, so that the table matches the files. It is held while a file is written,
    // because other writers would wait for the same disk anyway.
    private let temp = Locked<TempArea?>(nil)

    /// - Parameters:
    ///   - directory: A path to a directory with no other contents. Missing directories on the path are created.
    ///   - byteLimit: The size limit, in bytes. The default is 150 MB. A trim reduces the files to 70 % of it; a value
    ///     whose file would be larger than that is not stored.
    public init(directory: String, byteLimit: Int = 150_000_000) {
        self.directory = directory
        self.byteLimit = byteLimit
        table = Locked(FileTable(directory: directory))
    }

    /// Creates a cache in a folder named after the program, in the user's cache directory or, if there is no such
    /// directory, in the temporary directory. The system may empty either.
    ///
    /// - Parameter byteLimit: The size limit, in bytes. The default is 150 MB.
    public convenience init(byteLimit: Int = 150_000_000) {
        let files = FileManager.default
        let caches = files.urls(for: .cachesDirectory, in: .userDomainMask).first ?? files.temporaryDirectory
        let folder = caches.appending(path: ProcessInfo.processInfo.processName).appending(path: "files")
        self.init(directory: folder.path, byteLimit: byteLimit)
    }

    public func value(for id: String) -> Data? {
        let name = LocalFile.name(for: id)
        do throws(StoreError) {
            guard let bytes = try WholeFile.read(path(name), limit: byteLimit),
                let value = LocalFile.value(in: bytes, for: id)
            else { throw StoreError(.ioFailed, "the file of \(id) was damaged and has been deleted") }
            table.withLock { $0.noteHit(name) }
            return value
        } catch {
            table.withLock { $0.noteMiss(error.code == .fileNotFound ? nil : error) }
            if error.code == .ioFailed || error.code == .notAFile { removeFile(name) }
            return nil
        }
    }

    /// Writes the data to a file atomically. Failures are counted in `report`, not thrown.
    public func store(value: Data, for id: String) {
        let pieces = LocalFile.pieces(of: value, for: id)
        let size = pieces.reduce(0) { $0 + $1.count }
        guard size <= byteLimit * 7 / 10 else {
            table.withLock { $0.report.rejections += 1 }
            return removeValue(for: id)
        }
        let name = LocalFile.name(for: id)
        temp.withLock { temp in
            do throws(StoreError) {
                try write(pieces, to: name, beside: &temp)
                let victims = table.withLock { $0.noteStore(name, size: size, limit: byteLimit) }
                for victim in victims { FileSystem.remove(path(victim)) }
            } catch {
                // The existing file, if any, contains an outdated value: delete it, so that no read returns that value.
                FileSystem.remove(path(name))
                table.withLock { $0.noteFailedStore(name, error) }
            }
        }
    }

    private func write(_ pieces: [Data], to name: ByteString, beside temp: inout TempArea?) throws(StoreError) {
        try UninterruptedWork.perform { () throws(StoreError) in
            defer { temp?.endWork() }
            if temp == nil || !FileSystem.exists("\(directory)/temp") {
                temp = try TempArea("\(directory)/temp")
                try TempArea.clear("\(directory)/temp") { _ in }
            }
            try temp?.beginWork()
            guard let path = temp?.nextPath() else { return }
            try WholeFile.write(pieces, to: path, isSynced: false)
            do throws(StoreError) {
                try FileSystem.move(path, to: self.path(name))
            } catch {
                FileSystem.remove(path)
                throw error
            }
        }
    }

    public func removeValue(for id: String) { removeFile(LocalFile.name(for: id)) }

    private func removeFile(_ name: ByteString) {
        temp.withLock { _ in
            FileSystem.remove(path(name))
            table.withLock { $0.forget(name) }
        }
    }

    public func removeAll() {
        temp.withLock { _ in
            for name in table.withLock({ $0.forgetAll() }) { FileSystem.remove(path(name)) }
        }
    }

    /// The counters of the cache. `cost` is the size of the files in bytes, headers included.
    public var report: CacheReport { table.withLock { $0.currentReport } }

    /// Returns an asynchronous view of this cache, which reads and writes on two threads.
    public func makeAsync() -> some RemovableAsyncCache<String, Data> {
        concurrent(on: BlockingPool(threads: 2))
    }

    private func path(_ name: ByteString) -> String { "\(directory)/\(name)" }
}
