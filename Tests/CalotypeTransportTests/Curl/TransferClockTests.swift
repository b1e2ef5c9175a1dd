#if canImport(Glibc)
    import CalotypeHTTP
    import Testing

    @testable import CalotypeTransport

    @Suite struct TransferClockTests {
        private static let second: UInt64 = 1_000_000_000

        private func clock(countsPauses: Bool) -> TransferClock {
            var timeouts = HTTPRequest.Timeouts(total: .seconds(10))
            timeouts.countsPauses = countsPauses
            var clock = TransferClock(timeouts, now: 0)
            clock.connected(at: 0)
            return clock
        }

        private func error(_ clock: inout TransferClock, at seconds: UInt64, isPaused: Bool) -> TransportError? {
            clock.timeout(at: seconds * TransferClockTests.second, isPaused: isPaused, uploaded: 0, host: "host")
        }

        @Test func `the time for which a reader waits for room counts towards no timeout`() {
            var clock = clock(countsPauses: false)
            clock.paused(at: 2 * TransferClockTests.second)
            #expect(error(&clock, at: 100, isPaused: true) == nil)
            #expect(clock.deadline(isPaused: true) == .max)
            clock.resumed(at: 100 * TransferClockTests.second)
            #expect(error(&clock, at: 107, isPaused: false) == nil)
            #expect(error(&clock, at: 108, isPaused: false)?.code == .timedOut)
        }

        @Test func `other pauses count towards the timeout for the whole`() {
            var clock = clock(countsPauses: true)
            clock.paused(at: 2 * TransferClockTests.second)
            #expect(error(&clock, at: 9, isPaused: true) == nil)
            #expect(error(&clock, at: 10, isPaused: true)?.code == .timedOut)
        }
    }
#endif
