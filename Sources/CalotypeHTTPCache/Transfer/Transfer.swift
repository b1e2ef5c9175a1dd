internal import CalotypeBase
internal import CalotypeHTTP
internal import Foundation

/// A download that any number of readers follow, each at its own pace, while its bytes are gathered for the store. The
/// response is stored before a reader receives the last byte, so that the client's next request finds it.
final class Transfer: Sendable {
    /// A body at its end: all bytes, the bytes before an error, or `tooLarge` if bytes were dropped because they
    /// exceeded a memory limit or other transfers needed the memory.
    enum Gathered: Sendable {
        case whole([Data])
        case cutOff([Data])
        case tooLarge
    }

    /// Stores the gathered body. Called once, before the readers see the end.
    typealias Keeper = @Sendable (Gathered) async -> Void

    /// Fetches the body from an offset on, for a reader whose next bytes the transfer has dropped.
    typealias Rest = @Sendable (_ offset: Int) async throws(TransportError) -> HTTPBody

    /// The announced length of the body, or `nil` if only its end determines it.
    let expected: Int?
    private let state: Locked<TransferState>
    private let budget: GatheringBudget
    private let task = Locked<Task<Void, Never>?>(nil)
    private let onEnd: @Sendable (Transfer) -> Void
    private let outdated = Locked(false)

    /// - Parameter onEnd: Called, perhaps several times, when readers can no longer join.
    init(
        expected: Int?, drains: Bool, budget: GatheringBudget, onEnd: @escaping @Sendable (Transfer) -> Void
    ) {
        self.expected = expected
        self.budget = budget
        self.onEnd = onEnd
        state = Locked(TransferState(drains: drains))
    }

    /// - Parameter prefix: The stored part with which the body begins. If memory is too short for it, the body is not
    ///   stored and no further readers can join.
    func start(_ body: HTTPBody, after prefix: Data = Data(), keeper: @escaping Keeper) {
        if !prefix.isEmpty { gather(prefix) }
        let running = Task.detached { await self.run(body, keeper) }
        let isAbandoned = task.withLock { task in
            task = running
            return state.withLock { $0.isAbandoned }
        }
        if isAbandoned { running.cancel() }
    }

    /// Whether the key was removed or invalidated (RFC 9111 §4.4) during the transfer, which is then not stored.
    var isOutdated: Bool { outdated.withLock { $0 } }
    func markOutdated() { outdated.withLock { $0 = true } }

    // MARK: Readers

    /// Returns a body that reads from the beginning, or `nil` if readers can no longer join. If the transfer drops
    /// bytes that this reader needs, `rest` fetches the rest; without it, reading fails.
    func body(rest: Rest? = nil) -> HTTPBody? {
        state.withLock { $0.join() }.map { HTTPBody(TransferReader(self, $0, rest)) }
    }

    static func leftBehind(at offset: Int) -> TransportError {
        TransportError(
            .connectionLost, "the shared download left this slow reader behind after \(offset) bytes")
    }

    var isJoinable: Bool { state.withLock { $0.isJoinable } }

    var heldBytes: Int { state.withLock { $0.held.byteCount } }

    func hold() { state.withLock { $0.hold() } }
    func letGo() { perform(state.withLock { $0.letGo() }) }
    func leave(_ id: UInt64) { perform(state.withLock { $0.leave(id) }) }

    func next(for id: UInt64) async -> TransferState.Answer {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { reading in perform(state.withLock { $0.read(id, reading) }) }
        } onCancel: {
            leave(id)
        }
    }

    private func perform(_ wakes: TransferState.Wakes) {
        for (reading, answer) in wakes.readings { reading.resume(returning: answer) }
        if let (pump, goesOn) = wakes.pump { pump.resume(returning: goesOn) }
        if wakes.isAbandoned {
            task.withLock { $0 }?.cancel()
            onEnd(self)
        }
    }

    // MARK: The pump

    private func run(_ body: HTTPBody, _ keeper: @escaping Keeper) async {
        var iterator = body.makeAsyncIterator()
        do throws(TransportError) {
            while await isWanted() {
                guard let chunk = try await iterator.next() else { return await end(nil, keeper) }
                if try await endsWith(chunk, &iterator) { return await end(chunk, keeper) }
                gather(chunk)
            }
            await breakOff(.cancelled, keeper)
        } catch {
            await breakOff(error, keeper)
        }
    }

    private func isWanted() async -> Bool {
        await withUnsafeContinuation { pumping in perform(state.withLock { $0.pump(pumping, now: budget.now) }) }
    }

    /// Returns `true` if the chunk is the last. The caller holds it back until the body is stored, because a client
    /// that knows the length acts on the last byte.
    private func endsWith(_ chunk: Data, _ iterator: inout HTTPBody.Iterator) async throws(TransportError) -> Bool {
        guard let expected, state.withLock({ $0.held.received }) + chunk.count >= expected else { return false }
        let isExact = state.withLock { $0.held.received } + chunk.count == expected
        guard isExact, try await iterator.next() == nil else {
            throw TransportError(.malformedResponse, "the body is longer than the response announced")
        }
        return true
    }

    private func gather(_ chunk: Data) {
        if !budget.hold(heldBytes + chunk.count, for: self) { giveWay() }
        perform(state.withLock { $0.append(chunk) })
    }

    /// Stops gathering the body for the store; with a `limit`, only if the transfer has been idle since that time.
    /// Keeps only bytes that a reader still needs and that are at most ``TransferState/readAhead`` bytes behind the
    /// reader that has read the most.
    func giveWay(ifIdleSince limit: Duration? = nil) {
        let change = state.withLock { state -> (held: Int, wakes: TransferState.Wakes)? in
            guard limit.map({ state.isIdle(since: $0) }) ?? true else { return nil }
            let wakes = state.giveWay()
            return (state.held.byteCount, wakes)
        }
        guard let (held, wakes) = change else { return }
        budget.lower(self, to: held)
        onEnd(self)
        perform(wakes)
    }

    private func end(_ last: Data?, _ keeper: @escaping Keeper) async {
        let (received, chunks, keepsAll) = state.withLock { ($0.held.received, $0.held.chunks, $0.keepsAll) }
        let total = received + (last?.count ?? 0)
        guard expected == nil || expected == total else {
            return await breakOff(
                TransportError(.truncatedBody, "the body ended after \(total) of \(expected ?? 0) bytes"), keeper)
        }
        await keeper(keepsAll ? .whole(chunks + (last.map { [$0] } ?? [])) : .tooLarge)
        finish(.success(()), last)
    }

    private func breakOff(_ error: TransportError, _ keeper: @escaping Keeper) async {
        let (chunks, keepsAll) = state.withLock { ($0.held.chunks, $0.keepsAll) }
        // The keeper must run even if the pump's task has been cancelled.
        await Task.detached { await keeper(keepsAll ? .cutOff(chunks) : .tooLarge) }.value
        finish(.failure(error), nil)
    }

    private func finish(_ ending: Result<Void, TransportError>, _ last: Data?) {
        budget.giveBack(self)
        // Before the readers see the end, so that later requests find the stored response instead of this transfer.
        onEnd(self)
        perform(state.withLock { $0.end(ending, last: last) })
    }
}

private final class TransferReader: HTTPBodySource {
    private let transfer: Transfer
    private let id: UInt64
    private let fetchRest: Transfer.Rest?
    /// The rest of the body, once the transfer has dropped bytes that this reader needs.
    private let rest = Locked<HTTPBody.Iterator?>(nil)

    init(_ transfer: Transfer, _ id: UInt64, _ fetchRest: Transfer.Rest?) {
        self.transfer = transfer
        self.id = id
        self.fetchRest = fetchRest
    }

    deinit { transfer.leave(id) }

    func next() async throws(TransportError) -> Data? {
        if let rest = rest.withLock({ $0 }) { return try await next(of: rest) }
        switch await transfer.next(for: id) {
        case .chunk(let chunk): return chunk
        case .ended(let ending):
            try ending.get()
            return nil
        case .leftBehind(let offset):
            guard let fetchRest else { throw Transfer.leftBehind(at: offset) }
            return try await next(of: fetchRest(offset).makeAsyncIterator())
        }
    }

    private func next(of iterator: HTTPBody.Iterator) async throws(TransportError) -> Data? {
        var iterator = iterator
        defer { rest.withLock { $0 = iterator } }
        return try await iterator.next()
    }
}

/// Keeps a transfer from being abandoned before its waiters have become readers.
final class TransferHold: Sendable {
    let transfer: Transfer

    init(_ transfer: Transfer) {
        self.transfer = transfer
        transfer.hold()
    }

    deinit { transfer.letGo() }
}
