/// An integer that threads read and change atomically, under a lock: Swift's atomics require iOS 18 and macOS 15.
///
/// A thread that reads the new value also sees every write made before the change.
@usableFromInline package struct AtomicInteger: ~Copyable, Sendable {
    @usableFromInline let number: Locked<Int>

    @inlinable package init(_ initial: Int) { number = Locked(initial) }

    @inlinable package func load() -> Int { number.withLock { $0 } }

    @inlinable package func store(_ new: Int) { number.withLock { $0 = new } }

    @inlinable package func add(_ summand: Int) -> Int {
        number.withLock { number in
            number &+= summand
            return number
        }
    }

    @inlinable package func raise(to new: Int) { number.withLock { $0 = max($0, new) } }

    @inlinable package func incrementUnlessZero() -> Bool {
        number.withLock { number in
            guard number > 0 else { return false }
            number += 1
            return true
        }
    }
}
