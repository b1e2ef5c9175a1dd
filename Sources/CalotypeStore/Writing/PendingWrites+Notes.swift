/// Notes of readers for the writer: uses, damaged or expired entries, and a damaged index.
extension PendingWrites {
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

    mutating func noteDiscard(_ name: BlobName) {
        if waiting.discards.count < PendingWrites.noteLimit { waiting.discards.insert(name) }
    }

    mutating func noteRepair() {
        waiting.repairs = true
    }
}
