import Foundation

/// The one hand that changes the disk. For one thread at a time.
///
/// A batch is one transaction. Files are written aside first, get their names inside the transaction, and only then
/// come the rows: whoever holds the database's write lock therefore knows that a file without a row belongs to a
/// process that was killed.
final class StoreWriter {
    let layout: StoreLayout
    let options: DiskStoreOptions
    let blobs: BlobFiles
    private let opener: IndexOpener
    private var session: Session?

    /// An open index, and the right to write beside it.
    struct Session {
        let index: StoreIndex
        let temp: TempArea
    }

    init(layout: StoreLayout, options: DiskStoreOptions) {
        self.layout = layout
        self.options = options
        blobs = BlobFiles(layout: layout, isSynced: options.survivesPowerLoss)
        opener = IndexOpener(layout: layout, options: options)
    }

    func close() { session = nil }

    /// Work is over until more comes.
    func rest() { session?.temp.endWork() }

    /// A Boolean value indicating whether there is anything on the disk to look after.
    var hasIndex: Bool { FileSystem.exists(layout.index) }

    /// A Boolean value indicating whether entries may be there, if only for others or later: nobody can tell of a directory
    /// that cannot be looked into.
    var mayHaveIndex: Bool { hasIndex || (errno != ENOENT && errno != ENOTDIR) }

    /// The open index; made if it is not there, opened again if somebody deleted it.
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

    /// Does `body`, and once more with a new index when the old one turns out to be broken.
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

    /// Deletes the index and all bodies. A disk may be too full or too broken for the transaction that would empty them.
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

    /// Replaces the index if its pages really are in disorder: the reader that said so may have met an older file.
    func repair(_ outcome: inout WriteOutcome) throws(StoreError) {
        // What is open may hold sound copies of pages that are broken on the disk.
        close()
        try withIndex(&outcome) { session throws(StoreError) in
            if let damage = try session.index.structuralDamage() {
                throw StoreError(.indexDamaged, damage)
            }
        }
    }
}
