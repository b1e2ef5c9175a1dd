import CalotypeBase

/// The requests for each original that look for it: they will soon be results that can share its decode.
///
/// A decode that has its turn waits for those that came before it was begun, since requests that waited for the same
/// download go on one after the other.
final class Arrivals: Sendable {
    private let state = Locked<[ByteString: [ObjectIdentifier: Arrival]]>([:])

    /// The number of originals that requests look for.
    var count: Int { state.withLock { $0.count } }

    /// Notes a request for the original at this URL, until the returned object is ended.
    func expect(at url: ByteString) -> Arrival {
        let arrival = Arrival(at: url, of: self)
        begin(arrival)
        return arrival
    }

    /// Lets a decode wait for all requests for its original.
    ///
    /// - Parameter own: The request that begins the decode.
    func await(by decode: SharedDecode, at url: ByteString, besides own: Arrival) {
        state.withLock { state in
            for (_, arrival) in state[url] ?? [:] where arrival !== own {
                decode.willWait()
                arrival.waiting.withLock { $0.append(decode) }
            }
        }
    }

    fileprivate func begin(_ arrival: Arrival) {
        state.withLock { state in
            guard !arrival.isOver.withLock({ $0 }) else { return }
            state[arrival.url, default: [:]][ObjectIdentifier(arrival)] = arrival
        }
    }

    fileprivate func end(_ arrival: Arrival, forGood: Bool) {
        let waiting = state.withLock { state in
            if forGood { arrival.isOver.withLock { $0 = true } }
            state[arrival.url]?[ObjectIdentifier(arrival)] = nil
            if state[arrival.url]?.isEmpty == true { state[arrival.url] = nil }
            return arrival.waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
        }
        for decode in waiting { decode.waitsNoLonger() }
    }
}

/// The note of a request that looks for an original. The caller of ``Arrivals/expect(at:)`` removes it, on every path.
final class Arrival: Sendable {
    fileprivate let url: ByteString
    fileprivate let waiting = Locked<[SharedDecode]>([])
    fileprivate let isOver = Locked(false)
    private let arrivals: Arrivals

    fileprivate init(at url: ByteString, of arrivals: Arrivals) { (self.url, self.arrivals) = (url, arrivals) }

    /// Notes the request again, unless it has ended: its decode failed, and it will share another one.
    func beginAgain() { arrivals.begin(self) }

    /// Ends the note: the request has a result that waits for a decode. Does nothing the second time.
    func end() { arrivals.end(self, forGood: false) }

    /// Ends the note with its request.
    func remove() { arrivals.end(self, forGood: true) }
}

/// The time within which a result is to be made, and the note of its request.
struct SharingTerms: Sendable {
    let time: RenditionTime
    let arrival: Arrival
}
