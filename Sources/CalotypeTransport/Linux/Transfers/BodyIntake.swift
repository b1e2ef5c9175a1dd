import Foundation

/// The bytes of a body that have arrived in a turn of curl's loop, and have not been handed to the reader's side yet.
///
/// They are in memory of their own, up to a limit. A long body whose reader has taken everything so far gets a large piece
/// instead, if there is room for one: its reader, and the threads between both, then change places less often. A slow reader
/// keeps at most one such piece waiting here.
struct BodyIntake {
    private let room: PieceRoom?
    private var bytes = Data()
    private var piece: BodyPiece?
    /// Whether the last turn has filled enough of a large piece, so that the next one begins with one.
    private var isQuick = false
    /// The number of the body's bytes so far.
    private(set) var received = 0
    /// The number of bytes handed over that the reader had not taken then.
    var unread = 0

    init(_ room: PieceRoom?) { self.room = room }

    private var count: Int { piece?.count ?? bytes.count }

    /// Takes bytes. Returns `false`, and takes nothing, if the transfer has to wait for its reader.
    ///
    /// - Parameters:
    ///   - limit: The number of bytes that may wait for the reader outside of large pieces.
    ///   - expected: The size of the body if it is known and all of it is still to come, to reserve memory for a small one.
    mutating func take(_ new: UnsafeRawBufferPointer, limit: Int, expected: Int) -> Bool {
        if isQuick, piece == nil, bytes.isEmpty, mayGrow { piece = room?.take() }
        if let piece {
            guard piece.append(new) else { return false }
        } else if unread + bytes.count == 0 || unread + bytes.count + new.count <= limit {
            if bytes.isEmpty { bytes.reserveCapacity(max(new.count, min(expected, limit))) }
            bytes.append(contentsOf: new)
        } else {
            guard moveToPiece(with: new) else { return false }
        }
        received += new.count
        return true
    }

    private var mayGrow: Bool { unread == 0 && received >= PieceRoom.pieceSize }

    private mutating func moveToPiece(with new: UnsafeRawBufferPointer) -> Bool {
        guard mayGrow, bytes.count + new.count <= PieceRoom.pieceSize, let piece = room?.take() else { return false }
        guard bytes.withUnsafeBytes(piece.append), piece.append(new) else { return false }
        (self.piece, bytes) = (piece, Data())
        return true
    }

    /// Whether this number of further bytes would be taken.
    func hasSpace(for count: Int, limit: Int) -> Bool {
        if let piece { return count <= piece.space }
        if mayGrow, room != nil { return true }
        return unread + bytes.count + count <= limit
    }

    /// Returns the bytes of the turn, and begins the next one.
    mutating func handOver() -> Data {
        defer { (bytes, piece) = (Data(), nil) }
        guard let piece else {
            if !bytes.isEmpty { isQuick = false }
            return bytes
        }
        // Most of a piece would be empty for as long as its readers have it.
        isQuick = piece.count >= PieceRoom.pieceSize / 4
        return isQuick ? piece.shared : piece.copy
    }
}
