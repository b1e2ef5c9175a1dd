import CSandbox
import CalotypeCodecs
import CalotypeTesting
import TestSupport
import Foundation
import Testing
import calotype_faulty_decoder

@Suite struct FaultTests {
    /// The rows "crashes, aborts, overflows its stack", "stops mid-message", "allocates without end, maps 1 TB", "opens a
    /// socket, a second process; signals or traces the parent; truncates a region", and "sends another kind, 1 GB,
    /// descriptors, 10⁶ messages".
    @Test(arguments: [
        Fault.crash, .abort, .stack, .half, .garbage, .gigabyte, .flood, .descriptor, .allocate, .map, .socket,
        .process, .signal, .trace, .truncate, .execute, .exit, .close,
    ])
    func `a codec that misbehaves fails its own image, and the next one is good`(fault: Fault) throws {
        let faulty = FaultyWorkers()
        let error = #expect(throws: CodecError.self) { try faulty.decode(fault) }
        #expect(error?.code == .decoderFailed, "\(fault): \(error?.message ?? "")")
        #expect(try faulty.decode(.none, 7).words == FaultyWorkers.good(7))
        #expect(faulty.workers.counters.ended["closed"] == nil && faulty.workers.counters.started >= 2)
    }

    /// The row "opens a file: EACCES".
    @Test func `a codec that opens a file is refused, and may go on`() throws {
        let faulty = FaultyWorkers()
        let error = #expect(throws: CodecError.self) { try faulty.decode(.file) }
        #expect(error?.code == .unsupported && error?.message == "EACCES")
        #expect(faulty.workers.counters.started == 1)
    }

    /// The row "loops, answers nothing".
    @Test func `an endless loop ends at the deadline`() throws {
        let faulty = FaultyWorkers(deadline: .milliseconds(300))
        let error = #expect(throws: CodecError.self) { try faulty.decode(.loop) }
        #expect(error?.code == .decoderFailed && error?.message == "the decoder took longer than 0.3 s")
        #expect(faulty.workers.counters.ended["deadline"] == 1)
        #expect(try faulty.decode(.none, 1).words == FaultyWorkers.good(1))
    }

    @Test(.disabled(if: Sanitizers.areOn, "under a sanitizer workers have no limit of memory"))
    func `the error names the memory that was not enough`() throws {
        let error = #expect(throws: CodecError.self) { try FaultyWorkers().decode(.allocate) }
        #expect(error?.message == "the decoder needed more than 33 MB")
    }

    @Test func `a damaged file costs no process`() throws {
        let faulty = FaultyWorkers()
        for number in 0..<3 {
            let error = #expect(throws: CodecError.self) { try faulty.decode(.damaged) }
            #expect(error?.code == .damaged)
            #expect(try faulty.decode(.none, number).words == FaultyWorkers.good(number))
        }
        #expect(faulty.workers.counters.ended == [:] && faulty.workers.counters.started == 1)
    }

    @Test func `a worker ends after as many images as it may decode`() throws {
        let faulty = FaultyWorkers(reuse: 3)
        for number in 0..<9 { #expect(try faulty.decode(.none, number).words == FaultyWorkers.good(number)) }
        #expect(faulty.workers.counters.ended == ["reuse": 3] && faulty.workers.counters.images == 9)
    }

    @Test func `bytes that ended two workers are refused for 10 minutes`() throws {
        let clock = ManualClock()
        let faulty = FaultyWorkers(clock: clock)
        #expect(throws: CodecError.self) { try faulty.decode(.crash) }
        let started = faulty.workers.counters.started
        let error = #expect(throws: CodecError.self) { try faulty.decode(.crash) }
        #expect(error?.code == .decoderFailed && error?.message.contains("refused") == true)
        #expect(faulty.workers.counters.refused == 1 && faulty.workers.counters.ended["ended"] == 2)
        #expect(try faulty.decode(.none, 2).words == FaultyWorkers.good(2))
        clock.advance(by: .seconds(601))
        #expect(throws: CodecError.self) { try faulty.decode(.crash) }
        #expect(faulty.workers.counters.ended["ended"] == 4 && started <= faulty.workers.counters.started)
    }

    @Test func `bytes that a worker cannot decode in time are refused, although it reads their header`() throws {
        let faulty = FaultyWorkers(deadline: .milliseconds(300), readsHeaderInSwift: false)
        for _ in 0..<2 { #expect(throws: CodecError.self) { try faulty.decode(.loop) } }
        let error = #expect(throws: CodecError.self) { try faulty.decode(.loop) }
        #expect(error?.message.contains("refused") == true && faulty.workers.counters.ended["deadline"] == 2)
    }

    @Test func `a request with little time left ends its worker in time, and does not count against its file`() throws {
        let faulty = FaultyWorkers(deadline: .seconds(600))
        for _ in 0..<3 {
            let plan = try faulty.decoders.plan(for: FaultyDecoder.file(.loop, 0, side: 16), limits: DecodeLimits())
            try faulty.workers.start()
            let terms = DecodeTerms(within: .milliseconds(300))
            let error = #expect(throws: CodecError.self) { try plan.decode(under: terms) }
            #expect(error?.code == .timedOut)
        }
        #expect(faulty.workers.counters.ended == ["late": 3] && faulty.workers.counters.refused == 0)
    }

    @Test func `a header that a worker reads is late like an image`() throws {
        let faulty = FaultyWorkers(readsHeaderInSwift: false)
        let decoders = faulty.decoders.under(DecodeTerms(timeLeft: { .zero }))
        let error = #expect(throws: CodecError.self) { try decoders.header(of: FaultyDecoder.file(.none)) }
        #expect(error?.code == .timedOut && faulty.workers.counters.images == 0)
    }

    @Test func `a worker that somebody kills while it is idle fails no image`() throws {
        let faulty = FaultyWorkers()
        for number in 0..<4 {
            #expect(try faulty.decode(.none, number).words == FaultyWorkers.good(number))
            for process in Processes.children(named: "calotype-faulty") { kill(process, SIGKILL) }
        }
        #expect(faulty.workers.counters.ended["reuse"] == nil)
    }

    /// The row "writes into a region after its answer".
    @Test func `what is written into a region later changes no other image`() throws {
        let faulty = FaultyWorkers()
        let first = try faulty.decode(.late, 5)
        let second = try faulty.decode(.none, 6, side: 700)
        _ = try faulty.decode(.writesLate, 7)
        #expect(first.words == FaultyWorkers.good(5) && second.words == FaultyWorkers.good(6, side: 700))
        let large = try faulty.decode(.late, 8, side: 700)
        _ = try? faulty.decode(.writesLate, 9)
        #expect(large.words == FaultyWorkers.good(8, side: 700))
    }

    @Test func `a large result gets the region of one of its size that is gone, and of no other`() throws {
        let faulty = FaultyWorkers()
        func regions(_ number: Int, side: Int) throws -> Set<String> {
            let bitmap = try faulty.decode(.none, number, side: side)
            #expect(bitmap.words == FaultyWorkers.good(number, side: side))
            return try withExtendedLifetime(bitmap) { try Processes.regions }
        }
        let first = try regions(1, side: 600)
        #expect(try regions(2, side: 600) == first)
        let shown = try faulty.decode(.none, 3, side: 600)
        #expect(try regions(4, side: 600) != first && shown.words == FaultyWorkers.good(3, side: 600))
        #expect(try regions(5, side: 601) != regions(6, side: 600))
    }

    @Test func `a codec that writes no pixels shows none of the image before`() throws {
        let faulty = FaultyWorkers()
        for side in [16, 500, 700] {
            #expect(try faulty.decode(.none, 5, side: side).words == FaultyWorkers.good(5, side: side))
            #expect(try faulty.decode(.writesNothing, side: side).words.allSatisfy { $0 == 0 })
        }
        #expect(faulty.workers.counters.started == 1)
    }

    @Test func `a codec that reads behind its file finds nothing of the file before`() throws {
        let faulty = FaultyWorkers()
        let long = FaultyDecoder.file(.none) + Data(" ".utf8) + Data(repeating: 0x55, count: 4000)
        #expect(try faulty.decoders.decode(long).words == FaultyWorkers.good(0))
        #expect(try faulty.decode(.readsOn).words.allSatisfy { $0 == 0 })
        #expect(faulty.workers.counters.started == 1)
    }

    @Test func `threads take turns, and all images are right`() async throws {
        let faulty = FaultyWorkers(limit: 2, reuse: 10)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<60 {
                group.addTask {
                    try await Threads.run { try faulty.decode(.none, number).words == FaultyWorkers.good(number) }
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(faulty.workers.counters.images == 60)
    }

    @Test func `nothing is left over`() throws {
        // Successors that other tests asked for have started and ended.
        DecoderWorkers(limit: 1).close()
        let (descriptors, regions) = try (Processes.descriptors, Processes.regions)
        let children = Set(Processes.children(named: "calotype-faulty"))
        do {
            let faulty = FaultyWorkers(limit: 2, deadline: .milliseconds(100))
            for round in 0..<3 {
                for fault in [Fault.crash, .loop, .none, .garbage, .late] {
                    _ = try? faulty.decode(fault, round, side: 600)
                }
            }
            faulty.workers.close()
        }
        // What other tests have opened may close meanwhile.
        #expect(try Processes.descriptors <= descriptors)
        #expect(try Processes.regions.isSubset(of: regions))
        #expect(children.isSuperset(of: Processes.children(named: "calotype-faulty")))
    }
}

/// Runs closures on threads that may block.
enum Threads {
    static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    /// Returns the elements that a number of threads make, each from its number.
    static func run<Element: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) -> [Element]
    ) async throws -> [Element] {
        try await withThrowingTaskGroup(of: [Element].self) { group in
            for thread in 0..<count { group.addTask { try await run { body(thread) } } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }
}

enum Processes {
    /// Returns the process's children with a name that begins so.
    static func children(named name: String) -> [pid_t] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { pid_t($0) }.filter { process in
            guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let end = text.lastIndex(of: ")"), let start = text.firstIndex(of: "(")
            else { return false }
            let fields = text[text.index(end, offsetBy: 2)...].split(separator: " ")
            return text[text.index(after: start)...].hasPrefix(name) && fields[1] == "\(getpid())"
        }
    }

    /// Kills them, and waits until they have ended. Somebody else collects their status.
    static func killChildren(named name: String) {
        for process in children(named: name) {
            kill(process, SIGKILL)
            var (signal, status): (Int32, Int32) = (0, 0)
            _ = calotype_wait(-1, process, Int32(WNOWAIT), &signal, &status)
        }
    }

    /// The number of open descriptors.
    static var descriptors: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
    }

    /// The mapped regions of workers, by their inodes.
    static var regions: Set<String> {
        get throws {
            let file = try #require(fopen("/proc/self/maps", "r"))
            defer { fclose(file) }
            // Foundation takes the end of the kernel's first portion for the end of the file.
            var line = [CChar](repeating: 0, count: 4096)
            var inodes: Set<String> = []
            while fgets(&line, Int32(line.count), file) != nil {
                let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                if text.contains("memfd:calotype") { inodes.insert(String(text.split(separator: " ")[4])) }
            }
            return inodes
        }
    }

    /// The memory of this process without the pages of files.
    static var anonymousBytes: Int {
        get throws {
            let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
            let words = lines.first { $0.hasPrefix("RssAnon:") }?.split(separator: " ")
            return (words?.dropFirst().first.flatMap { Int($0) } ?? 0) << 10
        }
    }
}
