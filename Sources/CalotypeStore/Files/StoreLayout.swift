import CalotypeBase

/// The layout of a store's directory.
///
/// ```
/// index.sqlite (-wal, -shm)   the index, and bodies up to `inlineLimit`
/// index.lock                  held while the index is opened or replaced
/// blobs/5f/5f…-…              one file for each larger body
/// temp/                       unfinished files, and a lock file of each process that writes
/// discarded-…/                blobs of a cleared or damaged store, until they are deleted
/// ```
struct StoreLayout: Sendable {
    let directory: String

    var index: String { "\(directory)/index.sqlite" }
    var indexLock: String { "\(directory)/index.lock" }
    var blobs: String { "\(directory)/blobs" }
    var temp: String { "\(directory)/temp" }

    func shard(_ number: Int) -> String { "\(blobs)/\(hex(UInt64(number), digits: 2))" }
    func shard(of name: BlobName) -> String { shard(Int(name.hash.high >> 56)) }
    func path(of name: BlobName) -> String { "\(shard(of: name))/\(name.text)" }

    static let shardCount = 256
    private static let discardedPrefix: ByteString = "discarded-"

    /// Returns an unused path. A sweep deletes what is moved there.
    func newDiscarded() -> String {
        "\(directory)/\(StoreLayout.discardedPrefix)\(hex(.random(in: .min ... .max), digits: 16))"
    }

    func allDiscarded() -> [String] {
        let names = FileSystem.names(in: directory).filter { $0.hasPrefix(StoreLayout.discardedPrefix) }
        return names.map { "\(directory)/\($0)" }
    }
}

/// The name of the file with one version of an entry's body.
///
/// A name is never reused. A file is complete before it gets its name, and never changes afterwards.
struct BlobName: Hashable, Sendable {
    let hash: KeyHash
    let version: StoredEntry.Version

    var text: String { "\(hash.text)-\(hex(UInt64(bitPattern: version), digits: 16))" }
}

extension BlobName {
    /// Parses the name of a file. Returns `nil` if the file does not belong to the store.
    init?(text: ByteString) {
        let parts = text.split(separator: UInt8(ascii: "-")).map(\.string)
        guard parts.count == 2, parts[0].utf8.count == 32, parts[1].utf8.count == 16,
            let high = UInt64(parts[0].prefix(16), radix: 16), let low = UInt64(parts[0].suffix(16), radix: 16),
            let version = UInt64(parts[1], radix: 16)
        else { return nil }
        self.init(hash: KeyHash(high: high, low: low), version: Int64(bitPattern: version))
    }
}

func hex(_ value: UInt64, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
