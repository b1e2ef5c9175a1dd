import Foundation

/// The operations that wait for the writer or are being written: what was stored is readable, and what was removed is
/// gone, before either is true on the disk.
///
/// Only the last operation for a key matters, so that is all it keeps. A value: its owner locks it.
struct PendingWrites {
    var waiting = WriteBatch()
    private(set) var writing: WriteBatch?
    /// Removals that did not reach the disk. Their entries are absent all the same, and a later batch takes them along.
    private(set) var unwritten = WriteBatch()
    /// The error because of which they did not.
    private(set) var cause: StoreError?
    /// Keys of `waiting.operations` in the order in which they came; `head` is the first that still waits.
    private var order: [(key: StoreKey, sequence: UInt64)] = []
    private var head = 0
    /// Grows with each operation, to know later what has been written.
    private(set) var lastSequence: UInt64 = 0
    private var lastUse: Int64 = .min
    private var isWriterCalled = false

    /// Touches and discards are worth little: beyond this many they are dropped.
    static let noteLimit = 4096

    /// The most bytes of removals to remember that did not reach the disk. Beyond it, everything is to be removed.
    static let unwrittenLimit = 1 << 20

    /// The state of a key without a look at the disk.
    enum Finding {
        case entry(StoredEntry)
        case removed
        /// Ask the disk; these changes of metadata have not got there yet.
        case unknown([MetadataChange])
    }

    /// The time as uses are counted: never the same twice, never going back.
    mutating func nextUse(_ now: Double) -> Int64 {
        lastUse = max(microseconds(now), lastUse == .min ? .min : lastUse + 1)
        return lastUse
    }

    // MARK: What callers ask

    /// - Returns: the cost of what it replaces, which is never written now.
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
        // The caller was admitted with the cost of `operation`, `old` was with its own; only `new` is still held.
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

    // MARK: What the writer takes

    /// A Boolean value indicating whether the disk lacks something that a caller asked for.
    var hasOperations: Bool {
        [waiting, writing, unwritten].contains {
            $0.map { $0.removesAll || !$0.operations.isEmpty || !$0.discards.isEmpty } ?? false
        }
    }

    /// Returns whether an operation waits that came no later than this one.
    func hasOperation(upTo sequence: UInt64) -> Bool {
        head < order.count && order[head].sequence <= sequence
    }

    /// The next batch: the oldest operations up to so many bytes, at least one, and the removals that failed before.
    ///
    /// - Parameter retries: Whether there is a batch where nothing but these removals waits.
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
        // What was taken goes once it is half of all, so that passing over it costs nothing in the end.
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

    /// - Parameter rest: the removals of the batch that did not reach the disk.
    mutating func finishBatch(unwritten rest: (removals: WriteBatch, cause: StoreError)? = nil) {
        writing = nil
        cause = rest?.cause
        guard let removals = rest?.removals, !waiting.removesAll else { return }
        let cost = removals.keys.reduce(0) { $0 + PendingOperation.remove.cost(for: $1) }
        unwritten = cost <= PendingWrites.unwrittenLimit ? removals : WriteBatch(removesAll: true)
    }

    /// Returns whether the writer is to be called: something waits and nobody has called it yet.
    mutating func callsWriter() -> Bool {
        guard !isWriterCalled, !waiting.isEmpty else { return false }
        isWriterCalled = true
        return true
    }

    /// Returns whether the writer, having been called, may go: who adds something after this calls it again.
    mutating func letsWriterGo() -> Bool {
        isWriterCalled = !waiting.isEmpty
        return !isWriterCalled
    }

    /// The writer did not come.
    mutating func forgetsWriter() { isWriterCalled = false }
}

extension WriteBatch {
    /// - Parameter changes: those of later batches; gets this one's as the first.
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
