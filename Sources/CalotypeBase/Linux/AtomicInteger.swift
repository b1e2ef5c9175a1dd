public import Synchronization

/// An integer that threads read and change without a lock.
///
/// A thread that reads the new value also sees every write made before the change.
@usableFromInline package struct AtomicInteger: ~Copyable, Sendable {
    @usableFromInline let number: Atomic<Int>

    @inlinable package init(_ initial: Int) { number = Atomic(initial) }

    @inlinable package func load() -> Int { number.load(ordering: .acquiring) }

    @inlinable package func store(_ new: Int) { number.store(new, ordering: .releasing) }

    @inlinable package func add(_ summand: Int) -> Int {
        number.wrappingAdd(summand, ordering: .acquiringAndReleasing).newValue
    }

    @inlinable package func raise(to new: Int) { number.max(new, ordering: .acquiringAndReleasing) }

    @inlinable package func incrementUnlessZero() -> Bool {
        var known = number.load(ordering: .relaxed)
        while known > 0 {
            let attempt = number.weakCompareExchange(
                expected: known, desired: known + 1, ordering: .acquiringAndReleasing)
            if attempt.exchanged { return true }
            known = attempt.original
        }
        return false
    }
}
