import CalotypeBase
import CalotypeHTTP
import Foundation

/// How many bytes may lie in memory until they are decoded, whoever brings them.
///
/// Servers and disks are faster than decoders: without a bound, a thousand images asked for at once would all lie in
/// memory, waiting for their turn. A body that waits here holds nothing, but for what it has received itself.
final class Room: Sendable {
    private let waiting: WaitingRoom<RoomState, Int>
    private let clock: any Clock<Duration>
    private let watch = Locked<Task<Void, Never>?>(nil)
    /// After how long a body that brings little passes its turn on.
    private static let patience = Duration.seconds(1)

    init(limit: Int, queueLimit: Int, clock: any Clock<Duration>) {
        self.clock = clock
        waiting = WaitingRoom(RoomState(limit: limit), queueLimit: queueLimit) { state, bytes in
            state.begins(stored: bytes)
        }
    }

    deinit { watch.withLock { $0?.cancel() } }

    /// Bytes counted now.
    var bytes: Int { waiting.read { $0.bytes } }
    /// How many wait to begin.
    var queue: Int { waiting.waiting }

    /// Returns when an exchange may begin.
    func waitForSpace() async throws(Interruption) { try await waiting.enter(0) }

    /// Returns when so many stored bytes may be read, which count from then on.
    func share(stored bytes: Int) async throws(Interruption) -> Share {
        try await waiting.enter(bytes)
        return Share(self, whole: bytes)
    }

    /// Counts a body that begins to come, by what has come.
    func shareOfArrival() -> Share { Share(self, underWay: waiting.update { $0.begin() }) }

    /// Counts bytes that are there.
    func share(of bytes: Int) -> Share {
        waiting.update { $0.addWhole(bytes) }
        return Share(self, whole: bytes)
    }

    /// Reads a body that only the store needs. It counts as others do until it is stored.
    ///
    /// - Parameter limit: The bytes after which reading stops, because the body is not stored then.
    func read(_ body: HTTPBody, limit: Int) async {
        let share = shareOfArrival()
        var chunks = body.makeAsyncIterator()
        var received = 0
        while received <= limit, let chunk = try? await share.next(of: &chunks) { received += chunk.count }
    }

    /// Makes a change, and lets go on who may because of it.
    private func change(_ body: (inout RoomState) -> RoomState.Turn?) {
        let (left, turns) = waiting.update { state in (body(&state), state.takeTurns()) }
        left?.resume(returning: false)
        for turn in turns { turn.resume(returning: true) }
    }

    private func waitForTurn(_ id: UInt64) async throws(Interruption) {
        if waiting.read({ $0.mayReadOn(id) }) { return }
        let goesOn = await withTaskCancellationHandler {
            await withUnsafeContinuation { turn in
                if waiting.update({ $0.readsOn(id, turn) }) { return turn.resume(returning: true) }
                // The handler may have come before there was anything to stop.
                if Task.isCancelled { change { $0.stopWaiting(id) } }
                watchTurns()
            }
        } onCancel: {
            change { $0.stopWaiting(id) }
        }
        guard goesOn else { throw .cancelled }
    }

    /// While a body waits for another one to go on, that one has to bring enough.
    private func watchTurns() {
        watch.withLock { watch in
            guard watch == nil else { return }
            watch = Task.detached { [weak self, clock] in
                while let mark = self?.turnToWatch() {
                    guard (try? await clock.sleep(for: Room.patience)) != nil else { return }
                    self?.change { state in
                        state.passTurn(since: mark)
                        return nil
                    }
                }
            }
        }
    }

    private func turnToWatch() -> RoomState.Mark? {
        watch.withLock { watch in
            let mark = waiting.read { $0.mark }
            if mark == nil { watch = nil }
            return mark
        }
    }
}

extension Room {
    /// The part of the room that one body takes, until the last reference is gone.
    final class Share: Sendable {
        private enum Kind {
            case underWay(UInt64)
            case whole(Int)
        }

        private let room: Room
        private let kind: Locked<Kind>

        fileprivate init(_ room: Room, underWay id: UInt64) {
            self.room = room
            kind = Locked(.underWay(id))
        }

        fileprivate init(_ room: Room, whole bytes: Int) {
            self.room = room
            kind = Locked(.whole(bytes))
        }

        /// The body's next chunk, when it is this body's turn to read on.
        func next(of body: inout HTTPBody.Iterator) async throws(TransportError) -> Data? {
            if case .underWay(let id) = kind.withLock({ $0 }) {
                do throws(Interruption) { try await room.waitForTurn(id) } catch { throw .cancelled }
                guard let chunk = try await body.next() else { return nil }
                room.change { state in
                    state.add(chunk.count, to: id)
                    return nil
                }
                return chunk
            }
            return try await body.next()
        }

        /// The body is whole, with so many bytes.
        func settle(_ bytes: Int) {
            let old = kind.withLock { kind in
                defer { kind = .whole(bytes) }
                return kind
            }
            room.change { state in
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
            room.change { state in
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
