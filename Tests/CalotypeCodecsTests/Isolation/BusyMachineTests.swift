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
        let worker = try workers.pool.take()
        #expect(throws: WorkerFault.self) {
            try workers.using(worker, file, within: .seconds(14)) { () throws(WorkerFault) -> Void in
                throw .deadline(.seconds(14), worked: worked)
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

    @Test func `the processor time of a process grows while it works`() throws {
        let usage = WorkerUsage(getpid(), countsThreads: false)
        let begun = try #require(usage.processorTime)
        while try #require(usage.processorTime) <= begun {}
        #expect(WorkerUsage(0x0FFF_FFF0, countsThreads: false).processorTime == nil)
    }
}
