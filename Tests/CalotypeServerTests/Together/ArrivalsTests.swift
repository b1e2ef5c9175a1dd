import CalotypeBase
import Testing

@testable import CalotypeServer

/// The notes of requests that look for an original.
struct ArrivalsTests {
    @Test func `a request is expected until it has its decode, and again after that fails`() {
        let arrivals = Arrivals()
        let arrival = arrivals.expect(at: "a")
        #expect(arrivals.count == 1)
        arrival.end()
        #expect(arrivals.count == 0)
        arrival.beginAgain()
        #expect(arrivals.count == 1)
        arrival.remove()
        #expect(arrivals.count == 0)
    }

    @Test func `a request that has ended is not expected again`() {
        let arrivals = Arrivals()
        let arrival = arrivals.expect(at: "a")
        arrival.remove()
        arrival.beginAgain()
        #expect(arrivals.count == 0)
    }
}
