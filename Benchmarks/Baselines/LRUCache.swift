/// A cache that evicts the least recently used key, like most image caches: the baseline for the library's cache.
struct LRUCache {
    private struct Link {
        var key: Int
        var older: Int
        var newer: Int
    }

    private static let none = -1
    private let capacity: Int
    private var places: [Int: Int] = [:]
    private var links: [Link] = []
    private var newest = none
    private var oldest = none

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Makes a key the most recently used one, adding it if it is missing. Returns `true` if the cache contained it.
    mutating func touch(_ key: Int) -> Bool {
        if let place = places[key] {
            detach(place)
            attach(place)
            return true
        }
        let place: Int
        if links.count < capacity {
            place = links.count
            links.append(Link(key: key, older: Self.none, newer: Self.none))
        } else {
            place = oldest
            detach(place)
            places[links[place].key] = nil
            links[place].key = key
        }
        places[key] = place
        attach(place)
        return false
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
