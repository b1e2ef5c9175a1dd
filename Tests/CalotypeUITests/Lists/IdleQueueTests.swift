import CalotypeTesting
import Requirements
import Testing
import Waiting

@testable import CalotypeUI

@MainActor
@Suite struct IdleQueueTests {
    private let clock = ManualClock()

    @Test(.requirement("S4.19", "C12")) func `rows start when the list has rested for 80 ms, newest first`() async {
        let queue = IdleQueue(clock: clock)
        var started: [Int] = []
        queue.noteScroll()
        for row in 1...3 { _ = queue.add { started.append(row) } }
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(50))
        queue.noteScroll()
        clock.advance(by: .milliseconds(30))
        // It checked, found the list still moving, and sleeps again.
        await clock.waitForSleepers(1)
        #expect(started.isEmpty)
        clock.advance(by: .milliseconds(50))
        await waitUntil { queue.waiting == 0 }
        #expect(started == [3, 2, 1])
    }

    @Test func `a row that is withdrawn does not start`() async throws {
        let queue = IdleQueue(clock: clock)
        var started: [Int] = []
        queue.noteScroll()
        let place = try #require(queue.add { started.append(1) })
        _ = queue.add { started.append(2) }
        queue.withdraw(place)
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(80))
        await waitUntil { queue.waiting == 0 }
        #expect(started == [2])
    }

    @Test func `while the list rests a row starts before add returns`() {
        let queue = IdleQueue(clock: clock)
        var hasStarted = false
        #expect(queue.add { hasStarted = true } == nil)
        #expect(hasStarted)
    }

    @Test func `a queue that is let go leaves no sleeper behind`() async {
        var queue: IdleQueue? = IdleQueue(clock: clock)
        queue?.noteScroll()
        _ = queue?.add {}
        await clock.waitForSleepers(1)
        queue = nil
        let clock = clock
        await waitUntil { clock.sleepers == 0 }
    }
}
