import CalotypeBase
import CalotypeTesting
import Testing

@Suite struct ManualClockTests {
    @Test func `a sleeper wakes when its time has come, not before`() async throws {
        let clock = ManualClock()
        let task = Task { try await clock.sleep(for: .seconds(3)) }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(2))
        #expect(clock.sleepers == 1)
        clock.advance(by: .seconds(1))
        try await task.value
        #expect(clock.sleepers == 0)
    }

    @Test func `a deadline that has passed does not sleep`() async throws {
        let clock = ManualClock()
        let start = clock.now
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: start.advanced(by: .seconds(5)), tolerance: nil)
        #expect(start.duration(to: clock.now) == .seconds(5))
    }

    @Test func `a cancelled sleeper wakes at once with an error`() async {
        let clock = ManualClock()
        let task = Task { try await clock.sleep(for: .seconds(3)) }
        await clock.waitForSleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleepers == 0)
    }

    @Test func `a task cancelled beforehand does not sleep`() async {
        let clock = ManualClock()
        let gate = Gate()
        let task = Task {
            await gate.wait()
            try await clock.sleep(for: .seconds(3))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `the time of day starts at a fixed date and advances with the clock`() {
        let clock = ManualClock()
        let wall = clock.wall
        #expect(wall.now == 1_767_225_600)
        clock.advance(by: .milliseconds(90_500))
        #expect(wall.now == 1_767_225_690.5)
    }
}
