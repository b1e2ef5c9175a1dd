import CalotypeBase
import CalotypeHTTP
import Foundation

/// The limit on the bytes that wait in memory to be decoded, whatever their source.
///
/// Servers and disks are faster than decoders: without a limit, a thousand concurrent requests would hold all of their
/// bodies in memory. A body that waits here holds only the bytes that it has received.
final class BodyBudget: Sendable {
    private let waiting: WaitingRoom<BodyBudgetState, Int>
    private let clock: any Clock<Duration>
    private let watch = Locked<Task<Void, Never>?>(nil)
    /// The time after which the first body of the queue, if it makes little progress, yields to the next body.
    private static let patience = Duration.seconds(1)

    init(limit: Int, queueLimit: Int, clock: any Clock<Duration>) {
        self.clock = clock
        waiting = WaitingRoom(BodyBudgetState(limit: limit), queueLimit: queueLimit) { state, bytes in
            state.begins(stored: bytes)
        }
    }

    deinit { watch.withLock { $0?.cancel() } }

    var bytes: Int { waiting.read { $0.bytes } }
    /// The number of bodies that wait to begin.
    var queue: Int { waiting.waiting }

    /// Waits until an exchange may begin.
    func waitForSpace() async throws(Interruption) { try await waiting.enter(0) }

    /// Returns whether an exchange may begin. If not, calls `wake` as soon as one may. For a queue that starts exchanges
    /// itself, and asks again only after that call.
    func mayBegin(orCall wake: @escaping @Sendable () -> Void) -> Bool {
        waiting.update { $0.mayBegin(orCall: wake) }
    }

    /// Waits until a stored body may be read, and counts its bytes from then on.
    func reserve(stored bytes: Int) async throws(Interruption) -> Reservation {
        try await waiting.enter(bytes)
        return Reservation(self, whole: bytes)
    }

    /// Counts an arriving body by the bytes that it has received.
    func reserveArrival() -> Reservation { Reservation(self, underWay: waiting.update { $0.begin() }) }

    /// Counts bytes that are in memory already.
    func reserve(_ bytes: Int) -> Reservation {
        waiting.update { $0.addWhole(bytes) }
        return Reservation(self, whole: bytes)
    }

    /// Reads a body only so that the store receives it. Meanwhile its bytes count against the limit like any other
    /// body.
    ///
    /// - Parameter limit: The number of bytes after which reading stops, because the store does not keep a longer body.
    func read(_ body: HTTPBody, limit: Int) async {
        let reservation = reserveArrival()
        var chunks = body.makeAsyncIterator()
        var received = 0
        while received <= limit, let chunk = try? await reservation.next(of: &chunks) { received += chunk.count }
    }

    private func change(_ body: (inout BodyBudgetState) -> BodyBudgetState.Turn?) {
        let (left, turns, wakers) = waiting.update { state in (body(&state), state.takeTurns(), state.takeWakers()) }
        for wake in wakers { wake() }
        left?.resume(returning: false)
        for turn in turns { turn.resume(returning: true) }
    }

    private func waitForTurn(_ id: UInt64) async throws(Interruption) {
        if waiting.read({ $0.mayReadOn(id) }) { return }
        let goesOn = await withTaskCancellationHandler {
            await withUnsafeContinuation { turn in
                if waiting.update({ $0.readsOn(id, turn) }) { return turn.resume(returning: true) }
                // The cancellation handler may have run before the turn was registered.
                if Task.isCancelled { change { $0.stopWaiting(id) } }
                watchTurns()
            }
        } onCancel: {
            change { $0.stopWaiting(id) }
        }
        guard goesOn else { throw .cancelled }
    }

    /// While bodies wait, checks once per `patience` whether the first body of the queue makes progress.
    private func watchTurns() {
        watch.withLock { watch in
            guard watch == nil else { return }
            watch = Task.detached { [weak self, clock] in
                while let mark = self?.turnToWatch() {
                    guard (try? await clock.sleep(for: BodyBudget.patience)) != nil else { return }
                    self?.change { state in
                        state.passTurn(since: mark)
                        return nil
                    }
                }
            }
        }
    }

    private func turnToWatch() -> BodyBudgetState.Mark? {
        watch.withLock { watch in
            let mark = waiting.read { $0.mark }
            if mark == nil { watch = nil }
            return mark
        }
    }
}

extension BodyBudget {
    /// The part of the budget that one body occupies, until the last reference is gone.
    final class Reservation: Sendable {
        private enum Kind {
            case underWay(UInt64)
            case whole(Int)
        }

        private let budget: BodyBudget
        private let kind: Locked<Kind>

        fileprivate init(_ budget: BodyBudget, underWay id: UInt64) {
            self.budget = budget
            kind = Locked(.underWay(id))
        }

        fileprivate init(_ budget: BodyBudget, whole bytes: Int) {
            self.budget = budget
            kind = Locked(.whole(bytes))
        }

        /// Returns the body's next chunk once this body may read on.
        func next(of body: inout HTTPBody.Iterator) async throws(TransportError) -> Data? {
            if case .underWay(let id) = kind.withLock({ $0 }) {
                do throws(Interruption) { try await budget.waitForTurn(id) } catch { throw .cancelled }
                guard let chunk = try await body.next() else { return nil }
                budget.change { state in
                    state.add(chunk.count, to: id)
                    return nil
                }
                return chunk
            }
            return try await body.next()
        }

        /// Counts the bytes of a body that broke off on, while they wait for an exchange that brings the rest. Readers of
        /// other bodies do not wait for it.
        ///
        /// - Returns: `false` if there is no room, so that the bytes have to be released.
        func hold() -> Bool {
            guard case .underWay(let id) = kind.withLock({ $0 }) else { return false }
            var isHeld = false
            budget.change { state in
                isHeld = state.hold(id)
                return nil
            }
            return isHeld
        }

        /// Takes the body's place among those in transfer again, after ``hold()``.
        func readOn() {
            guard case .underWay(let id) = kind.withLock({ $0 }) else { return }
            budget.change { state in
                state.release(id)
                return nil
            }
        }

        /// Records that the body is complete, with its length in bytes.
        func settle(_ bytes: Int) {
            let old = kind.withLock { kind in
                defer { kind = .whole(bytes) }
                return kind
            }
            budget.change { state in
                switch old {
                case .underWay(let id): return state.end(id, whole: bytes)
                case .whole(let earlier):
                    state.addWhole(bytes - earlier)
                    return nil
                }
            }
        }

        deinit {
            let kind = kind.withLock { $0 }
            budget.change { state in
                switch kind {
                case .underWay(let id): return state.end(id, whole: 0)
                case .whole(let bytes):
                    state.removeWhole(bytes)
                    return nil
                }
            }
        }
    }
}
