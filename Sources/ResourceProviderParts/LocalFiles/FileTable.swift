import CalotypeBase
import CalotypeStore
import Foundation
import ResourceProvider

/// The files of a `LocalFileDataCache`, their sizes and the order of their uses.
struct FileTable {
    private struct File {
        var size: Int
        var lastUse: UInt64
    }

    var report = CacheReport(count: 0)
    private let directory: String
    private var files: [ByteString: File] = [:]
    private var bytes = 0
    private var uses: UInt64 = 0
    private var isRead = false

    init(directory: String) { self.directory = directory }

    var currentReport: CacheReport {
        mutating get {
            readDirectory()
            var report = report
            report.count = files.count
            report.cost = bytes
            return report
        }
    }

    mutating func noteHit(_ name: ByteString) {
        report.hits += 1
        uses += 1
        files[name]?.lastUse = uses
    }

    mutating func noteMiss(_ failure: StoreError?) {
        report.misses += 1
        if let failure { note(failure) }
    }

    mutating func noteFailedStore(_ name: ByteString, _ failure: StoreError) {
        forget(name)
        note(failure)
    }

    private mutating func note(_ failure: StoreError) {
        report.failures += 1
        report.lastFailure = failure.message
    }

    /// Records a stored file. Returns the files to delete because of the size limit.
    mutating func noteStore(_ name: ByteString, size: Int, limit: Int) -> [ByteString] {
        readDirectory()
        report.stores += 1
        uses += 1
        forget(name)
        files[name] = File(size: size, lastUse: uses)
        bytes += size
        return bytes > limit ? trim(to: limit * 7 / 10) : []
    }

    private mutating func trim(to target: Int) -> [ByteString] {
        var victims: [ByteString] = []
        for (name, _) in files.sorted(by: { $0.value.lastUse < $1.value.lastUse }) where bytes > target {
            forget(name)
            victims.append(name)
        }
        report.evictions += victims.count
        return victims
    }

    mutating func forget(_ name: ByteString) { bytes -= files.removeValue(forKey: name)?.size ?? 0 }

    mutating func forgetAll() -> [ByteString] {
        isRead = false
        readDirectory()
        defer {
            files = [:]
            bytes = 0
        }
        return Array(files.keys)
    }

    /// Reads the directory once. Existing files count as used in the order in which they were written.
    private mutating func readDirectory() {
        guard !isRead else { return }
        isRead = true
        let found = FileSystem.names(in: directory).filter(LocalFile.isName).compactMap { name in
            FileSystem.sizeAndDate("\(directory)/\(name)").map { (name: name, size: $0.size, date: $0.date) }
        }
        for file in found.sorted(by: { $0.date < $1.date }) {
            forget(file.name)
            uses += 1
            files[file.name] = File(size: file.size, lastUse: uses)
            bytes += file.size
        }
    }
}
