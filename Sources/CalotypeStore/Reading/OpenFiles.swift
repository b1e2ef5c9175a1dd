import CalotypeBase

/// The files of the most recently used bodies, kept open so that many readers share one verification.
final class OpenFiles: Sendable {
    private struct Slot {
        let file: StoredFile
        var lastUse: UInt64
    }

    private struct State {
        var slots: [BlobName: Slot] = [:]
        var uses: UInt64 = 0
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) { self.limit = limit }

    subscript(name: BlobName) -> StoredFile? {
        state.withLock { state in
            state.uses += 1
            state.slots[name]?.lastUse = state.uses
            return state.slots[name]?.file
        }
    }

    func insert(_ file: StoredFile, _ name: BlobName) {
        // The evicted file is closed outside the lock.
        let old = state.withLock { state -> Slot? in
            state.uses += 1
            var old: Slot?
            if state.slots[name] == nil, state.slots.count >= limit,
                let longest = state.slots.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                old = state.slots.removeValue(forKey: longest.key)
            }
            state.slots[name] = Slot(file: file, lastUse: state.uses)
            return old
        }
        withExtendedLifetime(old) {}
    }

    func remove(_ name: BlobName) {
        let old = state.withLock { $0.slots.removeValue(forKey: name) }
        withExtendedLifetime(old) {}
    }

    /// Releases deleted files, which occupy disk space while they are open.
    func removeUnlinked() {
        let files = state.withLock { $0.slots }
        for (name, slot) in files where !slot.file.isLinked { remove(name) }
    }

    func removeAll() {
        let old = state.withLock { state in
            defer { state.slots = [:] }
            return state.slots
        }
        withExtendedLifetime(old) {}
    }
}
