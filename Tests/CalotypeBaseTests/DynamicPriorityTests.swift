import CalotypeBase
import CalotypeTesting
import TestSupport
import Requirements
import Testing

struct DynamicPriorityTests {
    @Test(.requirement("B23")) func `observers see changes in order, and none for the same value again`() {
        let priority = DynamicPriority(.low)
        let seen = Log<LoadPriority>()
        let observer = Observer { seen.add(priority.value) }
        priority.add(observer)
        priority.value = .high
        priority.value = .high
        priority.value = .veryLow
        priority.remove(observer)
        priority.value = .normal
        #expect(seen.entries == [.high, .veryLow])
    }

    @Test(.requirement("B23")) func `of changes from many threads the observer has seen the last one in the end`() async
    {
        let priority = DynamicPriority(.normal)
        let latest = Locked(LoadPriority.normal)
        let observer = Observer { latest.withLock { $0 = priority.value } }
        priority.add(observer)
        let tasks = (0..<200).map { number in
            Task.detached { priority.value = LoadPriority(rawValue: number % 5) }
        }
        for task in tasks { await task.value }
        #expect(latest.withLock { $0 } == priority.value)
        priority.remove(observer)
    }

    @Test func `a priority outside the five levels is clamped`() {
        #expect(LoadPriority(rawValue: 9) == .veryHigh)
        #expect(LoadPriority(rawValue: -1) == .veryLow)
        #expect(LoadPriority.low < .normal)
    }

    @Test func `a child task finds the priority of the one that started it`() async {
        let priority = DynamicPriority(.high)
        let seen = await DynamicPriority.$current.withValue(priority) {
            await Task { DynamicPriority.current }.value
        }
        #expect(seen === priority)
        #expect(DynamicPriority.current == nil)
    }
}

private final class Observer: PriorityObserver {
    private let onChange: @Sendable () -> Void

    init(_ onChange: @escaping @Sendable () -> Void) { self.onChange = onChange }

    func priorityDidChange() { onChange() }
}
