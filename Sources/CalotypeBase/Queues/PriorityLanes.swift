/// A priority queue with one lane per level, first in, first out (or last in, first out) within a lane.
///
/// Push, pop, move and remove take amortized constant time. An element removed from the middle leaves an empty slot in
/// its lane until the slot comes first or the lane is compacted.
///
/// Inlinable, so that clients specialize it for their elements.
@usableFromInline
package struct PriorityLanes<Element> {
    @usableFromInline package enum Order: Sendable { case firstInFirstOut, lastInFirstOut }

    /// The identity of a waiting element. It stays the same when the element moves to another lane.
    @usableFromInline package final class Ticket {
        /// The element, or `nil` if it has left.
        @usableFromInline var element: Element?
        @usableFromInline var priority: LoadPriority
        /// The arrival number of the element's current slot. Slots that the element has left have other numbers.
        @usableFromInline var arrival: UInt64

        @inlinable init(_ element: Element, _ priority: LoadPriority, arrival: UInt64) {
            self.element = element
            self.priority = priority
            self.arrival = arrival
        }
    }

    /// The slot that an element occupied when it arrived or was moved.
    @usableFromInline struct Spot {
        @usableFromInline let ticket: Ticket
        @usableFromInline let arrival: UInt64

        @inlinable init(_ ticket: Ticket) {
            self.ticket = ticket
            arrival = ticket.arrival
        }

        @inlinable var isTaken: Bool { ticket.element != nil && ticket.arrival == arrival }
    }

    @usableFromInline struct Lane {
        @inlinable init() {}

        @usableFromInline var spots: [Spot] = []
        @usableFromInline var head = 0
    }

    @usableFromInline let order: Order
    @usableFromInline var lanes = [Lane](repeating: Lane(), count: LoadPriority.count)
    @usableFromInline var lastArrival: UInt64 = 0
    @usableFromInline package internal(set) var count = 0

    @inlinable package init(order: Order = .firstInFirstOut) { self.order = order }

    @inlinable package var isEmpty: Bool { count == 0 }

    @discardableResult
    @inlinable package mutating func push(_ element: Element, priority: LoadPriority) -> Ticket {
        lastArrival += 1
        count += 1
        let ticket = Ticket(element, priority, arrival: lastArrival)
        lanes[priority.rawValue].spots.append(Spot(ticket))
        return ticket
    }

    @inlinable package mutating func peek() -> (ticket: Ticket, element: Element)? {
        guard let ticket = front(), let element = ticket.element else { return nil }
        return (ticket, element)
    }

    @inlinable package mutating func pop() -> Element? {
        guard let ticket = front() else { return nil }
        return remove(ticket)
    }

    @discardableResult
    @inlinable package mutating func remove(_ ticket: Ticket) -> Element? {
        guard let element = ticket.element else { return nil }
        ticket.element = nil
        count -= 1
        compact(ticket.priority.rawValue)
        return element
    }

    /// Moves the element to the end of another lane. Does nothing if the element has left or is already in that lane.
    @inlinable package mutating func move(_ ticket: Ticket, to priority: LoadPriority) {
        guard ticket.element != nil, ticket.priority != priority else { return }
        let former = ticket.priority
        lastArrival += 1
        ticket.priority = priority
        ticket.arrival = lastArrival
        lanes[priority.rawValue].spots.append(Spot(ticket))
        compact(former.rawValue)
    }

    /// Empties the queue and returns its elements, ordered by their arrival or last move.
    @inlinable package mutating func removeAll() -> [Element] {
        let spots = lanes.flatMap { $0.spots[$0.head...] }.filter { $0.isTaken }.sorted { $0.arrival < $1.arrival }
        self = PriorityLanes(order: order)
        return spots.compactMap { spot in
            defer { spot.ticket.element = nil }
            return spot.ticket.element
        }
    }

    /// Returns the ticket of the next element, or `nil` if all lanes are empty. Drops the empty slots before it.
    @inlinable mutating func front() -> Ticket? {
        guard count > 0 else { return nil }
        for level in lanes.indices.reversed() {
            while let spot = endSpot(ofLane: level) {
                if spot.isTaken { return spot.ticket }
                dropEnd(ofLane: level)
            }
        }
        return nil
    }

    @inlinable func endSpot(ofLane level: Int) -> Spot? {
        guard lanes[level].head < lanes[level].spots.count else { return nil }
        return order == .firstInFirstOut ? lanes[level].spots[lanes[level].head] : lanes[level].spots.last
    }

    @inlinable mutating func dropEnd(ofLane level: Int) {
        if order == .firstInFirstOut { lanes[level].head += 1 } else { lanes[level].spots.removeLast() }
    }

    @inlinable mutating func compact(_ level: Int) {
        guard lanes[level].spots.count > 64 + 2 * count else { return }
        lanes[level].spots = lanes[level].spots[lanes[level].head...].filter { $0.isTaken }
        lanes[level].head = 0
    }
}
