/// A number that threads read and change. Behind a lock: Swift's atomics need iOS 18 and macOS 15.
///
/// What was written before a change is seen by those who read the changed number.
@usableFromInline package struct AtomicInteger: ~Copyable, Sendable {
    private let number: Locked<Int>

    package init(_ initial: Int) {
        number = Locked(initial)
    }

    package func load() -> Int { number.withLock { $0 } }

    package func store(_ new: Int) { number.withLock { $0 = new } }

    /// Returns the sum.
    package func add(_ summand: Int) -> Int {
        number.withLock { number in
            number &+= summand
            return number
        }
    }

    /// Sets it to `new` if that is more.
    package func raise(to new: Int) { number.withLock { $0 = max($0, new) } }

    /// Adds 1, unless it is 0. Returns whether it did.
    package func incrementUnlessZero() -> Bool {
        number.withLock { number in
            guard number > 0 else { return false }
            number += 1
            return true
        }
    }
}
