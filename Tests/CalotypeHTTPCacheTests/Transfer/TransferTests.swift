import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing
import Waiting

@testable import CalotypeHTTPCache

/// A body that delivers and counts its chunks, each after passing the gate.
final class GatedSource: HTTPBodySource {
    private let chunks: [Data]
    private let failure: TransportError?
    private let gate: Gate
    private let position = Locked(0)

    init(_ chunks: [Data], gate: Gate = Gate(isOpen: true), failure: TransportError? = nil) {
        self.chunks = chunks
        self.gate = gate
        self.failure = failure
    }

    var handedOut: Int { position.withLock { $0 } }

    func next() async throws(TransportError) -> Data? {
        await gate.wait()
        if Task.isCancelled { throw .cancelled }
        let place = position.withLock { position in
            defer { position += 1 }
            return position
        }
        if place < chunks.count { return chunks[place] }
        if let failure { throw failure }
        return nil
    }
}

/// The results that a transfer handed over to the store.
final class Kept: Sendable {
    let all = Locked([String]())
    let gate: Gate

    init(gate: Gate = Gate(isOpen: true)) { self.gate = gate }

    func keep(_ gathered: Transfer.Gathered) async {
        await gate.wait()
        let text =
            switch gathered {
            case .whole(let chunks): "whole \(chunks.reduce(0) { $0 + $1.count })"
            case .cutOff(let chunks): "cut off \(chunks.reduce(0) { $0 + $1.count })"
            case .streamed(let body, let isComplete): "streamed \(body.length)\(isComplete ? "" : " cut off")"
            case .tooLarge: "too large"
            }
        all.withLock { $0.append(text) }
    }

    var words: [String] { all.withLock { $0 } }
}

@Suite struct `A transfer` {
    private func transfer(
        expected: Int? = nil, drains: Bool = false, limit: Int = 1 << 20, ended: Gate = Gate()
    ) -> Transfer {
        Transfer(expected: expected, drains: drains, budget: GatheringBudget(each: limit, all: limit)) { _ in
            ended.open()
        }
    }

    private func chunks(_ count: Int, of size: Int = 1000) -> [Data] {
        (0..<count).map { Data(repeating: UInt8($0 % 251), count: size) }
    }

    @Test func `gives every reader the body from its beginning`() async throws {
        let transfer = transfer()
        let kept = Kept()
        let first = try #require(transfer.body())
        transfer.start(HTTPBody(GatedSource(chunks(5))), keeper: kept.keep)
        let one = try await first.collect()
        let second = try #require(transfer.body())
        #expect(one == chunks(5).reduce(Data(), +))
        #expect(try await second.collect() == one)
        #expect(kept.words == ["whole 5000"])
    }

    @Test func `holds back the last bytes until the body is stored`() async throws {
        let transfer = transfer(expected: 3000)
        let storing = Gate()
        let kept = Kept(gate: storing)
        let body = try #require(transfer.body())
        transfer.start(HTTPBody(GatedSource(chunks(3))), keeper: kept.keep)
        var reader = body.makeAsyncIterator()
        _ = try await reader.next()
        _ = try await reader.next()
        await storing.waitForWaiters(1)
        #expect(kept.words == [])
        storing.open()
        #expect(try await reader.next() != nil)
        #expect(kept.words == ["whole 3000"])
        #expect(try await reader.next() == nil)
    }

    @Test func `asks the origin only a little further than its fastest reader has come`() async throws {
        let source = GatedSource(chunks(100, of: 64 << 10))
        let transfer = transfer(limit: 100 << 20)
        let kept = Kept()
        let body = try #require(transfer.body())
        transfer.start(HTTPBody(source), keeper: kept.keep)
        var reader = body.makeAsyncIterator()
        var read = 0
        while try await reader.next() != nil {
            read += 1
            #expect(source.handedOut <= read + (TransferState.readAhead >> 16) + 1)
        }
        #expect(read == 100)
    }

    @Test func `ends when its last reader leaves, and hands over what has come`() async throws {
        let origin = Gate()
        let ended = Gate()
        let transfer = transfer(ended: ended)
        let kept = Kept()
        var body = transfer.body()
        transfer.start(HTTPBody(GatedSource(chunks(5), gate: origin)), keeper: kept.keep)
        origin.open(count: 2)
        var reader = body?.makeAsyncIterator()
        _ = try await reader?.next()
        _ = try await reader?.next()
        body = nil
        reader = nil
        await ended.wait()
        #expect(transfer.body() == nil)
        await waitUntil { !kept.words.isEmpty }
        #expect(kept.words == ["cut off 2000"])
    }

    @Test func `goes on while one reader stays`() async throws {
        let origin = Gate()
        let transfer = transfer()
        let kept = Kept()
        let staying = try #require(transfer.body())
        var leaving = transfer.body()
        transfer.start(HTTPBody(GatedSource(chunks(4), gate: origin)), keeper: kept.keep)
        leaving = nil
        _ = leaving
        origin.open()
        #expect(try await staying.collect().count == 4000)
        #expect(kept.words == ["whole 4000"])
    }

    @Test func `waits for a reader that is held, and not longer`() async throws {
        let ended = Gate()
        let transfer = transfer(ended: ended)
        let kept = Kept()
        var hold: TransferHold? = TransferHold(transfer)
        transfer.start(HTTPBody(GatedSource(chunks(2), gate: Gate())), keeper: kept.keep)
        #expect(transfer.isJoinable)
        #expect(hold != nil)
        hold = nil
        await ended.wait()
        #expect(!transfer.isJoinable)
    }

    @Test func `that drains needs no reader`() async throws {
        let ended = Gate()
        let transfer = transfer(drains: true, ended: ended)
        let kept = Kept()
        transfer.start(HTTPBody(GatedSource(chunks(3))), keeper: kept.keep)
        await ended.wait()
        #expect(kept.words == ["whole 3000"])
    }

    @Test func `too large to keep goes on to its readers and takes no new ones`() async throws {
        let source = GatedSource(chunks(100, of: 64 << 10))
        let transfer = transfer(limit: 200_000)
        let kept = Kept()
        let whole = chunks(100, of: 64 << 10).reduce(Data(), +)
        // If one reader runs first, the other may be too slow.
        let rest: Transfer.Rest = { offset in HTTPBody(whole[offset...]) }
        let bodies = try (0..<2).map { _ in try #require(transfer.body(rest: rest)) }
        transfer.start(HTTPBody(source), keeper: kept.keep)
        async let one = bodies[0].collect()
        async let two = bodies[1].collect()
        #expect(try await one == whole)
        #expect(try await two == whole)
        #expect(kept.words == ["too large"])
        #expect(transfer.body() == nil)
    }

    // All readers used to wait for the slowest.
    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func `too large to keep goes on without a reader that has stopped, in bounded memory`(hasRest: Bool) async throws {
        let transfer = transfer(limit: 200_000)
        let kept = Kept()
        let whole = chunks(100, of: 64 << 10).reduce(Data(), +)
        let rest: Transfer.Rest = { offset in HTTPBody(whole[offset...]) }
        let bodies = try (0..<2).map { _ in try #require(transfer.body(rest: hasRest ? rest : nil)) }
        transfer.start(HTTPBody(GatedSource(chunks(100, of: 64 << 10))), keeper: kept.keep)
        var stopped = bodies[0].makeAsyncIterator()
        var read = try await stopped.next() ?? Data()
        var fast = bodies[1].makeAsyncIterator()
        var count = 0
        while let chunk = try await fast.next() {
            count += chunk.count
            // As much behind its reader as ahead, plus one chunk.
            #expect(transfer.heldBytes <= 2 * TransferState.readAhead + 64 << 10)
        }
        #expect(count == whole.count && kept.words == ["too large"])
        guard hasRest else {
            let error = await #expect(throws: TransportError.self) { _ = try await stopped.next() }
            #expect(error?.code == .connectionLost)
            return
        }
        while let chunk = try await stopped.next() { read += chunk }
        #expect(read == whole)
    }

    // Readers that had stopped used to withhold all memory from the others.
    @Test(.timeLimit(.minutes(1)))
    func `that its readers let wait makes room for others after a while`() async throws {
        let clock = ManualClock()
        let budget = GatheringBudget(each: 1 << 20, all: 1 << 20, clock: clock)
        let waiting = Transfer(expected: nil, drains: false, budget: budget) { _ in }
        let kept = Kept()
        let body = try #require(waiting.body())
        waiting.start(HTTPBody(GatedSource(chunks(16, of: 64 << 10))), keeper: kept.keep)
        var reader = body.makeAsyncIterator()
        var read = try await reader.next()?.count ?? 0
        await waitUntil { waiting.heldBytes >= TransferState.readAhead + 64 << 10 }

        func other(_ bytes: Int) async throws -> [String] {
            let kept = Kept()
            let other = Transfer(expected: nil, drains: false, budget: budget) { _ in }
            let body = try #require(other.body())
            other.start(HTTPBody(GatedSource(chunks(1, of: bytes))), keeper: kept.keep)
            #expect(try await body.collect().count == bytes)
            return kept.words
        }
        // Bytes read once are kept for the store, and count.
        let most = (1 << 20) - TransferState.readAhead
        #expect(try await other(most) == ["too large"])
        // The schedule decides when the first one begins to wait.
        var words: [String] = []
        while words != ["whole \(most)"] {
            clock.advance(by: .seconds(2))
            words = try await other(most)
        }
        while let chunk = try await reader.next() { read += chunk.count }
        #expect(read == 16 * 64 << 10 && kept.words == ["too large"])
        #expect(try await other(1 << 20) == ["whole \(1 << 20)"])
    }

    @Test(arguments: [(2500, "longer"), (3500, "shorter")])
    func `of another length than announced is an error and never whole`(expected: Int, _: String) async throws {
        let transfer = transfer(expected: expected)
        let kept = Kept()
        let body = try #require(transfer.body())
        transfer.start(HTTPBody(GatedSource(chunks(3))), keeper: kept.keep)
        await #expect(throws: TransportError.self) { try await body.collect() }
        #expect(kept.words.first?.hasPrefix("cut off") == true)
    }

    @Test func `that breaks off tells its readers why`() async throws {
        let transfer = transfer()
        let kept = Kept()
        let body = try #require(transfer.body())
        let failure = TransportError(.connectionLost, "gone")
        transfer.start(HTTPBody(GatedSource(chunks(3), failure: failure)), keeper: kept.keep)
        let error = await #expect(throws: TransportError.self) { try await body.collect() }
        #expect(error?.code == .connectionLost)
        #expect(kept.words == ["cut off 3000"])
    }

    @Test func `lets a cancelled reader go at once`() async throws {
        let transfer = transfer()
        let kept = Kept()
        let staying = try #require(transfer.body())
        let leaving = try #require(transfer.body())
        let origin = Gate()
        transfer.start(HTTPBody(GatedSource(chunks(2), gate: origin)), keeper: kept.keep)
        let reading = Task { try await leaving.collect() }
        await origin.waitForWaiters(1)
        reading.cancel()
        let error = await #expect(throws: TransportError.self) { try await reading.value }
        #expect(error?.code == .cancelled)
        origin.open()
        #expect(try await staying.collect().count == 2000)
    }
}
