@testable import CalotypeCodecs
import Testing

@Suite struct FrameTimingTests {
    @Test(
        arguments: [
            (0.05, 0.1, 50), (0.0, 0.1, 100), (nil, 0.1, 100), (nil, nil, 100), (0.01, 0.01, 100), (0.02, 0.1, 20),
            (-1, 0.25, 250), (.nan, 0.25, 250), (.infinity, nil, 100), (1e300, nil, 86_400_000),
        ] as [(Double?, Double?, Int)])
    func `a frame is shown as long as its file asks, and 100 ms where that is too short or unknown`(
        unclamped: Double?, clamped: Double?, milliseconds: Int
    ) {
        #expect(FrameTiming.duration(unclamped: unclamped, clamped: clamped) == .milliseconds(milliseconds))
    }

    @Test(arguments: [(nil, 1), (0, nil), (-1, nil), (1, 1), (7, 7)] as [(Int?, Int?)])
    func `an animation of which nothing is told plays once, and 0 is without end`(told: Int?, loops: Int?) {
        #expect(FrameTiming.loopCount(told: told) == loops)
    }
}
