import CalotypeConcurrency
import CalotypeHTTP
import Foundation

extension Transport {
    /// Gives each exchange one of so many places, from before its request goes out until its body ends.
    ///
    /// Right above the exchange and below the cache: what is stored waits for no place. With its place an exchange waits
    /// for room in memory too, and for nothing else of ours.
    ///
    /// - Parameter takesToken: Whether the loader's limit on requests per second counts it.
    func placed(in places: Limiter, _ room: Room, takesToken: Bool = true) -> some Transport {
        PlacedTransport(base: self, places: places, room: room, takesToken: takesToken)
    }
}

private struct PlacedTransport<Base: Transport>: Transport {
    let base: Base
    let places: Limiter
    let room: Room
    let takesToken: Bool

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let place: Place
        do throws(Interruption) {
            try await places.enter(takingToken: takesToken)
            place = Place(places)
            try await room.waitForSpace()
        } catch {
            throw error == .overloaded ? .overloaded : .cancelled
        }
        var response = try await base.send(request)
        // A body that is there has ended.
        if response.body.whole == nil { response.body = HTTPBody(PlacedBody(response.body, place)) }
        return response
    }
}

/// One of the places, given back with the last reference.
private final class Place: Sendable {
    private let places: Limiter

    init(_ places: Limiter) { self.places = places }

    deinit { places.leave() }
}

/// A body on its way, which gives its place back when it ends or is released.
private final class PlacedBody: HTTPBodySource {
    private struct Held {
        var body: HTTPBody
        let place: Place
    }

    private let held: Locked<Held?>

    init(_ body: HTTPBody, _ place: Place) {
        held = Locked(Held(body: body, place: place))
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

    /// The body arrives: its iterators share their position.
    private func nextChunk() async throws(TransportError) -> Data? {
        var chunks = held.withLock { $0?.body }?.makeAsyncIterator()
        return try await chunks?.next()
    }

    private func end() {
        var ended = held.withLock { held in
            defer { held = nil }
            return held
        }
        // The exchange before its place.
        ended?.body = .empty
        ended = nil
    }
}
