import CalotypeBase

/// The most recently used bodies' files, kept open so that many readers share one verification.
final class OpenFiles: Sendable {
    private struct Place {
        let file: StoredFile
        var lastUse: UInt64
    }

    private struct State {
        var places: [BlobName: Place] = [:]
        var uses: UInt64 = 0
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) {
        self.limit = limit
    }

    subscript(name: BlobName) -> StoredFile? {
        state.withLock { state in
            state.uses += 1
            state.places[name]?.lastUse = state.uses
            return state.places[name]?.file
        }
    }

    func insert(_ file: StoredFile, _ name: BlobName) {
        // The evicted file is closed outside the lock.
        let old = state.withLock { state -> Place? in
            state.uses += 1
            var old: Place?
            if state.places[name] == nil, state.places.count >= limit,
                let longest = state.places.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                old = state.places.removeValue(forKey: longest.key)
            }
            state.places[name] = Place(file: file, lastUse: state.uses)
            return old
        }
        withExtendedLifetime(old) {}
    }

    func remove(_ name: BlobName) {
        let old = state.withLock { $0.places.removeValue(forKey: name) }
        withExtendedLifetime(old) {}
    }

    /// Releases deleted files: until then, they occupy disk space.
    func removeUnlinked() {
        let files = state.withLock { $0.places }
        for (name, place) in files where !place.file.isLinked { remove(name) }
    }

    func removeAll() {
        let old = state.withLock { state in
            defer { state.places = [:] }
            return state.places
        }
        withExtendedLifetime(old) {}
    }
}
