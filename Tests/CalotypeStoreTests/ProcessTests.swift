import CalotypeStore
import CalotypeTesting
import TestSupport
import Foundation
import Requirements
import TestFiles
import Testing
import calotype_crash_writer

@Suite struct `Several processes` {
    /// 200 rounds, 20 under a sanitizer, or the number in the environment.
    private static let rounds: Int = {
        let asked = ProcessInfo.processInfo.environment["CALOTYPE_CRASH_ROUNDS"].flatMap(Int.init)
        return asked ?? (Sanitizers.areOn ? 20 : 200)
    }()

    @Test(.requirement("D0.12")) func `a process may be killed at any point`() async throws {
        let directory = TestDirectory()
        var generator = SystemRandomNumberGenerator()
        for round in 0..<Self.rounds {
            let writer = try ChildProgram.crashWriter(directory.path, "\(generator.next())")
            _ = await writer.lines(.random(in: 1..<60))
            spin(.random(in: 0..<30_000))
            await writer.kill()
            let harness = StoreHarness(in: directory)
            try await expectGenuine(harness.store)
            #expect(harness.problems.all.isEmpty, "round \(round)")
            try await harness.store.sweep()
            let large = try await harness.store.list(limit: .max).filter { $0.size > 32 << 10 }
            #expect(directory.blobs.count == large.count)
            try await harness.store.close()
            #expect(directory.files.filter { $0.hasPrefix("temp/") } == [])
        }
    }

    /// Lets a moment pass, measured in work instead of time, so that the kill falls anywhere between two lines.
    private func spin(_ count: Int) {
        var generator = SplitMix(seed: 1)
        for _ in 0..<count { _ = generator.next() }
    }

    @Test func `two processes share one directory`() async throws {
        let directory = TestDirectory()
        let writer = try ChildProgram.crashWriter(directory.path, "3", "--operations", "600")
        let harness = StoreHarness(in: directory) { $0.byteLimit = 4_000_000 }
        for number in UInt64(0)..<300 {
            let key = "https://example.org/picture/\(number % 120).jpg"
            if let entry = try await harness.store.entry(for: ByteString(key)) {
                #expect(CrashContents.areGenuine(entry.body, metadata: entry.metadata, key: key))
            }
            let body = CrashContents.body(key: key, number: number, size: Int(number) * 200)
            try await harness.store.store(
                body, metadata: CrashContents.metadata(key: key, number: number), for: ByteString(key))
        }
        let output = await writer.linesToEnd()
        #expect(output.last == "done")
        #expect(!output.contains { $0.hasPrefix("WRONG") || $0.hasPrefix("problem") || $0.hasPrefix("failed") })
        try await harness.store.flush()
        try await expectGenuine(harness.store)
        #expect(try await harness.store.statistics().bytes <= 4_000_000)
    }

    @Test func `what one store writes or removes another one sees`() async throws {
        let one = StoreHarness()
        let two = one.another()
        try await one.store("text", for: "key")
        try await one.store.flush()
        #expect(try await two.text("key") == "text")
        try await two.store.remove("key")
        try await two.store.flush()
        #expect(try await one.text("key") == nil)
        try await two.store.store(sampleBytes(90_000), for: "key")
        try await two.store.flush()
        #expect(try await one.store.entry(for: "key")?.body == sampleBytes(90_000))
        try await two.store.removeAll()
        try await two.store.flush()
        #expect(try await one.store.entry(for: "key") == nil)
        #expect(try await one.store.statistics().entries == 0)
        #expect(one.problems.all.isEmpty)
    }
}
