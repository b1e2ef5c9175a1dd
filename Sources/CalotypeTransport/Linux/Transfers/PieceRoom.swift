import CalotypeBase
import Foundation

/// The memory for large pieces of bodies, over all transfers of a transport. A piece counts from its first byte until the
/// last reader has released it, wherever it is in between.
final class PieceRoom: Sendable {
    /// The size of a piece, in bytes.
    static let pieceSize = 256 << 10
    /// The maximum number of released pieces whose memory is kept. Beyond these, the system clears the pages of new memory,
    /// which takes as long as copying bytes into them.
    private static let spareLimit = 8

    private struct State {
        var used = 0
        var spare: [PieceMemory] = []
        /// Whether there are transfers, which may need the memory again.
        var keepsSpare = false
    }

    private let limit: Int
    private let state = Locked(State())

    /// - Parameter limit: The size of all pieces together, in bytes.
    init(limit: Int) { self.limit = limit / Self.pieceSize }

    /// The number of pieces that have not been released.
    var used: Int { state.withLock { $0.used } }

    /// The number of pieces whose memory is kept for further ones.
    var spare: Int { state.withLock { $0.spare.count } }

    /// Returns an empty piece, or `nil` if all pieces are in use or memory runs out.
    func take() -> BodyPiece? {
        state.withLock { state in
            guard state.used < limit, let memory = state.spare.popLast() ?? PieceMemory() else { return nil }
            state.used += 1
            state.keepsSpare = true
            return BodyPiece(memory, self)
        }
    }

    fileprivate func giveBack(_ memory: PieceMemory) {
        state.withLock { state in
            state.used -= 1
            if state.keepsSpare, state.spare.count < Self.spareLimit { state.spare.append(memory) }
        }
    }

    /// Releases the kept memory, because no transfer is left.
    func rest() {
        state.withLock { ($0.spare, $0.keepsSpare) = ([], false) }
    }
}

/// A large piece of a body: one transfer fills it, and its readers then share its bytes without a copy.
final class BodyPiece {
    private let memory: PieceMemory
    private let room: PieceRoom
    private(set) var count = 0

    fileprivate init(_ memory: PieceMemory, _ room: PieceRoom) {
        self.memory = memory
        self.room = room
    }

    deinit { room.giveBack(memory) }

    /// The number of bytes that still fit.
    var space: Int { PieceRoom.pieceSize - count }

    /// Adds bytes. Returns `false`, and adds nothing, unless all of them fit.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= space else { return false }
        if let source = bytes.baseAddress { memcpy(memory.start + count, source, bytes.count) }
        count += bytes.count
        return true
    }

    /// A copy of the bytes, which keeps no piece.
    var copy: Data { Data(bytes: memory.start, count: count) }

    /// The bytes themselves, which keep the piece. Nothing may be appended afterwards.
    var shared: Data {
        Data(bytesNoCopy: memory.start, count: count, deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
    }
}

/// The memory of a piece.
// Unchecked: a piece and its room own it in turn, and nothing else refers to it.
private final class PieceMemory: @unchecked Sendable {
    let start: UnsafeMutableRawPointer

    init?() {
        guard let start = malloc(PieceRoom.pieceSize) else { return nil }
        self.start = start
    }

    deinit { free(start) }
}
