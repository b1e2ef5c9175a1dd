internal import CalotypeBase
internal import CalotypeHTTP
internal import Foundation

/// A download that any number of readers follow, each at its own pace, while its bytes are gathered for the store, or
/// passed to the store's writer. The response is stored before a reader receives the last byte, so that the client's next
/// request finds it.
final class Transfer: Sendable {
    /// A body at its end: all bytes or the bytes before an error, in memory or in a store's writer; or `tooLarge` if bytes
    /// were dropped because they exceeded a memory limit, other transfers needed the memory, or the writer failed.
    enum Gathered: Sendable {
        case whole([Data])
        case cutOff([Data])
        case streamed(StreamedBody, isComplete: Bool)
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
    /// The way to a store that takes the body while it arrives, until it is taken or has turned out to be closed.
    private let storing: Locked<StreamedStoring?>
    private let feed = Locked<BodyFeed?>(nil)
    private let task = Locked<Task<Void, Never>?>(nil)
    private let onEnd: @Sendable (Transfer) -> Void
    private let outdated = Locked(false)

    /// - Parameter onEnd: Called, perhaps several times, when readers can no longer join.
    init(
        expected: Int?, drains: Bool, budget: GatheringBudget, storing: StreamedStoring? = nil,
        onEnd: @escaping @Sendable (Transfer) -> Void
    ) {
        self.expected = expected
        self.budget = budget
        self.storing = Locked(storing)
        self.onEnd = onEnd
        state = Locked(TransferState(drains: drains))
    }

    /// - Parameters:
    ///   - prefix: The stored part with which the body begins. If memory is too short for it, the body is not stored and
    ///     no further readers can join.
    ///   - writer: The writer that gets the body from its first byte, if it is open already.
    ///   - stored: The number of the body's first bytes that come from the store, and not from the origin.
    func start(
        _ body: HTTPBody, after prefix: Data = Data(), writer: (any HTTPBodyWriter)? = nil, stored: Int = 0,
        keeper: @escaping Keeper
    ) {
        if let writer { write(to: writer, rushing: stored) }
        if !prefix.isEmpty { append(prefix) }
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

    /// Returns bytes that the reader needs from the writer, or `nil` if they cannot be read.
    func readBack(_ range: Range<Int>, for id: UInt64) async -> Data? {
        guard let feed = feed.withLock({ $0 }), let bytes = await feed.read(range) else { return nil }
        perform(state.withLock { $0.move(id, to: range.upperBound) })
        return bytes
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
                await openWriter(before: chunk)
                append(chunk)
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

    private func append(_ chunk: Data) {
        let feed = feed.withLock { $0 }
        if !budget.hold(heldBytes + chunk.count, for: self, isWhole: feed == nil) { giveWay() }
        perform(state.withLock { $0.append(chunk) })
        feed?.add([chunk])
    }

    /// Opens a writer of the store if the body is large enough with this chunk, and passes the bytes so far to it.
    private func openWriter(before chunk: Data) async {
        let (held, keeping) = state.withLock { ($0.held.byteCount, $0.keeping) }
        let due = storing.withLock { storing -> StreamedStoring? in
            guard let now = storing, keeping == .memory, held + chunk.count >= now.threshold else { return nil }
            storing = nil
            return now
        }
        guard let due, let writer = await due.open() else { return }
        write(to: writer, due)
    }

    private func write(to writer: any HTTPBodyWriter, rushing rushed: Int = 0) {
        if let storing = storing.withLock({ $0.take() }) { write(to: writer, storing, rushing: rushed) }
    }

    private func write(to writer: any HTTPBodyWriter, _ storing: StreamedStoring, rushing rushed: Int = 0) {
        let feed = BodyFeed(writer, storing) { [weak self] bytes in
            guard let self else { return }
            perform(state.withLock { $0.wrote(bytes) })
        } onFailure: { [weak self] error in
            storing.onProblem(error)
            self?.giveWay()
        }
        // Another transfer may have needed the memory while the writer was opened.
        let held = state.withLock { state in
            state.keeping == .memory ? state.write(isReadable: feed.isReadable, rushing: rushed) : nil
        }
        guard let held else { return }
        self.feed.withLock { $0 = feed }
        feed.add(held)
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
        feed.withLock { $0 }?.abandon()
        budget.lower(self, to: held)
        onEnd(self)
        perform(wakes)
    }

    private func end(_ last: Data?, _ keeper: @escaping Keeper) async {
        let total = state.withLock { $0.held.received } + (last?.count ?? 0)
        guard expected == nil || expected == total else {
            return await breakOff(
                TransportError(.truncatedBody, "the body ended after \(total) of \(expected ?? 0) bytes"), keeper)
        }
        await keeper(gathered(last, isComplete: true))
        finish(.success(()), last)
    }

    private func breakOff(_ error: TransportError, _ keeper: @escaping Keeper) async {
        // The keeper must run even if the pump's task has been cancelled.
        await Task.detached { await keeper(self.gathered(nil, isComplete: false)) }.value
        finish(.failure(error), nil)
    }

    private func gathered(_ last: Data?, isComplete: Bool) async -> Gathered {
        if let feed = feed.withLock({ $0 }) {
            if let last { feed.add([last]) }
            return await feed.finish().map { .streamed($0, isComplete: isComplete) } ?? .tooLarge
        }
        let (chunks, keeping) = state.withLock { ($0.held.chunks, $0.keeping) }
        guard keeping == .memory else { return .tooLarge }
        return isComplete ? .whole(chunks + (last.map { [$0] } ?? [])) : .cutOff(chunks)
    }

    private func finish(_ ending: Result<Void, TransportError>, _ last: Data?) {
        budget.giveBack(self)
        // Before the readers see the end, so that later requests find the stored response instead of this transfer.
        onEnd(self)
        perform(state.withLock { $0.end(ending, last: last) })
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
