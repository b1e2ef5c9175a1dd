import Foundation

/// The writer of a store's index and files. Not thread-safe.
///
/// A batch is one transaction. Files are first written to temporary paths. Inside the transaction, they get their names
/// before their rows are inserted. So a process that holds the database's write lock and finds a file without a row
/// knows that another process was killed before it committed.
final class StoreWriter {
    let layout: StoreLayout
    let options: DiskStoreOptions
    let blobs: BlobFiles
    let streamRoom: StreamRoom
    private let opener: IndexOpener
    private var session: Session?

    struct Session {
        let index: StoreIndex
        let temp: TempArea
    }

    init(layout: StoreLayout, options: DiskStoreOptions, _ streamRoom: StreamRoom) {
        self.layout = layout
        self.options = options
        self.streamRoom = streamRoom
        blobs = BlobFiles(layout: layout, isSynced: options.survivesPowerLoss)
        opener = IndexOpener(layout: layout, options: options)
    }

    func close() { session = nil }

    /// Releases the lock of the temporary area if an idle process must not hold it.
    func rest() { session?.temp.endWork() }

    var hasIndex: Bool { FileSystem.exists(layout.index) }

    /// `false` if the index certainly does not exist. An inaccessible directory may contain entries, even if only other
    /// or later processes can read them.
    var mayHaveIndex: Bool { hasIndex || (errno != ENOENT && errno != ENOTDIR) }

    /// Returns the open index and temporary area. Creates a missing index, even if its file has just been deleted.
    func open(_ outcome: inout WriteOutcome) throws(StoreError) -> Session {
        if let session, !session.index.hasMoved, FileSystem.isDirectory(layout.temp) {
            try session.temp.beginWork()
            return session
        }
        session = nil
        let index = try opener.openForWriting(&outcome.problems)
        let opened = Session(index: index, temp: try TempArea(layout.temp, keepsLock: options.keepsLocks))
        session = opened
        return opened
    }

    /// Runs `body`, and repeats it with a new index if the old one is damaged.
    func withIndex<Result>(
        _ outcome: inout WriteOutcome, _ body: (Session) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try body(open(&outcome))
        } catch  where error.code == .indexDamaged {
            try replaceIndex(because: error, &outcome)
            return try body(open(&outcome))
        }
    }

    /// Deletes the index and all bodies, for a disk too full or too broken for the transaction that would remove them.
    func discardIndex() throws(StoreError) {
        close()
        try opener.discard()
        deleteDiscarded()
    }

    private func replaceIndex(because reason: StoreError, _ outcome: inout WriteOutcome) throws(StoreError) {
        guard let damaged = session?.index else { return }
        session = nil
        if let problem = try opener.replace(damaged, because: reason) { outcome.problems.append(problem) }
    }

    /// Replaces the index if its pages are really damaged: the reader that reported the damage may have read a file
    /// that has been replaced since.
    func repair(_ outcome: inout WriteOutcome) throws(StoreError) {
        // An open connection may hold intact copies of pages that are damaged on the disk.
        close()
        try withIndex(&outcome) { session throws(StoreError) in
            if let damage = try session.index.structuralDamage() {
                throw StoreError(.indexDamaged, damage)
            }
        }
    }
}
