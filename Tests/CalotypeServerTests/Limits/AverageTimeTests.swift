import Testing

@testable import CalotypeServer

struct AverageTimeTests {
    @Test func `the average is that of the first eight pieces, and known from then on`() {
        var average = AverageTime()
        #expect(average.value == nil)
        average.add(.seconds(8))
        for _ in 0..<6 { average.add(.zero) }
        #expect(!average.isKnown)
        average.add(.zero)
        #expect(average.isKnown && abs((average.value ?? .zero) / .seconds(1) - 1) < 1e-9)
    }

    @Test func `each further piece changes the average by an eighth of the difference`() {
        var average = AverageTime()
        for _ in 1...8 { average.add(.seconds(8)) }
        average.add(.zero)
        #expect(average.value == .seconds(7))
        average.add(.seconds(15))
        #expect(average.value == .seconds(8))
    }
}
