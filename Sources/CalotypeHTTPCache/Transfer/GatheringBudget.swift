internal import CalotypeBase

/// A limit on the memory for bodies in flight that are to be stored, per body and in total.
final class GatheringBudget: Sendable {
    private struct Share {
        var bytes: Int
        weak var owner: Transfer?
    }

    private struct State {
        var total = 0
        var shares: [ObjectIdentifier: Share] = [:]
        /// The time of the last search for idle transfers.
        var reclaimed = Duration.zero - patience
    }

    /// How long readers may pause a transfer before its bytes are freed because other transfers lack memory.
    static let patience = Duration.seconds(2)

    private let each: Int
    private let all: Int
    private let stopwatch: Stopwatch
    private let state = Locked(State())

    init(each: Int, all: Int, clock: any Clock<Duration> = ContinuousClock()) {
        self.each = each
        self.all = all
        stopwatch = Stopwatch(clock)
    }

    var now: Duration { stopwatch.elapsed() }

    /// Sets the number of bytes reserved for a transfer. If memory is short, first frees bytes of idle transfers, which
    /// are then not stored. Returns `false`, and keeps the previous reservation, if the bytes do not fit.
    ///
    /// - Parameter isWhole: Whether these are all bytes of the body, whose size has a limit.
    func hold(_ bytes: Int, for owner: Transfer, isWhole: Bool = true) -> Bool {
        guard !isWhole || bytes <= each else { return false }
        return take(bytes, for: owner) || reclaim(for: owner) && take(bytes, for: owner)
    }

    private func take(_ bytes: Int, for owner: Transfer) -> Bool {
        state.withLock { state in
            let id = ObjectIdentifier(owner)
            let share = state.shares[id]?.bytes ?? 0
            guard bytes - share <= all - state.total else { return false }
            state.shares[id] = Share(bytes: bytes, owner: owner)
            state.total += bytes - share
            return true
        }
    }

    /// Frees bytes of other, idle transfers. Because it checks all transfers, it runs at most once per `patience`.
    /// Returns `false` if it did not run or there are no other transfers.
    private func reclaim(for owner: Transfer) -> Bool {
        let now = now
        let others: [Transfer] = state.withLock { state in
            guard now - state.reclaimed >= Self.patience else { return [] }
            state.reclaimed = now
            return state.shares.values.compactMap(\.owner).filter { $0 !== owner }
        }
        for other in others { other.giveWay(ifIdleSince: now - Self.patience) }
        return !others.isEmpty
    }

    /// Reduces a reservation, unless it is smaller already or has been released.
    func lower(_ owner: Transfer, to bytes: Int) {
        state.withLock { state in
            guard let share = state.shares[ObjectIdentifier(owner)], bytes < share.bytes else { return }
            state.shares[ObjectIdentifier(owner)]?.bytes = bytes
            state.total += bytes - share.bytes
        }
    }

    func giveBack(_ owner: Transfer) {
        state.withLock { state in state.total -= state.shares.removeValue(forKey: ObjectIdentifier(owner))?.bytes ?? 0 }
    }
}
