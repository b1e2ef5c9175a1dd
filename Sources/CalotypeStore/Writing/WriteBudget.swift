import CalotypeBase

/// How many bytes may wait for the writer. Callers that would exceed it wait.
final class WriteBudget: Sendable {
    private let room: WaitingRoom<Int, Int>

    init(limit: Int, waiterLimit: Int = 4096) {
        room = WaitingRoom(0, queueLimit: waiterLimit) { used, bytes in
            // More than the whole limit go alone.
            guard used <= 0 || bytes <= limit - used else { return false }
            used += bytes
            return true
        }
    }

    var used: Int { room.read { $0 } }
    var waiterCount: Int { room.waiting }

    /// Returns when there is room for so many bytes.
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
