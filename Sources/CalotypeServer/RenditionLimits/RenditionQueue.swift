import CalotypeBase

/// The renditions that are being made, or wait for their turn: as many at a time as there are codec threads.
///
/// Each counts once, however many requests wait for it. A stored result is not among them, nor is a rendition whose
/// source has not arrived, so that silent origins leave room for others: `ImageLoaderOptions.queueLimit` bounds those.
///
/// The queue refuses a rendition at once if its client has as many as there are places left or, once the time of a rendition
/// is known, if its turn would come after its deadline. ``FairTurns`` has the rules.
final class RenditionQueue: Sendable {
    private struct State {
        var turns: FairTurns
        /// The gates of the renditions in the queue, by their numbers.
        var gates: [Int: Gate] = [:]

        /// Returns the gates of the renditions whose turns begin now.
        mutating func opening(at now: Duration) -> [Gate] {
            var open: [Gate] = []
            while let next = turns.next(at: now) { if let gate = gates[next] { open.append(gate) } }
            return open
        }
    }

    /// Lets one task through each time that it is opened.
    typealias Gate = WaitingRoom<Bool, Void>

    private let stopwatch: Stopwatch
    private let state: Locked<State>

    /// - Parameters:
    ///   - limit: The maximum number of renditions of a client that is alone, those in progress included. All clients
    ///     together have twice as many, and each as many as places are left.
    ///   - threads: The number of renditions in progress at a time.
    init(limit: Int, threads: Int, clock: any Clock<Duration>) {
        stopwatch = Stopwatch(clock)
        state = Locked(State(turns: FairTurns(limit: limit, threads: threads)))
    }

    /// The number of renditions in progress or waiting.
    var count: Int { state.withLock { $0.turns.count } }

    /// The number of renditions that have their turn, and of those that wait for it.
    var load: (inside: Int, waiting: Int) { state.withLock { $0.turns.load } }

    /// Throws if a rendition would be refused now: before its source is looked for, which may take long.
    ///
    /// - Parameter client: The client that asks, by its network.
    func checkRoom(for client: ByteString, within time: RenditionTime) throws(ServerError) {
        let left = time.left
        if let refusal = state.withLock({ refusal(of: client, $0, left) }) { throw refusal }
    }

    /// Runs `make` with a place in the queue, and with a turn that it takes once its source has been read.
    func run<Value>(
        for client: ByteString, within time: RenditionTime, _ make: (Turn) async throws(ServerError) -> Value
    ) async throws(ServerError) -> Value {
        let turn = try enter(client, time)
        do throws(ServerError) {
            let value = try await make(turn)
            leave(turn, isFinished: true)
            return value
        } catch {
            leave(turn, isFinished: error != .cancelled)
            throw error
        }
    }

    private func enter(_ client: ByteString, _ time: RenditionTime) throws(ServerError) -> Turn {
        let left = time.left
        let gate = Self.gate()
        let result: Result<Int, ServerError> = state.withLock { state in
            if let refusal = refusal(of: client, state, left) { return .failure(refusal) }
            let number = state.turns.enter(client)
            state.gates[number] = gate
            return .success(number)
        }
        return Turn(queue: self, number: try result.get(), gate: gate)
    }

    /// Creates a closed gate.
    static func gate() -> Gate {
        Gate(false) { isOpen, _ in
            defer { isOpen = false }
            return isOpen
        }
    }

    /// Makes one turn of those of several renditions, which share a decode: one whose turn has begun keeps it, and the others
    /// wait no longer. They take a turn for the rest of their work.
    func unite(_ turns: [Turn]) {
        let now = stopwatch.elapsed()
        let open = state.withLock { state in
            state.turns.unite(turns.map(\.number), at: now)
            for turn in turns where state.gates[turn.number] != nil { state.gates[turn.number] = turn.gate }
            return state.opening(at: now)
        }
        for gate in open { gate.update { $0 = true } }
    }

    private func leave(_ turn: Turn, isFinished: Bool) {
        let now = stopwatch.elapsed()
        let open = state.withLock { state in
            state.turns.leave(turn.number, isFinished: isFinished, at: now)
            state.gates[turn.number] = nil
            return state.opening(at: now)
        }
        for gate in open { gate.update { $0 = true } }
        // A decode that others have joined goes on without a place.
        turn.gate.update { $0 = true }
    }

    private func refusal(of client: ByteString, _ state: State, _ left: Duration) -> ServerError? {
        guard let refusal = state.turns.refusal(of: client, left: left) else { return nil }
        let turn = state.turns.wait(of: client)
        return switch refusal {
        case .full: .queueFull("the client has as many places in the queue as there are for it (--queue)", until: turn)
        case .late: .queueFull("the rendition's turn would come in \(turn), after its deadline in \(left)", until: turn)
        }
    }

    /// The turn of one rendition. Its decode takes it; a rendition whose image another one decodes takes it for the rest.
    struct Turn: WorkTurn {
        fileprivate let queue: RenditionQueue
        fileprivate let number: Int
        fileprivate let gate: Gate

        func take() async throws(Interruption) { try await take(isDecoded: false) }

        /// Waits for the turn of a rendition that holds its image.
        func takeForEncoding() async throws(Interruption) { try await take(isDecoded: true) }

        private func take(isDecoded: Bool) async throws(Interruption) {
            guard lineUp(isDecoded: isDecoded, at: gate) else { return }
            try await gate.enter(())
        }

        /// Lets the rendition wait for its turn at a gate that several share: it opens at the first turn of one of them, now
        /// if this one has begun.
        func lineUp(at shared: Gate) {
            guard !lineUp(isDecoded: false, at: shared) else { return }
            if queue.state.withLock({ $0.turns.hasTurn(number) }) { shared.update { $0 = true } }
        }

        private func lineUp(isDecoded: Bool, at gate: Gate) -> Bool {
            let (now, number) = (queue.stopwatch.elapsed(), number)
            let open: [Gate]? = queue.state.withLock { state in
                guard state.turns.lineUp(number, isDecoded: isDecoded) else { return nil }
                state.gates[number] = gate
                return state.opening(at: now)
            }
            for gate in open ?? [] { gate.update { $0 = true } }
            return open != nil
        }
    }
}

extension ServerError {
    /// Creates the error of a queue that makes no further rendition now.
    ///
    /// - Parameter turn: The time after which the queue has room again, as far as known.
    static func queueFull(_ reason: String, until turn: Duration) -> ServerError {
        let seconds = (turn / .seconds(1)).rounded(.up)
        return .queueFull(reason: reason, retryAfter: Int(min(max(seconds, 1), 60)))
    }
}
