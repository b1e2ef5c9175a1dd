import Testing

@testable import CalotypeServer

struct QueuePaceTests {
    @Test func `the first rendition sets the pace, and idle time does not count`() {
        var pace = QueuePace()
        #expect(pace.time(for: 3) == nil)
        pace.begin(at: .seconds(100))
        pace.finish(at: .seconds(102))
        #expect(pace.time(for: 3) == .seconds(6))
        pace.begin(at: .seconds(500))
        pace.finish(at: .seconds(502))
        #expect(pace.time(for: 3) == .seconds(6))
    }

    @Test func `the pace is the average of the first eight renditions, and known from then on`() {
        var pace = QueuePace()
        pace.begin(at: .zero)
        pace.finish(at: .seconds(8))
        for _ in 0..<6 { pace.finish(at: .seconds(8)) }
        #expect(!pace.isKnown)
        pace.finish(at: .seconds(8))
        #expect(pace.isKnown && abs((pace.interval ?? .zero) / .seconds(1) - 1) < 1e-9)
    }

    @Test func `each further rendition changes the pace by an eighth of the difference`() {
        var pace = QueuePace()
        pace.begin(at: .zero)
        for number in 1...8 { pace.finish(at: .seconds(8 * number)) }
        pace.finish(at: .seconds(64))
        #expect(pace.interval == .seconds(7))
        pace.finish(at: .seconds(79))
        #expect(pace.interval == .seconds(8))
    }
}
