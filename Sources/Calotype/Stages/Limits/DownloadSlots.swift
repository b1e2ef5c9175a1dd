import CalotypeBase
import CalotypeHTTP
import Foundation

extension Transport {
    /// Limits concurrent exchanges. Each holds a slot from before its request is sent until its body ends.
    ///
    /// Wraps the exchange directly, below the cache, so that stored responses need no slot. Once an exchange has its
    /// slot, it waits for nothing else in the loader but the body budget.
    ///
    /// - Parameter takesToken: Whether the loader's limit on requests per second applies.
    func limited(to slots: Limiter, _ budget: BodyBudget, takesToken: Bool = true) -> some Transport {
        SlotTransport(base: self, slots: slots, budget: budget, takesToken: takesToken)
    }
}

private struct SlotTransport<Base: Transport>: Transport {
    let base: Base
    let slots: Limiter
    let budget: BodyBudget
    let takesToken: Bool

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let slot: Slot
        do throws(Interruption) {
            try await slots.enter(takingToken: takesToken)
            slot = Slot(slots)
            try await budget.waitForSpace()
        } catch {
            throw error == .overloaded ? .overloaded : .cancelled
        }
        var response = try await base.send(request)
        // A body in memory or in a store needs no slot.
        if response.body.whole == nil, !response.body.isLazy { response.body = HTTPBody(SlotBody(response.body, slot)) }
        return response
    }
}

/// One of the slots, returned to the limiter with the last reference.
private final class Slot: Sendable {
    private let slots: Limiter

    init(_ slots: Limiter) { self.slots = slots }

    deinit { slots.leave() }
}

/// A body in transfer, which returns its slot when it ends or is released.
private final class SlotBody: HTTPBodySource {
    private struct Held {
        var body: HTTPBody
        let slot: Slot
    }

    private let held: Locked<Held?>

    init(_ body: HTTPBody, _ slot: Slot) {
        held = Locked(Held(body: body, slot: slot))
    }

    func next() async throws(TransportError) -> Data? {
        do throws(TransportError) {
            if let chunk = try await nextChunk() { return chunk }
        } catch {
            end()
            throw error
        }
        end()
        return nil
    }

    /// Returns the next chunk. All iterators of a body in transfer share one position, so each call can make a new one.
    private func nextChunk() async throws(TransportError) -> Data? {
        var chunks = held.withLock { $0?.body }?.makeAsyncIterator()
        return try await chunks?.next()
    }

    private func end() {
        var ended = held.withLock { held in
            defer { held = nil }
            return held
        }
        // Release the exchange before its slot.
        ended?.body = .empty
        ended = nil
    }
}
