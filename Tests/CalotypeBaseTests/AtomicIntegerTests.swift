import CalotypeBase
import Testing

/// Holds an integer, as users do: `#expect` would copy it.
private final class Counter: Sendable {
    private let number: AtomicInteger

    init(_ number: Int) { self.number = AtomicInteger(number) }

    var value: Int { number.load() }
    func add(_ summand: Int) -> Int { number.add(summand) }
    func raise(to new: Int) { number.raise(to: new) }
    func store(_ new: Int) { number.store(new) }
    func incrementUnlessZero() -> Bool { number.incrementUnlessZero() }
}

@Suite struct AtomicIntegerTests {
    @Test func `additions from many tasks are all counted, and each sum is seen once`() async {
        let counter = Counter(0)
        let sums = await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 { group.addTask { (0..<1000).map { _ in counter.add(1) } } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(counter.value == 8000)
        #expect(Set(sums).count == 8000)
    }

    @Test func `a number that has reached 0 is not counted up again`() {
        let counter = Counter(1)
        #expect(counter.incrementUnlessZero())
        #expect(counter.add(-2) == 0)
        #expect(!counter.incrementUnlessZero())
        #expect(counter.value == 0)
    }

    @Test func `a number is raised, and never lowered that way`() {
        let counter = Counter(2)
        counter.raise(to: 1)
        #expect(counter.value == 2)
        counter.raise(to: 5)
        #expect(counter.value == 5)
        counter.store(3)
        #expect(counter.value == 3)
    }
}
