import Testing

@testable import CalotypeListener

@Suite struct PaceMeterTests {
    private let second: UInt64 = 1_000_000_000

    @Test func `before a whole window has passed nothing is said`() {
        var meter = PaceMeter(window: 30 * second)
        meter.run(at: 0)
        meter.advance(to: 30 * second - 1)
        #expect(meter.lastWindow == nil)
        meter.advance(to: 30 * second)
        #expect(meter.lastWindow == 0)
    }

    @Test func `it counts the bytes of the last window and of none before`() {
        var meter = PaceMeter(window: 30 * second)
        meter.run(at: 0)
        for now in 1...100 as ClosedRange<UInt64> {
            meter.add(now <= 50 ? 1000 : 1)
            meter.advance(to: now * second)
            if now == 30 { #expect(meter.lastWindow == 30_000) }
        }
        #expect(meter.lastWindow == 30)
    }

    @Test func `time in which it does not run does not count`() {
        var meter = PaceMeter(window: 30 * second)
        meter.run(at: 0)
        meter.pause(at: 20 * second)
        #expect(meter.slidesAt == nil)
        meter.run(at: 1000 * second)
        meter.advance(to: 1009 * second)
        #expect(meter.lastWindow == nil)
        meter.advance(to: 1010 * second)
        #expect(meter.lastWindow == 0)
    }

    @Test func `it says when the window slides`() {
        var meter = PaceMeter(window: 30 * second)
        meter.run(at: 100 * second)
        #expect(meter.slidesAt == 105 * second)
        meter.advance(to: 107 * second)
        #expect(meter.slidesAt == 110 * second)
    }

    @Test func `after a long time without a look the window is empty`() {
        var meter = PaceMeter(window: 30 * second)
        meter.run(at: 0)
        meter.add(1_000_000)
        meter.advance(to: 1_000_000 * second)
        #expect(meter.lastWindow == 0)
    }
}
