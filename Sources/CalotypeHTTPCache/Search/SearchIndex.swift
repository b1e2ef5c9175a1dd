internal import CalotypeBase
internal import CalotypeHTTP

/// The URLs with whose keys the cache stores the responses of paths that have No-Vary-Search.
///
/// URLs whose responses are the same form a class: the canonical text of their queries. A class has the key of one URL.
/// The index is bounded; it returns the keys of forgotten classes, whose responses the cache then removes, so that an
/// invalidation of any URL of a class always reaches its responses.
final class SearchIndex: Sendable {
    /// A class that contains the query of a request.
    struct Match: Hashable, Sendable {
        let key: ByteString
        let variance: SearchVariance
    }

    /// The memory limit, in bytes, as an estimate.
    static let byteLimit = 16 << 20
    /// The maximum number of different fields of a path. Beyond it, the oldest is forgotten.
    static let fieldLimit = 4
    /// The number of classes for each field of a path after which those before them are forgotten.
    static let classLimit = 2048

    /// The classes of one field.
    private struct Classes {
        let variance: SearchVariance
        /// Two generations of keys by canonical query, so that forgetting takes no search.
        var recent: [ByteString: ByteString] = [:]
        var former: [ByteString: ByteString] = [:]

        mutating func use(_ canonical: ByteString) -> ByteString? {
            if let key = recent[canonical] { return key }
            guard let key = former.removeValue(forKey: canonical) else { return nil }
            recent[canonical] = key
            return key
        }

        mutating func remove(_ canonical: ByteString) -> ByteString? {
            let keys = (recent.removeValue(forKey: canonical), former.removeValue(forKey: canonical))
            return keys.0 ?? keys.1
        }

        var keys: [ByteString] { Array(recent.values) + former.values }
    }

    /// The fields of a path, the latest one last. A class, so that a change copies nothing.
    private final class Path {
        var fields: [Classes] = []
        /// The estimated memory, in bytes.
        var cost = 1_000
    }

    private struct State {
        /// Two generations of paths.
        var recent: [ByteString: Path] = [:]
        var former: [ByteString: Path] = [:]
        /// The estimated memory of the recent ones, in bytes.
        var cost = 0

        mutating func use(_ name: ByteString) -> Path? {
            if let path = recent[name] { return path }
            guard let path = former.removeValue(forKey: name) else { return nil }
            recent[name] = path
            cost += path.cost
            return path
        }

        /// Forgets the former paths if the recent ones take `limit` bytes, and returns their keys.
        mutating func age(_ limit: Int) -> [ByteString] {
            guard cost > limit else { return [] }
            defer { (former, recent, cost) = (recent, [:], 0) }
            return former.values.flatMap { $0.fields.flatMap(\.keys) }
        }
    }

    private let byteLimit: Int
    private let state = Locked(State())
    private let isUsed = AtomicInteger(0)

    init(byteLimit: Int = SearchIndex.byteLimit) {
        self.byteLimit = byteLimit
    }

    /// Returns the classes that contain the key's URL, those of the latest field first.
    func matches(_ key: ByteString) -> [Match] {
        guard isUsed.load() > 0, let key = SearchKey(key) else { return [] }
        let variances = state.withLock { $0.use(key.path)?.fields.map(\.variance) ?? [] }
        guard !variances.isEmpty else { return [] }
        // Outside the lock, because it takes time in proportion to the query.
        let texts = variances.reversed().map { ($0, $0.canonical(key.query)) }
        return state.withLock { state in
            guard let path = state.use(key.path) else { return [] }
            return texts.compactMap { variance, text in
                guard let index = path.fields.firstIndex(where: { $0.variance == variance }) else { return nil }
                return path.fields[index].use(text).map { Match(key: $0, variance: variance) }
            }
        }
    }

    /// Notes that the responses to a URL are stored under a key of its class.
    ///
    /// - Returns: The keys of forgotten classes, and the one that the class had before.
    func note(_ variance: SearchVariance, of asked: ByteString, storedAs key: ByteString) -> Set<ByteString> {
        guard let place = SearchKey(asked) else { return [] }
        let canonical = variance.canonical(place.query)
        return state.withLock { state in
            var gone: [ByteString] = []
            let path = state.use(place.path) ?? Path()
            let former = state.recent.updateValue(path, forKey: place.path) == nil ? 0 : path.cost
            var classes = Classes(variance: variance)
            if let position = path.fields.firstIndex(where: { $0.variance == variance }) {
                classes = path.fields.remove(at: position)
            } else {
                path.cost += Self.cost(classes)
            }
            if classes.use(canonical) != key {
                if let replaced = classes.remove(canonical) { gone.append(replaced) }
                classes.recent[canonical] = key
                path.cost += Self.cost(canonical, key)
            }
            if classes.recent.count > Self.classLimit {
                gone += classes.former.values
                (classes.former, classes.recent) = (classes.recent, [:])
            }
            path.fields.append(classes)
            if path.fields.count > Self.fieldLimit { gone += path.fields.removeFirst().keys }
            if !gone.isEmpty { path.cost = path.fields.reduce(1_000) { $0 + Self.cost($1) } }
            if path.cost > byteLimit / 4 {
                gone += path.fields.flatMap(\.keys)
                classes = Classes(variance: variance)
                classes.recent[canonical] = key
                (path.fields, path.cost) = ([classes], 1_000 + Self.cost(classes))
            }
            state.cost += path.cost - former
            gone += state.age(byteLimit / 2)
            isUsed.store(1)
            return Set(gone).subtracting([key])
        }
    }

    /// Forgets the classes of a URL whose latest response is not that of other URLs, except by `variance`.
    ///
    /// - Returns: The keys of the classes.
    func forget(_ asked: ByteString, but variance: SearchVariance?) -> Set<ByteString> {
        guard isUsed.load() > 0, let key = SearchKey(asked) else { return [] }
        return state.withLock { state in
            guard let path = state.use(key.path) else { return [] }
            var gone: Set<ByteString> = []
            for index in path.fields.indices where path.fields[index].variance != variance {
                let canonical = path.fields[index].variance.canonical(key.query)
                guard let found = path.fields[index].remove(canonical) else { continue }
                path.cost -= Self.cost(canonical, found)
                state.cost -= Self.cost(canonical, found)
                gone.insert(found)
            }
            return gone
        }
    }

    func removeAll() {
        state.withLock { $0 = State() }
        isUsed.store(0)
    }

    private static func cost(_ classes: Classes) -> Int {
        classes.variance.names.reduce(200) { $0 + 96 + $1.count }
            + classes.recent.reduce(0) { $0 + cost($1.key, $1.value) }
            + classes.former.reduce(0) { $0 + cost($1.key, $1.value) }
    }

    private static func cost(_ canonical: ByteString, _ key: ByteString) -> Int { 200 + canonical.count + key.count }
}
