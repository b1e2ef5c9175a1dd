import Foundation

/// Operations that wait for the writer or are being written. Reads already see their effects: stored entries are found,
/// removed ones are not.
///
/// Only the latest operation on each key is kept. The owner of this value protects it by a lock.
struct PendingWrites {
    private var waiting = WriteBatch()
    private var writing: WriteBatch?
    /// Removals that failed on the disk. Their entries count as absent, and a later batch retries them.
    private(set) var unwritten = WriteBatch()
    /// The error with which removals of the last batch failed, or `nil` if no removal failed.
    private(set) var cause: StoreError?
    /// The keys of `waiting.operations` in the order of the calls; `head` is the index of the first pending one.
    private var order: [(key: StoreKey, sequence: UInt64)] = []
    private var head = 0
    /// The sequence number of the latest operation. A caller keeps it to find out later whether its operation still
    /// waits for the writer.
    private(set) var lastSequence: UInt64 = 0
    private var lastUse: Int64 = .min
    private var isWriterCalled = false

    /// The maximum number of recorded uses, and of versions to discard. Further ones are dropped, because losing them
    /// does little harm.
    static let noteLimit = 4096

    /// The limit of failed removals, in bytes. Beyond it, the next attempt removes all entries.
    static let unwrittenLimit = 1 << 20

    /// The state of a key according to the operations in memory.
    enum Finding {
        case entry(StoredEntry)
        case removed
        /// The disk has to be read; these changes of metadata have not been written yet.
        case unknown([MetadataChange])
    }

    /// Returns the time for a use, adjusted so that times are unique and increasing.
    mutating func nextUse(_ now: Double) -> Int64 {
        lastUse = max(microseconds(now), lastUse == .min ? .min : lastUse + 1)
        return lastUse
    }

    // MARK: Operations of callers

    /// Adds an operation, and returns the bytes of the budget that become free because it replaces an earlier one.
    mutating func put(_ operation: PendingOperation, for key: StoreKey) -> Int {
        lastSequence += 1
        guard let old = waiting.operations[key] else {
            order.append((key, lastSequence))
            waiting.operations[key] = operation
            waiting.cost += operation.cost(for: key)
            return 0
        }
        let new = merged(operation, over: old)
        waiting.operations[key] = new
        waiting.cost += new.cost(for: key) - old.cost(for: key)
        // Both operations were admitted with their own costs, but only `new` remains.
        return operation.cost(for: key) + old.cost(for: key) - new.cost(for: key)
    }

    private func merged(_ new: PendingOperation, over old: PendingOperation) -> PendingOperation {
        guard case .changeMetadata(let change) = new else { return new }
        switch old {
        case .store(let entry): return .store(entry.applying(change))
        case .remove: return old
        case .changeMetadata: return new
        }
    }

    mutating func putRemoveAll() -> Int {
        lastSequence += 1
        defer {
            waiting = WriteBatch(removesAll: true, repairs: waiting.repairs)
            order = []
            head = 0
        }
        return waiting.cost
    }

    func find(_ key: StoreKey) -> Finding {
        var changes: [MetadataChange] = []
        let finding = waiting.find(key, &changes) ?? writing?.find(key, &changes) ?? unwritten.find(key, &changes)
        return finding ?? .unknown(changes)
    }

    // MARK: Notes of readers for the writer

    /// Records a use of an entry. Returns `true` if enough uses have accumulated for the writer to write them.
    mutating func noteUse(of key: StoreKey, now: Double) -> Bool {
        let time = nextUse(now)
        if case .store(var entry)? = waiting.operations[key] {
            entry.lastUsed = time
            waiting.operations[key] = .store(entry)
        } else if waiting.touches.count < PendingWrites.noteLimit {
            waiting.touches[key.hash] = time
        }
        return waiting.touches.count >= PendingWrites.noteLimit / 8
    }

    func lastUse(of key: StoreKey) -> Double? {
        let time = waiting.touches[key.hash] ?? writing?.touches[key.hash]
        return time.map { Double($0) / 1e6 }
    }

    /// Records a damaged or expired entry, which the next batch deletes.
    mutating func noteDiscard(_ name: BlobName) {
        if waiting.discards.count < PendingWrites.noteLimit { waiting.discards.insert(name) }
    }

    mutating func noteRepair() { waiting.repairs = true }

    // MARK: Batches of the writer

    /// Whether a store, a removal, new metadata or a discard is not on the disk yet.
    var hasOperations: Bool {
        [waiting, writing, unwritten].contains {
            $0.map { $0.removesAll || !$0.operations.isEmpty || !$0.discards.isEmpty } ?? false
        }
    }

    func hasOperation(upTo sequence: UInt64) -> Bool {
        head < order.count && order[head].sequence <= sequence
    }

    /// Returns the next batch: the oldest operations, until their cost reaches `byteLimit`, and failed removals.
    ///
    /// - Parameter retries: If `true`, failed removals alone make a batch.
    /// - Returns: `nil` if there is nothing to write.
    mutating func nextBatch(byteLimit: Int, retries: Bool = false) -> WriteBatch? {
        guard writing == nil, !waiting.isEmpty || (retries && !unwritten.isEmpty) else { return nil }
        var batch = waiting
        batch.operations = [:]
        batch.cost = 0
        while head < order.count, batch.operations.isEmpty || batch.cost < byteLimit {
            let key = order[head].key
            head += 1
            guard let operation = waiting.operations.removeValue(forKey: key) else { continue }
            batch.operations[key] = operation
            batch.keys.append(key)
            batch.cost += operation.cost(for: key)
        }
        // Remove processed keys only once they are at least half of the array: amortized constant time per key.
        if head * 2 >= order.count {
            order.removeFirst(head)
            head = 0
        }
        let rest = waiting.operations
        waiting = WriteBatch(operations: rest, cost: waiting.cost - batch.cost)
        batch.add(older: unwritten)
        unwritten = WriteBatch()
        writing = batch
        return batch
    }

    /// - Parameter rest: The batch's removals that failed on the disk, with their error.
    mutating func finishBatch(unwritten rest: (removals: WriteBatch, cause: StoreError)? = nil) {
        writing = nil
        cause = rest?.cause
        guard let removals = rest?.removals, !waiting.removesAll else { return }
        let cost = removals.keys.reduce(0) { $0 + PendingOperation.remove.cost(for: $1) }
        unwritten = cost <= PendingWrites.unwrittenLimit ? removals : WriteBatch(removesAll: true)
    }

    /// Returns `true` if the caller has to start the writer: operations are pending, and no other caller has done so.
    mutating func callsWriter() -> Bool {
        guard !isWriterCalled, !waiting.isEmpty else { return false }
        isWriterCalled = true
        return true
    }

    /// Returns `true` if nothing is pending, so that the writer may stop. Later operations start it again.
    mutating func letsWriterGo() -> Bool {
        isWriterCalled = !waiting.isEmpty
        return !isWriterCalled
    }

    /// Called if the writer could not be started, so that a later operation starts it.
    mutating func forgetsWriter() { isWriterCalled = false }
}

extension WriteBatch {
    /// - Parameter changes: The metadata changes of later batches. This batch's change is inserted before them.
    fileprivate func find(_ key: StoreKey, _ changes: inout [MetadataChange]) -> PendingWrites.Finding? {
        switch operations[key] {
        case .store(let entry)?: return .entry(changes.reduce(entry) { $0.applying($1) }.stored)
        case .remove?: return .removed
        case .changeMetadata(let change)?: changes.insert(change, at: 0)
        case nil: break
        }
        return removesAll ? .removed : nil
    }
}
