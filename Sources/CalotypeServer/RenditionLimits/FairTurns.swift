import CalotypeBase

/// The renditions in a queue, and which of them is made next: while several clients wait, each gets an equal part of the
/// threads' time.
///
/// The method is start-time fair queueing (Goyal, Vin and Cheng, 1996). Each client has a tag, the time that its renditions
/// have taken, and the client with the lowest is next; its renditions are made in the order of their arrival. A client that
/// was away begins at the tag of the turn that began last, so that it saves up nothing, and is not behind either. A turn
/// costs what the client's renditions take on average until it has ended, and then what it has taken.
///
/// A client may have as many places as are free, and so leaves some to others, however much it asks for.
///
/// All times are from one stopwatch, which the caller reads.
struct FairTurns: Sendable {
    private enum Phase {
        /// Its source is read, or it has had its turn.
        case aside
        case waiting
        case inside(since: Duration, charge: Duration)
    }

    private struct Place {
        let client: ByteString
        var phase = Phase.aside
        /// The time of its turn; `nil` if it has had none.
        var time: Duration?
    }

    private struct Share {
        var places = 0
        /// The numbers of the renditions that wait for a turn, the oldest first.
        var waiting: [Int] = []
        var tag = Duration.zero
        var usual = AverageTime()
    }

    /// The number of places of a client that is alone.
    private let limit: Int
    private let threads: Int
    private var places: [Int: Place] = [:]
    private var shares: [ByteString: Share] = [:]
    private var lastNumber = 0
    private var inside = 0
    /// The numbers of those that wait and hold an image that another one's turn has decoded.
    private var decoded: Set<Int> = []
    /// The tag of the turn that began last.
    private var tag = Duration.zero
    private var usual = AverageTime()

    init(limit: Int, threads: Int) {
        self.limit = max(limit, 1)
        self.threads = max(threads, 1)
    }

    /// The number of renditions in progress or waiting.
    var count: Int { places.count }

    /// The number of renditions that have their turn, and of those that wait for it.
    var load: (inside: Int, waiting: Int) { (inside, shares.values.reduce(0) { $0 + $1.waiting.count }) }

    // MARK: Places

    enum Refusal: Hashable {
        /// The client has as many places as are free.
        case full
        /// The client's turn would come too late.
        case late
    }

    /// Returns why a further rendition of this client would be refused, if it would be.
    func refusal(of client: ByteString, left: Duration) -> Refusal? {
        if shares[client]?.places ?? 0 >= 2 * limit - places.count { return .full }
        return usual.isKnown && wait(of: client) > left ? .late : nil
    }

    /// Gives a rendition a place. Returns its number.
    mutating func enter(_ client: ByteString) -> Int {
        lastNumber += 1
        places[lastNumber] = Place(client: client)
        shares[client, default: Share()].places += 1
        return lastNumber
    }

    /// Takes the place of a rendition back, and ends its turn.
    ///
    /// - Parameter isFinished: `false` for a rendition that its clients have left, whose time shows nothing. One without a turn, such as
    ///   that of a damaged file, shows nothing either.
    mutating func leave(_ number: Int, isFinished: Bool, at now: Duration) {
        endTurn(of: number, at: now)
        guard let place = places.removeValue(forKey: number) else { return }
        shares[place.client]?.waiting.removeAll { $0 == number }
        decoded.remove(number)
        shares[place.client]?.places -= 1
        if isFinished, let time = place.time {
            usual.add(time)
            shares[place.client]?.usual.add(time)
        }
        forget(place.client)
    }

    /// Forgets a client without a place, unless it has had more than the others that wait.
    private mutating func forget(_ client: ByteString) {
        if places.isEmpty {
            (shares, tag) = ([:], .zero)
        } else if let share = shares[client], share.places == 0 {
            if share.tag <= tag { shares[client] = nil }
            if shares.count > 4 * limit { shares = shares.filter { $0.value.places > 0 } }
        }
    }

    // MARK: Turns

    /// Lets a rendition wait for its turn; see ``next(at:)``. Returns `false` if it waits for none: it has left, or its turn
    /// has begun.
    ///
    /// - Parameter isDecoded: Whether the rendition holds an image that another one's turn has decoded.
    mutating func lineUp(_ number: Int, isDecoded: Bool) -> Bool {
        guard let place = places[number], case .aside = place.phase, var share = shares[place.client] else {
            return false
        }
        places[number]?.phase = .waiting
        if share.waiting.isEmpty { share.tag = max(share.tag, tag) }
        // In the order of arrival, whenever their sources were ready.
        share.waiting.insert(number, at: share.waiting.firstIndex { $0 > number } ?? share.waiting.endIndex)
        shares[place.client] = share
        if isDecoded { decoded.insert(number) }
        return true
    }

    /// Whether the rendition has its turn.
    func hasTurn(_ number: Int) -> Bool {
        if case .inside = places[number]?.phase { true } else { false }
    }

    /// Begins the turn of the next rendition, and returns its number, if one waits and a thread is free.
    ///
    /// Besides the threads there is one turn for renditions that hold an image already: those that have a thread's turn may
    /// wait for its memory.
    mutating func next(at now: Duration) -> Int? {
        guard inside < threads || inside == threads && !decoded.isEmpty else { return nil }
        let candidates = shares.compactMap { client, share in
            let first = inside < threads ? share.waiting.first : share.waiting.first { decoded.contains($0) }
            return first.map { (share.tag, $0, client) }
        }
        guard let (start, number, client) = candidates.min(by: { ($0.0, $0.1) < ($1.0, $1.1) }) else { return nil }
        let charge = usualTime(of: client)
        inside += 1
        tag = max(tag, start)
        shares[client]?.waiting.removeAll { $0 == number }
        decoded.remove(number)
        shares[client]?.tag += charge
        places[number]?.phase = .inside(since: now, charge: charge)
        return number
    }

    /// Leaves one turn at most to several renditions, the first that has begun. The others wait for none any more.
    mutating func unite(_ numbers: [Int], at now: Duration) {
        var hasTurn = false
        for number in numbers {
            guard let place = places[number] else { continue }
            switch place.phase {
            case .aside: break
            case .waiting:
                shares[place.client]?.waiting.removeAll { $0 == number }
                decoded.remove(number)
                places[number]?.phase = .aside
            case .inside:
                if hasTurn { endTurn(of: number, at: now) }
                hasTurn = true
            }
        }
    }

    /// Ends the turn of a rendition, if it has one.
    private mutating func endTurn(of number: Int, at now: Duration) {
        guard var place = places[number], case .inside(let begun, let charge) = place.phase else { return }
        let time = now - begun
        inside -= 1
        shares[place.client]?.tag += time - charge
        place.time = time
        place.phase = .aside
        places[number] = place
    }

    // MARK: Times

    private func usualTime(of client: ByteString) -> Duration {
        shares[client]?.usual.value ?? usual.value ?? .zero
    }

    /// Returns the time after which a further rendition of this client would have its turn, as far as known.
    func wait(of client: ByteString) -> Duration {
        guard inside >= threads else { return .zero }
        var (own, others, firstOfOthers) = (Duration.zero, Duration.zero, Duration.zero)
        var clients = 1
        for (other, share) in shares where !share.waiting.isEmpty {
            let time = usualTime(of: other)
            if other == client {
                own = time * share.waiting.count
            } else {
                others += time * share.waiting.count
                firstOfOthers += time
                clients += 1
            }
        }
        // All that wait or, with an equal part of the threads, as much of the others' as of its own.
        let before = min(own + others, own * clients + firstOfOthers)
        return (before + (usual.value ?? .zero)) / threads
    }
}
