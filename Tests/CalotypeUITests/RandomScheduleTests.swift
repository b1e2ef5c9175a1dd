import Calotype
import CalotypeUI
import Requirements
import Testing

@Suite struct RandomScheduleTests {
    @Test(.requirement("S4.22", "C11")) func `in 10,000 random schedules a view never shows another request's image`()
        throws
    {
        let images = try (0..<4).map { _ in LoadedImage(bitmap: try .plain(1, 1), origin: .network) }
        for seed in 0..<10_000 {
            var schedule = RandomSchedule(seed: UInt64(seed), images: images)
            schedule.run(steps: 40)
            if let complaint = schedule.complaint {
                Issue.record("seed \(seed): \(complaint)")
                return
            }
        }
    }
}
