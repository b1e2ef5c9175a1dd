import CalotypeBase
import CalotypeHTTP
import Foundation

/// Writes pages behind the requests, from a queue with a limit.
final class FarWriter: Sendable {
    /// The limit of the queue, in bytes of results.
    static let standardLimit = 64_000_000
    /// The number of pages that are written at the same time.
    private static let width = 4

    /// A result to write.
    struct Order: Sendable {
        let name: FarName
        /// The size of the result, in bytes.
        let size: Int
        /// Returns the page, or `nil` if the result is gone.
        let page: @Sendable () async -> FarPage?
        /// Called with the time of writing, in seconds since 1970.
        let onWritten: @Sendable (Int) async -> Void
    }

    private struct State {
        var queue = PriorityLanes<Order>()
        /// The names in the queue, and of the pages that are being written.
        var names: Set<FarName> = []
        var bytes = 0
        var tasks: [Int: Task<Void, Never>] = [:]
        var isStopped = false
        var breaker = FarBreaker()

        var isIdle: Bool { names.isEmpty }
    }

    private let store: FarStore
    private let limit: Int
    private let time: Stopwatch
    private let clock: any Clock<Duration>
    private let counters: FarCounters
    private let report: @Sendable (String) -> Void
    private let room = WaitingRoom<State, Void>(State()) { state, _ in state.isIdle }

    /// - Parameters:
    ///   - limit: The limit of the queue, in bytes of results.
    ///   - report: Called with a line for each change of the store's condition.
    init(
        _ store: FarStore, limit: Int, _ counters: FarCounters, _ clock: any Clock<Duration>,
        report: @escaping @Sendable (String) -> Void
    ) {
        (self.store, self.limit, self.counters, self.report) = (store, limit, counters, report)
        (self.clock, time) = (clock, Stopwatch(clock))
    }

    /// Adds a result to the queue, or drops it if there is no room for it.
    func add(_ order: Order) {
        let isTaken = room.update { state in
            guard !state.names.contains(order.name) else { return true }
            guard !state.isStopped, state.bytes + order.size <= limit else { return false }
            state.queue.push(order, priority: .low)
            state.names.insert(order.name)
            state.bytes += order.size
            counters.queuedBytes.store(state.bytes)
            startTask(&state)
            return true
        }
        if !isTaken { _ = counters.drops.add(1) }
    }

    /// Waits until the queue is empty, but no longer than a time; then stops.
    ///
    /// - Returns: The number of results that were dropped.
    @discardableResult func finish(within limit: Duration) async -> Int {
        try? await withTimeout(limit, clock: clock, timedOut: Interruption.timedOut, cancelled: .cancelled) {
            [room] () async throws(Interruption) in try await room.enter(())
        }
        return stop()
    }

    /// Drops the queue, and ends the exchanges in progress.
    ///
    /// - Returns: The number of results that were dropped.
    @discardableResult func stop() -> Int {
        let (dropped, tasks) = room.update { state in
            defer {
                (state.queue, state.isStopped) = (PriorityLanes(), true)
                state.names = []
                (state.bytes, state.tasks) = (0, [:])
                counters.queuedBytes.store(0)
            }
            return (state.names.count, Array(state.tasks.values))
        }
        for task in tasks { task.cancel() }
        _ = counters.drops.add(dropped)
        return dropped
    }

    // MARK: The queue

    /// Starts a task unless there are enough of them. Called under the lock.
    private func startTask(_ state: inout State) {
        guard let number = (0..<Self.width).first(where: { state.tasks[$0] == nil }) else { return }
        state.tasks[number] = Task.detached(priority: .utility) { [self] in
            while let order = next(number) {
                await write(order)
                end(order)
            }
        }
    }

    /// Returns the next order, or `nil` if the task with this number has to end.
    private func next(_ number: Int) -> Order? {
        room.update { state in
            let order = state.isStopped ? nil : state.queue.pop()
            if order == nil { state.tasks[number] = nil }
            return order
        }
    }

    private func end(_ order: Order) {
        room.update { state in
            guard !state.isStopped else { return }
            state.names.remove(order.name)
            state.bytes -= order.size
            counters.queuedBytes.store(state.bytes)
        }
    }

    // MARK: One page

    private func write(_ order: Order) async {
        let now = time.elapsed()
        guard store.reading.isOpen, room.update({ $0.breaker.permits(at: now) }) else {
            _ = counters.drops.add(1)
            return
        }
        guard let page = await order.page(), let data = page.encoded(for: order.name.key) else { return }
        do throws(TransportError) {
            try await store.objects.store(data, as: store.name(order.name.text))
            _ = counters.writes.add(1)
            await order.onWritten(page.written)
            if room.update({ $0.breaker.succeeded() }) == .closed { report("the far store can be written again") }
        } catch {
            // The end of the writer has counted it.
            if error.code != .cancelled { noteFailure(error) }
        }
    }

    private func noteFailure(_ error: TransportError) {
        _ = counters.failedWrites.add(1)
        let now = time.elapsed()
        if room.update({ $0.breaker.failed(at: now) }) == .opened {
            report("the far store cannot be written, and gets no results until it can: \(error)")
        }
    }
}
