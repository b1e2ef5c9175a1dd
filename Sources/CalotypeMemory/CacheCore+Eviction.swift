import CalotypeBase

extension CacheCore {
    /// Evicts entries in SIEVE's order until the total cost and the number of entries are within `cost` and `count`.
    func makeRoom(
        in ledger: inout Ledger, cost: Int, count: Int, sparing spared: EntryQueue.Node? = nil,
        releasing released: inout [CacheItem]
    ) {
        while ledger.exceeds(cost: cost, count: count), let node = ledger.queue.candidate {
            let location = ledger.queue.location(of: node)
            if node != spared,
                let evicted = shards[location.shard].withLock({ $0.evictUnlessVisited(node, tag: location.tag) })
            {
                ledger.strikeOut(evicted, node)
                released.append(evicted)
            } else {
                ledger.queue.spareCandidate()
            }
        }
    }

    /// Advances the broom (see ``SieveQueue``) by one entry, and evicts the entry if it has gone unread for too
    /// many rounds.
    func sweep(in ledger: inout Ledger, releasing released: inout [CacheItem]) {
        guard let node = ledger.queue.sweep() else { return }
        let location = ledger.queue.location(of: node)
        guard let evicted = shards[location.shard].withLock({ $0.evictIfStale(node, tag: location.tag) }) else {
            return
        }
        ledger.strikeOut(evicted, node)
        released.append(evicted)
    }

    /// - Parameter target: Receives the current total cost and returns the cost that may remain.
    func trim(toCost target: (Int) -> Int) {
        var released: [CacheItem] = []
        ledger.withLock { ledger in
            let cost = max(target(ledger.cost), 0)
            // A target of 0 also evicts entries whose cost is 0.
            makeRoom(in: &ledger, cost: cost, count: cost == 0 ? 0 : .max, releasing: &released)
        }
        withExtendedLifetime(released) {}
    }

    var limits: CacheLimits { ledger.withLock { $0.limits } }

    func changeLimits(_ change: (inout MemoryCacheOptions) -> Void) {
        var released: [CacheItem] = []
        ledger.withLock { ledger in
            change(&ledger.limits.options)
            let count = ledger.limits.keepsNothing ? 0 : ledger.limits.count
            makeRoom(in: &ledger, cost: ledger.limits.cost, count: count, releasing: &released)
        }
        withExtendedLifetime(released) {}
    }
}

extension CacheCore.Ledger {
    func exceeds(cost: Int, count: Int) -> Bool { self.cost > cost || queue.count > count }

    fileprivate mutating func strikeOut(_ item: CacheItem, _ node: EntryQueue.Node) {
        queue.remove(node)
        cost -= item.cost
        evictions += 1
    }
}
