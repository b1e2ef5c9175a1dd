import CalotypeCodecs
import CalotypeTesting
import TestSupport
import Foundation
import Testing
import calotype_faulty_decoder

/// Codecs that misbehave, among good images.
@Suite struct FaultMixTests {
    /// The number of files with each fault, or the one in the environment. There are ten times as many good images.
    private static let rounds: Int = {
        ProcessInfo.processInfo.environment["CALOTYPE_FAULT_ROUNDS"].flatMap(Int.init) ?? (Sanitizers.areOn ? 1 : 2)
    }()

    private struct Job {
        /// Those that end in an image.
        private static let harmless: [Fault] = [.none, .late, .writesLate, .keeps, .writesNothing, .readsOn]

        let fault: Fault
        let number: Int

        private var side: Int { fault == .none && number % 10 == 0 ? 600 : 16 }

        /// Whether the codec makes no pixels of its own, so that those of an earlier image would be seen.

        /// Compares in place: copies of 1 MB would stay in the allocator and look like a leak.
        private func isRight(_ bitmap: Bitmap) -> Bool {
            bitmap.size == PixelSize(width: side, height: side)
                && bitmap.withUnsafeBytes { bytes in
                    bytes.bindMemory(to: UInt32.self).enumerated().allSatisfy { index, word in
                        // What a codec leaves unwritten, or finds behind its file, is no other image.
                        if [.writesNothing, .readsOn].contains(fault) { return word == 0 }
                        return word == 0xFF00_0000 | (UInt32(number) &+ UInt32(index)) & 0xFF_FFFF
                    }
                }
        }

        /// Returns a description of an outcome that is not the right one.
        func problem(with faulty: FaultyWorkers) -> String? {
            do throws(CodecError) {
                let plan = try faulty.decoders.plan(for: FaultyDecoder.file(fault, number, side: side))
                let bitmap = try plan.decode(
                    under: DecodeTerms(within: fault == .loop ? .milliseconds(100) : nil))
                guard Self.harmless.contains(fault) else { return "\(self) is an image" }
                return isRight(bitmap) ? nil : "\(self) differs"
            } catch {
                let code: CodecError.Code? =
                    switch fault {
                    case _ where Self.harmless.contains(fault): nil
                    case .damaged: .damaged
                    case .file: .unsupported
                    case .loop: .timedOut
                    default: .decoderFailed
                    }
                return error.code == code ? nil : "\(self): \(error)"
            }
        }
    }

    /// All rows of the table, at the same time.
    @Test func `no good image fails or differs, nothing is left over, and memory stays flat`() async throws {
        var random = SplitMix(seed: 22)
        // How `thread` ends depends on the earlier images of its worker.
        let jobs = Fault.allCases.filter { $0 != .thread }.flatMap { fault in
            (0..<(fault == .none ? 10 : 1) * Self.rounds).map { Job(fault: fault, number: $0) }
        }.shuffled(using: &random)
        // Successors that other tests asked for have started and ended.
        DecoderWorkers(limit: 1).close()
        let (descriptors, regions) = try (Processes.descriptors, Processes.regions)
        let children = Set(Processes.children(named: "calotype-faulty"))
        var memory: [Int] = []
        do {
            let faulty = FaultyWorkers(limit: 3)
            let part = (jobs.count + 4) / 5
            for start in stride(from: 0, to: jobs.count, by: part) {
                let jobs = jobs[start..<min(start + part, jobs.count)]
                let problems = try await Threads.run(4) { lane in
                    jobs.enumerated().compactMap { $0.offset % 4 == lane ? $0.element.problem(with: faulty) : nil }
                }
                #expect(problems.isEmpty)
                memory.append(try Processes.anonymousBytes)
            }
            faulty.workers.close()
            #expect(faulty.workers.counters.refused == 0)
        }
        #expect(try Processes.descriptors <= descriptors)
        #expect(try Processes.regions.isSubset(of: regions))
        #expect(children.isSuperset(of: Processes.children(named: "calotype-faulty")))
        // A sanitizer keeps what is freed.
        if !Sanitizers.areOn { #expect(memory[memory.count - 1] - memory[0] < 5_000_000, "\(memory)") }
    }

    /// The row "SIGKILL to every worker each second under load", after every tenth image instead of each second.
    @Test func `of workers that are killed again and again none fails an image at the first try`() async throws {
        let faulty = FaultyWorkers(limit: 2)
        let failed = try await Threads.run(4) { lane in
            (0..<40).compactMap { index -> (number: Int, error: CodecError)? in
                let number = 40 * lane + index
                if number % 10 == 9 { Processes.killChildren(named: "calotype-faulty") }
                do throws(CodecError) {
                    let bitmap = try faulty.decode(.none, number, side: 300)
                    #expect(bitmap.words == FaultyWorkers.good(number, side: 300))
                    return nil
                } catch {
                    return (number, error)
                }
            }
        }
        let counters = faulty.workers.counters
        #expect(counters.ended["answer"] == nil && counters.ended.values.reduce(0, +) > 4, "\(counters.ended)")
        for (number, error) in failed where error.message == "the decoder ended (signal 9)" {
            let again = #expect(throws: CodecError.self) { try faulty.decode(.none, number, side: 300) }
            #expect(again?.message.contains("ended two decoders") == true)
        }
        // The others waited for two workers, both of which were killed while they started.
        #expect(failed.allSatisfy { $0.error.message.hasSuffix("the decoder ended (signal 9)") }, "\(failed)")
        #expect(try faulty.decode(.none, 1000).words == FaultyWorkers.good(1000))
    }
}
