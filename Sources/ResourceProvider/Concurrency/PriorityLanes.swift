/// What waits, by priority: one lane a level, first in first out (or last in first out) within a lane.
///
/// Push, pop, move and remove take constant time on average. An element that leaves its lane early stays behind as an
/// empty place until it is passed or until empty places outnumber the others.
package struct PriorityLanes<Element> {
    package typealias Ticket = UInt64

    package enum Order: Sendable { case firstInFirstOut, lastInFirstOut }

    private struct Lane {
        var tickets: [Ticket] = []
        var head = 0
    }

    private struct Place {
        var element: Element
        var priority: LoadPriority
    }

    private let order: Order
    private var lanes = [Lane](repeating: Lane(), count: LoadPriority.count)
    private var places: [Ticket: Place] = [:]
    private var nextTicket: Ticket = 0

    package init(order: Order = .firstInFirstOut) {
        self.order = order
    }

    package var count: Int { places.count }
    package var isEmpty: Bool { places.isEmpty }

    @discardableResult
    package mutating func push(_ element: Element, priority: LoadPriority) -> Ticket {
        nextTicket += 1
        places[nextTicket] = Place(element: element, priority: priority)
        lanes[priority.rawValue].tickets.append(nextTicket)
        return nextTicket
    }

    /// The most urgent element, left where it is.
    package mutating func peek() -> (ticket: Ticket, element: Element)? {
        for level in lanes.indices.reversed() {
            if let ticket = frontTicket(ofLane: level), let place = places[ticket] { return (ticket, place.element) }
        }
        return nil
    }

    package mutating func pop() -> Element? {
        guard let (ticket, _) = peek() else { return nil }
        return remove(ticket)
    }

    @discardableResult
    package mutating func remove(_ ticket: Ticket) -> Element? {
        guard let place = places.removeValue(forKey: ticket) else { return nil }
        compact(place.priority.rawValue)
        return place.element
    }

    /// Moves the element to the end of the other lane. Nothing happens when it has left or is there already.
    package mutating func move(_ ticket: Ticket, to priority: LoadPriority) {
        guard let place = places[ticket], place.priority != priority else { return }
        places[ticket]?.priority = priority
        lanes[priority.rawValue].tickets.append(ticket)
        compact(place.priority.rawValue)
    }

    package mutating func removeAll() -> [Element] {
        defer { self = PriorityLanes(order: order) }
        return places.sorted { $0.key < $1.key }.map(\.value.element)
    }

    /// Drops empty places at the end that is served, then answers who stands there.
    private mutating func frontTicket(ofLane level: Int) -> Ticket? {
        while let ticket = endTicket(ofLane: level) {
            if places[ticket]?.priority.rawValue == level { return ticket }
            dropEnd(ofLane: level)
        }
        return nil
    }

    private func endTicket(ofLane level: Int) -> Ticket? {
        guard lanes[level].head < lanes[level].tickets.count else { return nil }
        return order == .firstInFirstOut ? lanes[level].tickets[lanes[level].head] : lanes[level].tickets.last
    }

    private mutating func dropEnd(ofLane level: Int) {
        if order == .firstInFirstOut { lanes[level].head += 1 } else { lanes[level].tickets.removeLast() }
    }

    /// Keeps a lane no longer than twice what waits in all of them, and 64.
    private mutating func compact(_ level: Int) {
        guard lanes[level].tickets.count > 64 + 2 * places.count else { return }
        lanes[level].tickets = lanes[level].tickets[lanes[level].head...].filter {
            places[$0]?.priority.rawValue == level
        }
        lanes[level].head = 0
    }
}
