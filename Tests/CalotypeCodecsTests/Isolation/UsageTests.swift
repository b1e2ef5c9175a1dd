import CalotypeCodecs
import CalotypeTesting
import TestSupport
import Foundation
import Testing
import calotype_faulty_decoder

private let threadsAreTooLarge: Comment = "the thread sanitizer needs more memory for a thread than a worker may have"

/// The threads and the memory that a worker keeps.
@Suite struct UsageTests {
    // MARK: - Threads

    @Test(.disabled(if: Sanitizers.isThreadOn, threadsAreTooLarge))
    func `a worker that keeps threads ends with its answer`() throws {
        let faulty = FaultyWorkers()
        let error = #expect(throws: CodecError.self) { try faulty.decode(.threads) }
        #expect(error?.code == .decoderFailed && error?.message == "the decoder started too many threads")
        #expect(faulty.workers.counters.ended == ["threads": 1])
        #expect(try faulty.decode(.none, 7).words == FaultyWorkers.good(7))
    }

    @Test(.disabled(if: Sanitizers.isThreadOn, threadsAreTooLarge))
    func `a worker that starts threads and does not answer ends before its deadline`() throws {
        let faulty = FaultyWorkers(deadline: .seconds(600))
        #expect(throws: CodecError.self) { try faulty.decode(.waits) }
        #expect(faulty.workers.counters.ended == ["threads": 1])
    }

    @Test func `a wait looks at the worker every 100 ms, and at its deadline`() {
        let start = ContinuousClock.now
        let wait = AnswerWait(.milliseconds(250), from: start)
        let slices = [0, 100, 200, 249, 250, 300].map { wait.slice(at: start + .milliseconds($0)) }
        #expect(slices == [100, 100, 50, 1, 0, 0])
        #expect([0, 249, 250, 251].map { wait.isOver(at: start + .milliseconds($0)) } == [false, false, true, true])
        #expect(wait.slice(at: start + .microseconds(249_001)) == 1)
    }

    @Test func `without HEIF and SVG, a worker starts no thread`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "calotype-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "calotype-faulty-decoder-without-threads")
        let faultyDecoder = URL(fileURLWithPath: Programs.path("calotype-faulty-decoder"))
        try FileManager.default.createSymbolicLink(at: program, withDestinationURL: faultyDecoder)
        let faulty = FaultyWorkers(program: program.path)
        let error = #expect(throws: CodecError.self) { try faulty.decode(.thread) }
        #expect(error?.message == "no thread")
        #expect(try faulty.decode(.threads, 3).words == FaultyWorkers.good(3))
        #expect(faulty.workers.counters.started == 1)
    }

    @Test(.disabled(if: Sanitizers.isThreadOn, threadsAreTooLarge))
    func `200 files whose codecs start threads leave no process and no descriptor`() async throws {
        // Successors that other tests asked for have started and ended.
        DecoderWorkers(limit: 1).close()
        let descriptors = try Processes.descriptors
        let children = Set(Processes.children(named: "calotype-faulty"))
        do {
            let faulty = FaultyWorkers(limit: 4)
            let wrong = try await Threads.run(200) { number -> [String] in
                if number % 2 == 0 {
                    let words = try? faulty.decode(.none, number, side: 600).words
                    return words == FaultyWorkers.good(number, side: 600) ? [] : ["\(number) differs"]
                }
                return (try? faulty.decode(.threads, number)) == nil ? [] : ["\(number) is an image"]
            }
            #expect(wrong == [])
            #expect(faulty.workers.counters.ended["threads"] == 100)
            #expect(try Processes.descriptors - descriptors <= faulty.workers.descriptors)
            faulty.workers.close()
        }
        #expect(try Processes.descriptors <= descriptors)
        #expect(children.isSuperset(of: Processes.children(named: "calotype-faulty")))
    }

    // MARK: - Memory

    @Test(.disabled(if: Sanitizers.areOn, "a sanitizer's own memory cannot be told from the worker's"))
    func `a worker that keeps more than 64 MB ends after its answer`() throws {
        let faulty = FaultyWorkers()
        try faulty.workers.start()
        let base = try #require(faulty.mappedBytes)
        for number in 0..<12 {
            #expect(try faulty.decode(.keeps, number).words == FaultyWorkers.good(number))
            // Libraries start threads while a worker warms up: it may have two stacks of 8 MB more than the first one.
            if let mapped = faulty.mappedBytes { #expect(mapped - base <= MemoryAllowance.keepable + (18 << 20)) }
        }
        #expect(faulty.workers.counters.ended == ["memory": 4] && faulty.workers.counters.images == 13)
    }

    @Test func `the limit on a worker's memory does not grow with the memory that it keeps`() {
        let allowance = MemoryAllowance(base: 100 << 20)
        func limit(_ megabytes: Int) -> Int { allowance.limit(mapped: megabytes << 20, regions: 3, image: 7) - 10 }
        #expect([90, 100, 130, 164, 165, 900].map { limit($0) >> 20 } == [100, 100, 130, 164, 164, 164])
        #expect(!allowance.isExceeded(by: (164 << 20) + 3, regions: 3))
        #expect(allowance.isExceeded(by: (164 << 20) + 4, regions: 3))
    }

    @Test func `an open animation may keep its size`() {
        var allowance = MemoryAllowance(base: 100)
        allowance.open(animation: 50)
        let most = 100 + 50 + MemoryAllowance.keepable
        #expect(!allowance.isExceeded(by: most, regions: 0) && allowance.isExceeded(by: most + 1, regions: 0))
        allowance.open(animation: 0)
        #expect(allowance.isExceeded(by: most, regions: 0))
    }
}

extension FaultyWorkers {
    /// The memory that the only idle worker has mapped, or `nil` if there is no worker or it is still starting.
    fileprivate var mappedBytes: Int? {
        guard workers.idleProcesses.count == 1, let process = workers.idleProcesses.first,
            let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)
        else { return nil }
        return text.split(separator: " ").first.flatMap { Int($0) }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
    }
}
