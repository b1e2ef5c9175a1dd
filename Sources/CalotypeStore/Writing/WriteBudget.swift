import CalotypeBase

/// The limit of the bytes that wait for the writer. A caller that would exceed it waits.
final class WriteBudget: Sendable {
    private let room: WaitingRoom<Int, Int>

    init(limit: Int, waiterLimit: Int = 4096) {
        room = WaitingRoom(0, queueLimit: waiterLimit) { used, bytes in
            // An operation larger than the whole limit is admitted when no other bytes are waiting.
            guard used <= 0 || bytes <= limit - used else { return false }
            used += bytes
            return true
        }
    }

    var used: Int { room.read { $0 } }
    var waiterCount: Int { room.waiting }

    /// Waits until there is room for these bytes. Throws `cancelled`, or `overloaded` if too many callers wait.
    func admit(_ bytes: Int) async throws(StoreError) {
        do throws(Interruption) {
            try await room.enter(bytes)
        } catch {
            throw error == .overloaded ? .overloaded : .cancelled
        }
    }

    func release(_ bytes: Int) {
        if bytes != 0 { room.update { $0 -= bytes } }
    }
}
