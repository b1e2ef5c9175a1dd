/// What waits, by priority: one lane a level, first in first out (or last in first out) within a lane.
///
/// Push, pop, move and remove take constant time on average. An element that leaves its lane early stays behind as an
/// empty place until it is passed or until empty places outnumber the others.
package struct PriorityLanes<Element> {
    package typealias Ticket = UInt64

    package enum Order: Sendable { case firstInFirstOut, lastInFirstOut }

    /// Where an element stood when it came or was moved. `arrival` tells its present place from those it has left.
    private struct Spot {
        let ticket: Ticket
        let arrival: UInt64
    }

    private struct Lane {
        var spots: [Spot] = []
        var head = 0
    }

    private struct Place {
        var element: Element
        var priority: LoadPriority
        var arrival: UInt64
    }

    private let order: Order
    private var lanes = [Lane](repeating: Lane(), count: LoadPriority.count)
    private var places: [Ticket: Place] = [:]
    private var lastArrival: UInt64 = 0

    package init(order: Order = .firstInFirstOut) {
        self.order = order
    }

    package var count: Int { places.count }
    package var isEmpty: Bool { places.isEmpty }

    @discardableResult
    package mutating func push(_ element: Element, priority: LoadPriority) -> Ticket {
        lastArrival += 1
        let ticket = lastArrival
        places[ticket] = Place(element: element, priority: priority, arrival: lastArrival)
        lanes[priority.rawValue].spots.append(Spot(ticket: ticket, arrival: lastArrival))
        return ticket
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
        lastArrival += 1
        places[ticket] = Place(element: place.element, priority: priority, arrival: lastArrival)
        lanes[priority.rawValue].spots.append(Spot(ticket: ticket, arrival: lastArrival))
        compact(place.priority.rawValue)
    }

    package mutating func removeAll() -> [Element] {
        defer { self = PriorityLanes(order: order) }
        return places.sorted { $0.key < $1.key }.map(\.value.element)
    }

    /// Drops empty places at the end that is served, then answers who stands there.
    private mutating func frontTicket(ofLane level: Int) -> Ticket? {
        while let spot = endSpot(ofLane: level) {
            if isTaken(spot) { return spot.ticket }
            dropEnd(ofLane: level)
        }
        return nil
    }

    private func isTaken(_ spot: Spot) -> Bool { places[spot.ticket]?.arrival == spot.arrival }

    private func endSpot(ofLane level: Int) -> Spot? {
        guard lanes[level].head < lanes[level].spots.count else { return nil }
        return order == .firstInFirstOut ? lanes[level].spots[lanes[level].head] : lanes[level].spots.last
    }

    private mutating func dropEnd(ofLane level: Int) {
        if order == .firstInFirstOut { lanes[level].head += 1 } else { lanes[level].spots.removeLast() }
    }

    /// Keeps a lane no longer than twice what waits in all of them, and 64.
    private mutating func compact(_ level: Int) {
        guard lanes[level].spots.count > 64 + 2 * places.count else { return }
        lanes[level].spots = lanes[level].spots[lanes[level].head...].filter { isTaken($0) }
        lanes[level].head = 0
    }
}
