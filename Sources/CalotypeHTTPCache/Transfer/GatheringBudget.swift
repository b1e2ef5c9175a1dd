internal import CalotypeConcurrency

/// How many bytes of unfinished bodies may lie in memory, for one body and for all.
final class GatheringBudget: Sendable {
    private struct State {
        var total = 0
        var shares: [ObjectIdentifier: Int] = [:]
    }

    private let each: Int
    private let all: Int
    private let state = Locked(State())

    init(each: Int, all: Int) {
        self.each = each
        self.all = all
    }

    /// - Returns: false where it does not fit; the owner then has nothing set aside any more.
    func take(_ bytes: Int, of owner: AnyObject) -> Bool {
        state.withLock { state in
            let id = ObjectIdentifier(owner)
            let share = state.shares[id] ?? 0
            guard bytes <= each - share, bytes <= all - state.total else {
                state.shares[id] = nil
                state.total -= share
                return false
            }
            state.shares[id] = share + bytes
            state.total += bytes
            return true
        }
    }

    func giveBack(_ owner: AnyObject) {
        state.withLock { state in state.total -= state.shares.removeValue(forKey: ObjectIdentifier(owner)) ?? 0 }
    }
}
