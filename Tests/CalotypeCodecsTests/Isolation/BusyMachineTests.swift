import CalotypeBase
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

/// Workers that are late because the machine has no time for them.
@Suite(.timeLimit(.minutes(1))) struct BusyMachineTests {
    private let workers = DecoderWorkers(
        limit: 1, deadline: .seconds(30), program: Programs.path("calotype-faulty-decoder"), variables: [:])
    private let file = Data("file".utf8)

    /// Ends a worker as at a deadline after 14 s.
    private func miss(worked: Duration?) throws {
        let worker = try workers.pool.take(under: DecodeTerms())
        #expect(throws: WorkerFault.self) {
            try workers.using(worker, file) { () throws(WorkerFault) -> Void in
                throw .late(.seconds(14), worked: worked)
            }
        }
    }

    @Test func `a file whose worker waited for a processor is not refused`() throws {
        for _ in 0..<3 { try miss(worked: .seconds(6)) }
        #expect(throws: Never.self) { try workers.check(file) }
    }

    @Test(arguments: [.seconds(8), nil] as [Duration?])
    func `a file whose worker worked for half of its time is refused after the second one`(worked: Duration?) throws {
        try miss(worked: worked)
        #expect(throws: Never.self) { try workers.check(file) }
        try miss(worked: worked)
        #expect(throws: CodecError.self) { try workers.check(file) }
    }

    @Test func `a request whose time ends while all workers are busy is late, and ends none`() async throws {
        let busy = try workers.pool.take(under: DecodeTerms())
        let clock = ManualClock(), stopwatch = Stopwatch(clock)
        let terms = DecodeTerms(timeLeft: { .seconds(9) - stopwatch.elapsed() })
        let late = Task { [workers] in
            try await Threads.run { try workers.pool.take(under: terms) }
        }
        clock.advance(by: .seconds(9))
        await #expect(throws: WorkerFault.late) { try await late.value }
        workers.pool.give(back: busy)
        #expect(workers.counters.ended == [:] && workers.counters.images == 1)
    }

    @Test func `nothing begins in the last 50 ms of a request`() throws {
        #expect(throws: WorkerFault.late) {
            try workers.pool.take(under: DecodeTerms(timeLeft: { .milliseconds(49) }))
        }
        #expect(workers.counters.images == 0)
        #expect(throws: Never.self) {
            workers.pool.give(back: try workers.pool.take(under: DecodeTerms(timeLeft: { .milliseconds(50) })))
        }
    }

    @Test func `a worker that was still starting at the end of a request serves the next one`() throws {
        let untilStarted = DecodeTerms(timeLeft: { [workers] in workers.counters.started == 0 ? .seconds(9) : .zero })
        let fault = #expect(throws: WorkerFault.self) { try workers.pool.take(under: untilStarted) }
        #expect(fault?.kind == .late)
        workers.pool.give(back: try workers.pool.take(under: DecodeTerms()))
        #expect(workers.counters.started == 1 && workers.counters.ended == [:])
    }

    @Test func `the processor time of a process grows while it works`() throws {
        let usage = WorkerUsage(getpid(), countsThreads: false)
        let begun = try #require(usage.processorTime)
        while try #require(usage.processorTime) <= begun {}
        #expect(WorkerUsage(0x0FFF_FFF0, countsThreads: false).processorTime == nil)
    }
}
