/// What waits, by priority: one lane a level, first in first out (or last in first out) within a lane.
///
/// Push, pop, move and remove take constant time on average. An element that leaves its lane early stays behind as an
/// empty place until it is passed or until empty places outnumber the others.
///
/// Inlinable, so that each queue compiles it for its own elements.
package struct PriorityLanes<Element> {
    package typealias Ticket = UInt64

    package enum Order: Sendable { case firstInFirstOut, lastInFirstOut }

    /// Where an element stood when it came or was moved. `arrival` tells its present place from those it has left.
    @usableFromInline struct Spot {
        @usableFromInline let ticket: Ticket
        @usableFromInline let arrival: UInt64

        @inlinable init(ticket: Ticket, arrival: UInt64) {
            self.ticket = ticket
            self.arrival = arrival
        }
    }

    @usableFromInline struct Lane {
        @inlinable init() {}

        @usableFromInline var spots: [Spot] = []
        @usableFromInline var head = 0
    }

    @usableFromInline struct Place {
        @usableFromInline var element: Element
        @usableFromInline var priority: LoadPriority
        @usableFromInline var arrival: UInt64

        @inlinable init(element: Element, priority: LoadPriority, arrival: UInt64) {
            self.element = element
            self.priority = priority
            self.arrival = arrival
        }
    }

    @usableFromInline let order: Order
    @usableFromInline var lanes = [Lane](repeating: Lane(), count: LoadPriority.count)
    @usableFromInline var places: [Ticket: Place] = [:]
    @usableFromInline var lastArrival: UInt64 = 0

    @inlinable package init(order: Order = .firstInFirstOut) {
        self.order = order
    }

    @inlinable package var count: Int { places.count }
    @inlinable package var isEmpty: Bool { places.isEmpty }

    @discardableResult
    @inlinable package mutating func push(_ element: Element, priority: LoadPriority) -> Ticket {
        lastArrival += 1
        let ticket = lastArrival
        places[ticket] = Place(element: element, priority: priority, arrival: lastArrival)
        lanes[priority.rawValue].spots.append(Spot(ticket: ticket, arrival: lastArrival))
        return ticket
    }

    /// The most urgent element, left where it is.
    @inlinable package mutating func peek() -> (ticket: Ticket, element: Element)? {
        for level in lanes.indices.reversed() {
            if let ticket = frontTicket(ofLane: level), let place = places[ticket] { return (ticket, place.element) }
        }
        return nil
    }

    @inlinable package mutating func pop() -> Element? {
        guard let (ticket, _) = peek() else { return nil }
        return remove(ticket)
    }

    @discardableResult
    @inlinable package mutating func remove(_ ticket: Ticket) -> Element? {
        guard let place = places.removeValue(forKey: ticket) else { return nil }
        compact(place.priority.rawValue)
        return place.element
    }

    /// Moves the element to the end of the other lane. Nothing happens when it has left or is there already.
    @inlinable package mutating func move(_ ticket: Ticket, to priority: LoadPriority) {
        guard let place = places[ticket], place.priority != priority else { return }
        lastArrival += 1
        places[ticket] = Place(element: place.element, priority: priority, arrival: lastArrival)
        lanes[priority.rawValue].spots.append(Spot(ticket: ticket, arrival: lastArrival))
        compact(place.priority.rawValue)
    }

    @inlinable package mutating func removeAll() -> [Element] {
        defer { self = PriorityLanes(order: order) }
        return places.sorted { $0.key < $1.key }.map { $0.value.element }
    }

    /// Drops empty places at the end that is served, then answers who stands there.
    @inlinable mutating func frontTicket(ofLane level: Int) -> Ticket? {
        while let spot = endSpot(ofLane: level) {
            if isTaken(spot) { return spot.ticket }
            dropEnd(ofLane: level)
        }
        return nil
    }

    @inlinable func isTaken(_ spot: Spot) -> Bool { places[spot.ticket]?.arrival == spot.arrival }

    @inlinable func endSpot(ofLane level: Int) -> Spot? {
        guard lanes[level].head < lanes[level].spots.count else { return nil }
        return order == .firstInFirstOut ? lanes[level].spots[lanes[level].head] : lanes[level].spots.last
    }

    @inlinable mutating func dropEnd(ofLane level: Int) {
        if order == .firstInFirstOut { lanes[level].head += 1 } else { lanes[level].spots.removeLast() }
    }

    /// Keeps a lane no longer than twice what waits in all of them, and 64.
    @inlinable mutating func compact(_ level: Int) {
        guard lanes[level].spots.count > 64 + 2 * places.count else { return }
        lanes[level].spots = lanes[level].spots[lanes[level].head...].filter { isTaken($0) }
        lanes[level].head = 0
    }
}
