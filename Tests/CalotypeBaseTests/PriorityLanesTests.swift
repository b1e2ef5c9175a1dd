import CalotypeBase
import CalotypeTesting
import Testing

struct PriorityLanesTests {
    private func drain(_ lanes: PriorityLanes<String>) -> [String] {
        var lanes = lanes
        var drained: [String] = []
        while let element = lanes.pop() { drained.append(element) }
        return drained
    }

    @Test func `the more urgent leaves first, and within a lane the one that came first`() {
        var lanes = PriorityLanes<String>()
        lanes.push("low", priority: .low)
        lanes.push("normal 1", priority: .normal)
        lanes.push("high", priority: .high)
        lanes.push("normal 2", priority: .normal)
        #expect(lanes.count == 4)
        #expect(drain(lanes) == ["high", "normal 1", "normal 2", "low"])
    }

    @Test func `last in, first out within a lane, if so ordered`() {
        var lanes = PriorityLanes<String>(order: .lastInFirstOut)
        lanes.push("1", priority: .normal)
        lanes.push("2", priority: .normal)
        lanes.push("urgent", priority: .veryHigh)
        #expect(drain(lanes) == ["urgent", "2", "1"])
    }

    @Test func `what moves goes to the end of its new lane`() {
        var lanes = PriorityLanes<String>()
        let first = lanes.push("first", priority: .low)
        lanes.push("second", priority: .high)
        lanes.move(first, to: .high)
        #expect(drain(lanes) == ["second", "first"])
    }

    @Test func `what moves away and back does not get its former place`() {
        var lanes = PriorityLanes<String>()
        let first = lanes.push("first", priority: .normal)
        lanes.push("second", priority: .normal)
        lanes.move(first, to: .high)
        lanes.move(first, to: .normal)
        #expect(drain(lanes) == ["second", "first"])
    }

    @Test func `what was removed is not served, and its ticket has no more use`() {
        var lanes = PriorityLanes<String>()
        let gone = lanes.push("gone", priority: .high)
        lanes.push("stays", priority: .low)
        #expect(lanes.remove(gone) == "gone")
        #expect(lanes.remove(gone) == nil)
        lanes.move(gone, to: .veryHigh)
        #expect(lanes.peek()?.element == "stays")
        #expect(drain(lanes) == ["stays"])
    }

    @Test func `all are handed out at once in order of arrival`() {
        var lanes = PriorityLanes<String>()
        lanes.push("1", priority: .low)
        lanes.push("2", priority: .high)
        #expect(lanes.removeAll() == ["1", "2"])
        #expect(lanes.isEmpty)
    }

    /// A model: an array searched for the most urgent entry, then the earliest.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `ten thousand random steps agree with a list that is searched`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var lanes = PriorityLanes<Int>()
        var model: [(ticket: PriorityLanes<Int>.Ticket, element: Int, priority: LoadPriority, arrival: Int)] = []
        for step in 0..<10_000 {
            let priority = LoadPriority(rawValue: Int.random(in: 0..<5, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2: model.append((lanes.push(step, priority: priority), step, priority, step))
            case 3...4:
                guard let index = model.indices.randomElement(using: &random) else { continue }
                lanes.move(model[index].ticket, to: priority)
                if model[index].priority != priority {
                    (model[index].priority, model[index].arrival) = (priority, step)
                }
            case 5:
                guard let index = model.indices.randomElement(using: &random) else { continue }
                let removed = model.remove(at: index)
                #expect(lanes.remove(removed.ticket) == removed.element)
            default:
                let first = model.indices.max {
                    (model[$0].priority, -model[$0].arrival) < (model[$1].priority, -model[$1].arrival)
                }
                #expect(lanes.pop() == first.map { model.remove(at: $0).element })
            }
        }
        #expect(lanes.count == model.count)
    }
}
