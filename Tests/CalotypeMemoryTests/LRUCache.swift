/// A least recently used cache with a doubly linked list: the reference for the cache's hit ratios.
struct LRUCache {
    private var newer: [Int: Int] = [:]
    private var older: [Int: Int] = [:]
    private var newest: Int?
    private var oldest: Int?
    private var keys: Set<Int> = []
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Reads a key, and stores it if it is missing. Returns `true` if it was there.
    mutating func touch(_ key: Int) -> Bool {
        let isHit = keys.contains(key)
        if isHit { unlink(key) }
        if !isHit, keys.count == limit, let oldest {
            unlink(oldest)
            keys.remove(oldest)
        }
        keys.insert(key)
        if let newest { (newer[newest], older[key]) = (key, newest) } else { oldest = key }
        newest = key
        return isHit
    }

    private mutating func unlink(_ key: Int) {
        let (before, after) = (older.removeValue(forKey: key), newer.removeValue(forKey: key))
        if let before { newer[before] = after } else { oldest = after }
        if let after { older[after] = before } else { newest = before }
    }
}
