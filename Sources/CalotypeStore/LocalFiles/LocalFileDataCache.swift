import CalotypeBase
public import Foundation
public import ResourceProvider

/// Keeps data in files of one directory, one file for each key: the simplest cache on disk that can be trusted.
///
/// ```swift
/// let files = LocalFileDataCache()
/// let provider = source.cache(files.makeAsync()).coordinated()
/// ```
///
/// - Files are named after a hash of the key, and the key itself lies in the file: no key can reach another's file, nor
///   one outside the directory.
/// - A file is written aside and then renamed, with its length and a checksum: what is read is what was stored, or nil.
/// - What is damaged is deleted and counted in `report.failures`.
/// - The sizes of all files are kept below `byteLimit`, oldest use first out. The directory is read once, at first use:
///   what other processes add later does not count until then.
///
/// It blocks while it reads and writes. `makeAsync()` does that on threads of its own. For an index, expiry, several
/// processes or writing behind, take ``DiskStore``.
public final class LocalFileDataCache: RemovableSyncCache, Sendable {
    /// The path of the directory that holds the files.
    public let directory: String
    /// The size limit of all files together, in bytes.
    public let byteLimit: Int
    private let table: Locked<FileTable>
    // One writer at a time, so that the table follows the files. Held while a file is written: who waits for it would
    // wait for the same disk.
    private let temp = Locked<TempArea?>(nil)

    /// - Parameters:
    ///   - directory: a path. It, and those above it, are made when missing. Nothing else should be kept there.
    ///   - byteLimit: the most bytes to keep. 150 MB by default; a trim leaves 70 % of it. A larger value is not stored.
    public init(directory: String, byteLimit: Int = 150_000_000) {
        self.directory = directory
        self.byteLimit = byteLimit
        table = Locked(FileTable(directory: directory))
    }

    /// Creates a cache in a folder named after the program, in the user's cache directory, or in the system's temporary
    /// directory if the user has none. The system may empty either.
    ///
    /// - Parameter byteLimit: the most bytes to keep. 150 MB by default.
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
            else { throw StoreError(.ioFailed, "the file of \(id) was damaged and is deleted") }
            table.withLock { $0.noteHit(name) }
            return value
        } catch {
            table.withLock { $0.noteMiss(error.code == .fileNotFound ? nil : error) }
            if error.code == .ioFailed || error.code == .notAFile { removeFile(name) }
            return nil
        }
    }

    /// Writes the data to a file, atomically. A failure is reported, not thrown.
    public func store(value: Data, for id: String) {
        let pieces = LocalFile.pieces(of: value, for: id)
        let size = pieces.reduce(0) { $0 + $1.count }
        guard size <= byteLimit * 7 / 10 else { return reject(id) }
        let name = LocalFile.name(for: id)
        temp.withLock { temp in
            do throws(StoreError) {
                try write(pieces, to: name, beside: &temp)
                let victims = table.withLock { $0.noteStore(name, size: size, limit: byteLimit) }
                for victim in victims { FileSystem.remove(path(victim)) }
            } catch {
                // What is there is no longer the last value stored.
                FileSystem.remove(path(name))
                table.withLock { $0.noteFailedStore(name, error) }
            }
        }
    }

    private func write(_ pieces: [Data], to name: ByteString, beside temp: inout TempArea?) throws(StoreError) {
        try UninterruptedWork.perform { () throws(StoreError) in
            defer { temp?.endWork() }
            try publish(pieces, as: name, by: &temp)
        }
    }

    private func publish(_ pieces: [Data], as name: ByteString, by temp: inout TempArea?) throws(StoreError) {
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

    /// Rejects a value that could not be stored, together with its predecessor.
    private func reject(_ id: String) {
        table.withLock { $0.report.rejections += 1 }
        removeValue(for: id)
    }

    public func removeValue(for id: String) {
        removeFile(LocalFile.name(for: id))
    }

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

    /// `cost` is bytes of files, headers included.
    public var report: CacheReport { table.withLock { $0.currentReport } }

    /// This cache for async chains, on two threads of its own.
    public func makeAsync() -> some RemovableAsyncCache<String, Data> {
        concurrent(on: BlockingPool(threads: 2))
    }

    private func path(_ name: ByteString) -> String { "\(directory)/\(name)" }
}
