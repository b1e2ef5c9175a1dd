import Testing

@testable import CalotypeServer

/// The condition of a far store.
struct FarBreakerTests {
    @Test func `five failures in a row open the breaker, and a success closes it`() {
        var breaker = FarBreaker()
        let before = (0..<4).map { _ in breaker.failed(at: .zero) } + [breaker.succeeded()]
        let again = (0..<4).map { _ in breaker.failed(at: .zero) }
        #expect(before == [nil, nil, nil, nil, nil] && again == [nil, nil, nil, nil] && !breaker.isOpen)
        let fifth = breaker.failed(at: .zero), sixth = breaker.failed(at: .zero)
        #expect(fifth == .opened && sixth == nil && breaker.isOpen)
        let (early, probe) = (breaker.permits(at: .milliseconds(999)), breaker.permits(at: .seconds(1)))
        #expect(!early && probe)
        let success = breaker.succeeded(), next = breaker.permits(at: .seconds(1))
        #expect(success == .closed && next && !breaker.isOpen)
    }

    @Test func `an open breaker permits a probe each second`() {
        var breaker = FarBreaker()
        for _ in 0..<5 { _ = breaker.failed(at: .zero) }
        let permitted = (0..<50).filter { breaker.permits(at: .milliseconds(100 * $0)) }
        #expect(permitted == [10, 20, 30, 40])
        let further = breaker.failed(at: .seconds(5))
        #expect(further == nil)
    }

    /// Returns the number of misses that look, of which the first ones find a page.
    private func lookups(_ pace: inout FarPace, of misses: Int, finds: Int) -> Int {
        var count = 0
        for _ in 0..<misses where pace.looks() {
            if count < finds { pace.found() }
            count += 1
        }
        return count
    }

    @Test(arguments: [(99, 62), (100, 1000)])
    func `every 16th miss looks if fewer than a tenth of 1,000 lookups find a page`(finds: Int, next: Int) {
        var pace = FarPace()
        let first = lookups(&pace, of: 1000, finds: finds), second = lookups(&pace, of: 1000, finds: 0)
        #expect(first == 1000 && second == next)
    }

    @Test func `pages that are found again restore the full pace`() {
        var pace = FarPace()
        let counts = [0, 1000, 0].map { lookups(&pace, of: 1000, finds: $0) }
        #expect(counts == [1000, 62, 1000])
    }
}
