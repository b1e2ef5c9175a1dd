import CalotypeBase
import Testing

@Suite struct TrafficPeakTests {
    @Test func `traffic calms down once after each peak`() {
        var traffic = TrafficPeak(least: 4)
        var calm: [Bool] = []
        for _ in 0..<8 { traffic.begin() }
        calm.append(traffic.hasCalmedDown())
        for _ in 0..<5 { traffic.end() }
        calm.append(traffic.hasCalmedDown())
        #expect(traffic.inFlight == 3)
        traffic.end()
        calm.append(traffic.hasCalmedDown())
        calm.append(traffic.hasCalmedDown())
        for _ in 0..<2 { traffic.begin() }
        for _ in 0..<4 { traffic.end() }
        calm.append(traffic.hasCalmedDown())
        #expect(calm == [false, false, true, false, true])
    }

    @Test func `a maximum below the least does not count`() {
        var traffic = TrafficPeak(least: 2)
        traffic.begin()
        traffic.end()
        let isCalm = traffic.hasCalmedDown()
        #expect(!isCalm)
    }
}
