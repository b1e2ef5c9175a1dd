import Foundation
import Testing

@testable import CalotypeTransport

/// The bytes of a body on their way from curl to the reader.
struct BodyIntakeTests {
    private static let read = [UInt8]((0..<16 << 10).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) })
    private let limit = 32 << 10
    private let room = PieceRoom(limit: 2 * PieceRoom.pieceSize)

    /// Takes as many reads as fit into a turn, and hands them over.
    private func turn(_ intake: inout BodyIntake, reads: Int = .max) -> Data {
        var count = 0
        while count < reads, Self.read.withUnsafeBytes({ intake.take($0, limit: limit, expected: 0) }) { count += 1 }
        return intake.handOver()
    }

    /// Returns the intake of a body of which a piece has arrived, and its reader has it.
    private func longBody() -> BodyIntake {
        var intake = BodyIntake(room)
        while intake.received < PieceRoom.pieceSize { _ = turn(&intake, reads: 2) }
        return intake
    }

    @Test func `a body keeps to the limit until a piece of it has arrived`() {
        var intake = BodyIntake(room)
        while intake.received < PieceRoom.pieceSize - limit { #expect(turn(&intake).count == limit) }
        #expect(room.used == 0)
    }

    @Test func `a long body whose reader keeps pace arrives in large pieces, which count until they are released`() {
        var intake = longBody()
        var first: Data? = turn(&intake)
        #expect(first?.count == PieceRoom.pieceSize)
        #expect(first?.prefix(Self.read.count).elementsEqual(Self.read) == true)
        let second = turn(&intake)
        #expect(second.count == PieceRoom.pieceSize && room.used == 2)
        // Without room, the body keeps to its limit.
        #expect(turn(&intake).count == limit)
        first = nil
        #expect(room.used == 1)
        #expect(turn(&intake).count == PieceRoom.pieceSize)
        #expect(room.used == 1)
        withExtendedLifetime(second) {}
    }

    @Test func `a part of a piece keeps it for as long as a reader has the part`() {
        var intake = longBody()
        var part: Data? = turn(&intake).dropFirst(100).prefix(1)
        #expect(room.used == 1 && part?.first == Self.read[100])
        part = nil
        #expect(room.used == 0)
    }

    @Test func `the memory of a released piece serves the next one, until no transfer is left`() {
        var intake = longBody()
        var piece: Data? = turn(&intake)
        piece = nil
        #expect(room.spare == 1)
        piece = turn(&intake)
        #expect(room.spare == 0)
        room.rest()
        piece = nil
        #expect(piece == nil && room.spare == 0 && room.used == 0)
    }

    @Test func `a reader that is behind gets no large piece`() {
        var intake = longBody()
        intake.unread = 1
        #expect(turn(&intake).count == Self.read.count)
        intake.unread = limit
        #expect(turn(&intake).isEmpty)
        #expect(room.used == 0)
    }

    @Test func `a few bytes do not keep a large piece`() {
        var intake = longBody()
        _ = turn(&intake)
        let few = turn(&intake, reads: 1)
        #expect(few.elementsEqual(Self.read))
        #expect(room.used == 0)
        // Nor does the next turn begin with one.
        #expect(turn(&intake, reads: 2).count == limit)
        #expect(room.used == 0)
    }

    @Test func `a body of a transport without large pieces keeps to the limit`() {
        var intake = BodyIntake(nil)
        for _ in 0..<20 { #expect(turn(&intake).count == limit) }
    }

    @Test(arguments: [(0, true), (1, true), (2, false)])
    func `the intake knows whether one more read fits`(reads: Int, fits: Bool) {
        var intake = BodyIntake(room)
        for _ in 0..<reads { _ = Self.read.withUnsafeBytes { intake.take($0, limit: limit, expected: 0) } }
        #expect(intake.hasSpace(for: Self.read.count, limit: limit) == fits)
        #expect(Self.read.withUnsafeBytes { intake.take($0, limit: limit, expected: 0) } == fits)
    }
}
