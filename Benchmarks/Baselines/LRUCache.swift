/// A cache that evicts the least recently used keys, like most image caches: the baseline for the library's cache.
struct LRUCache {
    private struct Link {
        var key: Int
        var cost: Int
        var older: Int
        var newer: Int
    }

    private static let none = -1
    private let limit: Int
    private let costAfterTrim: Int
    private var cost = 0
    private var places: [Int: Int] = [:]
    private var links: [Link] = []
    private var free: [Int] = []
    private var newest = none
    private var oldest = none

    /// - Parameters:
    ///   - limit: The maximum total cost of the keys.
    ///   - trimRatio: The share of `limit` that remains when a key exceeds it, as in `DiskStoreOptions`. The default is
    ///     1: no more is evicted than necessary.
    init(limit: Int, trimRatio: Double = 1) {
        self.limit = limit
        costAfterTrim = Int(Double(limit) * trimRatio)
    }

    func contains(_ key: Int) -> Bool { places[key] != nil }

    /// Makes a key the most recently used one, adding it if it is missing and not too large. Returns `true` if the cache
    /// contained it.
    ///
    /// - Parameter added: The cost of the key if it is missing. The default is 1.
    @discardableResult
    mutating func touch(_ key: Int, cost added: Int = 1) -> Bool {
        if let place = places[key] {
            guard place != newest else { return true }
            detach(place)
            attach(place)
            return true
        }
        guard added <= costAfterTrim else { return false }
        let link = Link(key: key, cost: added, older: Self.none, newer: Self.none)
        let place: Int
        if let reused = free.popLast() {
            place = reused
            links[place] = link
        } else {
            place = links.count
            links.append(link)
        }
        places[key] = place
        attach(place)
        cost += added
        if cost > limit { trim() }
        return false
    }

    private mutating func trim() {
        while cost > costAfterTrim, oldest != Self.none {
            let place = oldest
            detach(place)
            places[links[place].key] = nil
            cost -= links[place].cost
            free.append(place)
        }
    }

    private mutating func detach(_ place: Int) {
        let link = links[place]
        if link.newer == Self.none { newest = link.older } else { links[link.newer].older = link.older }
        if link.older == Self.none { oldest = link.newer } else { links[link.older].newer = link.newer }
    }

    private mutating func attach(_ place: Int) {
        links[place].older = newest
        links[place].newer = Self.none
        if newest == Self.none { oldest = place } else { links[newest].newer = place }
        newest = place
    }
}
