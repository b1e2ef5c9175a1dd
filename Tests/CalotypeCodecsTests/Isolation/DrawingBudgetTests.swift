import CalotypeBase
import CalotypeTesting
import Foundation
import Testing
import calotype_faulty_decoder

@testable import CalotypeCodecs

/// Drawings, such as SVG, whose few bytes may take any time.
@Suite(.timeLimit(.minutes(1))) struct DrawingBudgetTests {
    private let clock = ManualClock()

    // MARK: The budget

    @Test func `quick drawings cost nothing`() {
        let budget = DrawingBudget(.seconds(20), clock: clock)
        for _ in 0..<10_000 { budget.charge(.milliseconds(100)) }
        #expect(budget.allowance == .milliseconds(20_100) && budget.isFull)
    }

    @Test func `a budget that is used up still has its quick drawings`() {
        let budget = DrawingBudget(.seconds(20), clock: clock)
        for _ in 0..<4 { budget.charge(.milliseconds(5100)) }
        #expect(budget.allowance == .milliseconds(100) && !budget.isFull)
    }

    @Test func `a budget fills up within a minute`() {
        let budget = DrawingBudget(.seconds(20), clock: clock)
        budget.charge(.milliseconds(20_100))
        clock.advance(by: .seconds(15))
        #expect(budget.allowance == .milliseconds(5100))
        clock.advance(by: .seconds(45))
        #expect(budget.allowance == .milliseconds(20_100))
    }

    @Test func `a budget that drawings have exceeded together fills up within two minutes`() {
        let budget = DrawingBudget(.seconds(20), clock: clock)
        budget.charge(.seconds(500))
        clock.advance(by: .seconds(60))
        #expect(budget.allowance == .milliseconds(100))
        clock.advance(by: .seconds(60))
        #expect(budget.isFull)
    }

    // MARK: Workers

    @Test func `a drawing ends with its budget, and is not refused later`() throws {
        let faulty = FaultyWorkers(drawsVectors: true)
        let budget = DrawingBudget(.milliseconds(20), clock: clock)
        let decoders = faulty.decoders.under(DecodeTerms(drawings: budget))
        for number in 0..<3 {
            let error = #expect(throws: CodecError.self) { try decoders.decode(FaultyDecoder.file(.loop)) }
            #expect(error?.code == .overloaded && error?.underlying is DrawingBudget.UsedUp)
            let good = try decoders.decode(FaultyDecoder.file(.none, number))
            #expect(good.words == FaultyWorkers.good(number))
        }
        #expect(faulty.workers.counters.ended == ["budget": 3] && faulty.workers.counters.refused == 0)
        #expect(budget.allowance == DrawingBudget.freeTime)
    }

    @Test func `images that are no drawings have no such budget`() throws {
        let faulty = FaultyWorkers(deadline: .milliseconds(300))
        let budget = DrawingBudget(.zero, clock: clock)
        let decoders = faulty.decoders.under(DecodeTerms(drawings: budget))
        #expect(throws: CodecError.self) { try decoders.decode(FaultyDecoder.file(.loop)) }
        #expect(faulty.workers.counters.ended == ["deadline": 1] && budget.isFull)
    }

    @Test func `the permits of drawings have a queue of their own`() async throws {
        let drawings = DecoderWorkers(limit: 2, regions: 1 << 20, waitingDrawings: 1).drawings
        try await drawings.enter()
        let waiting = Task { try await drawings.enter() }
        while drawings.load.waiting == 0 { await Task.yield() }
        await #expect(throws: Interruption.overloaded) { try await drawings.enter() }
        drawings.leave()
        try await waiting.value
    }

    @Test(arguments: [(1, 1), (2, 1), (5, 2), (8, 4)])
    func `drawings have permits for half of the workers, and at least one`(limit: Int, permits: Int) async throws {
        let faulty = FaultyWorkers(limit: limit, drawsVectors: true)
        let limiter = try #require(faulty.decoders.permits(for: FaultyDecoder.file(.none)))
        #expect(faulty.decoders.permits(for: Data("another format".utf8)) == nil)
        #expect(FaultyWorkers().decoders.permits(for: FaultyDecoder.file(.none)) == nil)
        for _ in 0..<permits { try await limiter.enter() }
        let next = Task { try await limiter.enter() }
        while limiter.load.waiting == 0 { await Task.yield() }
        #expect(limiter.load.inside == permits)
        next.cancel()
    }
}
