import CalotypeHTTP
import Testing

@testable import Calotype

/// The ages that a program's own store may lead to.
struct ResponseAgeTests {
    @Test(arguments: [
        (0.25, Duration.milliseconds(250)), (-1, .zero), (.nan, .zero), (1e300, .seconds(1_000_000_000_000)),
        (.infinity, .seconds(1_000_000_000_000)),
    ])
    func `an age of any number of seconds is a duration`(seconds: Double, age: Duration) {
        let outcome = CacheOutcome(source: .fresh, age: seconds)
        #expect(Provenance(outcome, status: 200, isPersonal: false, assuming: nil, receivedAt: 0).age == age)
    }
}
