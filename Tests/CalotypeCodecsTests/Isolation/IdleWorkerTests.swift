import CalotypeBase
import CalotypeTesting
import TestSupport
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeCodecs

/// The end of workers that have no work.
@Suite(.requirement("V48")) struct IdleWorkerTests {
    private let clock = ManualClock()

    // MARK: The list

    @Test func `the worker used last is taken first, and a new one last`() {
        var idle = IdleWorkers<String>()
        idle.add("a", Stopwatch(clock))
        idle.add("b", Stopwatch(clock))
        idle.addNew("new", Stopwatch(clock))
        let taken = (0..<4).map { _ in idle.takeLast() }
        #expect(taken == ["b", "a", "new", nil])
    }

    @Test func `the workers that have been idle for long end, and the last process stays`() {
        var idle = IdleWorkers<String>()
        idle.add("a", Stopwatch(clock))
        idle.add("b", Stopwatch(clock))
        clock.advance(by: .seconds(6))
        idle.add("c", Stopwatch(clock))
        #expect(idle.nextRest(after: .seconds(10)) == .seconds(4))
        clock.advance(by: .seconds(4))
        let (ending, staying) = idle.takeRested(after: .seconds(10), of: 3)
        #expect(ending == ["a", "b"] && staying == nil && idle.workers == ["c"])
        #expect(idle.nextRest(after: .seconds(10)) == .seconds(6))
        clock.advance(by: .seconds(6))
        let last = idle.takeRested(after: .seconds(10), of: 1)
        #expect(last.ending == [] && last.staying == "c")
        idle.addRested("c")
        #expect(idle.nextRest(after: .seconds(10)) == nil && idle.workers == ["c"])
    }

    @Test func `a busy process is the one that stays`() {
        var idle = IdleWorkers<String>()
        idle.add("a", Stopwatch(clock))
        clock.advance(by: .seconds(10))
        let (ending, staying) = idle.takeRested(after: .seconds(10), of: 2)
        #expect(ending == ["a"] && staying == nil)
    }

    // MARK: Processes

    @Test func `all workers but one end after 10 s without work`() async throws {
        let workers = DecoderWorkers(limit: 4, clock: clock, variables: [:])
        let all = try (0..<4).map { _ in try workers.pool.take(under: DecodeTerms()) }
        let processes = Set(all.map(\.process))
        for worker in all { workers.pool.give(back: worker) }
        #expect(processes.count == 4 && Set(workers.idleProcesses) == processes)
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(9))
        #expect(workers.idleProcesses.count == 4)
        clock.advance(by: .seconds(1))
        await waitUntil { workers.idleProcesses.count == 1 && workers.counters.ended == ["unused": 3] }
        let file = SamplePhotos.png(width: 40, height: 30)
        #expect(try DecoderRegistry.standard.isolated(in: workers).decode(file).width == 40)
        #expect(workers.counters.started == 4)
        workers.close()
    }

    @Test(.disabled(if: Sanitizers.areOn, "under a sanitizer a worker has other memory"))
    func `a worker that has decoded no file holds few pages of its libraries`() throws {
        let workers = DecoderWorkers(limit: 1, clock: clock, variables: [:])
        try workers.start()
        let process = try #require(workers.idleProcesses.first)
        let words = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8).split(separator: " ")
        let resident = try #require(Int(words[1])) * sysconf(Int32(_SC_PAGESIZE))
        #expect(resident < 20 << 20)
        workers.close()
    }

    @Test func `the worker that stays gives its regions up, and decodes the same pixels afterwards`() async throws {
        let workers = DecoderWorkers(limit: 1, clock: clock, variables: [:])
        let decoders = DecoderRegistry.standard.isolated(in: workers)
        let file = SamplePhotos.png(width: 1500, height: 1200)
        try workers.start()
        let before = Self.sharedBytes
        let words = try decoders.decode(file).words
        // The region of 7 MB, and the pages of the file.
        #expect(Self.sharedBytes - before > 7_000_000)
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(10))
        await waitUntil { Self.sharedBytes - before < 1 << 20 }
        #expect(try decoders.decode(file).words == words)
        #expect(workers.counters.started == 1)
        workers.close()
    }

    @Test func `workers with little memory of their own keep no region after an image`() throws {
        let workers = DecoderWorkers(limit: 1, regions: 2 << 20)
        let decoders = DecoderRegistry.standard.isolated(in: workers)
        try workers.start()
        let before = Self.sharedBytes
        _ = try decoders.decode(SamplePhotos.png(width: 1500, height: 1200))
        #expect(Self.sharedBytes - before <= 3 << 20)
        workers.close()
    }

    @Test func `an open animation keeps its file although its worker keeps no memory`() throws {
        let workers = DecoderWorkers(limit: 2, regions: 0)
        let gif = SampleAnimations.gif(width: 60, height: 40, colors: [0xFF0000, 0xFF00, 0xFF, 0xFFFF00])
        let apart = try #require(try DecoderRegistry.standard.isolated(in: workers).animation(for: gif))
        let here = try #require(try DecoderRegistry.standard.isolated(by: .off).animation(for: gif))
        for frame in [0, 3, 1, 2] { #expect(try apart.frame(at: frame).words == here.frame(at: frame).words) }
        workers.close()
    }

    /// The shared memory that this process has mapped and used, in bytes.
    private static var sharedBytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssShmem:") }
        return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) << 10
    }
}
