import CalotypeBase
import CalotypeStore
import CalotypeTesting
import Foundation
import Requirements
import TestFiles
import Testing

@Suite struct `Sweeping` {
    @Test(.requirement("B37"))
    func `what has grown too old is cleared away, soon after the start and then every half an hour`() async throws {
        let harness = StoreHarness { $0.maximumAge = .seconds(1000) }
        try await harness.store.store(sampleBytes(50_000), for: "a")
        try await harness.store.flush()
        await harness.clock.waitForSleepers(1)
        harness.clock.advance(by: .seconds(5))
        await harness.clock.waitForSleepers(1)
        #expect(try await harness.store.statistics().entries == 1)
        for round in 0..<3 {
            harness.clock.advance(by: .seconds(30 * 60))
            await harness.clock.waitForSleepers(1)
            #expect(harness.directory.blobs.isEmpty)
            #expect(try await harness.store.statistics().entries == 0)
            try await harness.store.store(sampleBytes(50_000), for: "\(round)")
            try await harness.store.flush()
        }
    }

    @Test(.requirement("B37")) func `a store does not sweep what another one swept a moment ago`() async throws {
        let harness = StoreHarness { $0.maximumAge = .seconds(1000) }
        try await harness.store("text", for: "key")
        try await harness.store.sweep()
        harness.clock.advance(by: .seconds(1000))
        let other = harness.another { $0.maximumAge = .seconds(1000) }
        await harness.clock.waitForSleepers(2)
        harness.clock.advance(by: .seconds(5))
        await harness.clock.waitForSleepers(2)
        #expect(try await other.store.statistics().entries == 1)
        harness.clock.advance(by: .seconds(30 * 60))
        await harness.clock.waitForSleepers(2)
        #expect(try await other.store.statistics().entries == 0)
    }

    @Test(.requirement("B37")) func `a sweep leaves alone what is neither old nor too much`() async throws {
        let harness = StoreHarness()
        for number in 0..<20 { try await harness.store.store(sampleBytes(number * 4_000), for: "\(number)") }
        try await harness.store.flush()
        let before = harness.directory.blobs
        try await harness.store.sweep()
        #expect(try await harness.store.statistics().entries == 20)
        #expect(harness.directory.blobs == before)
    }

    @Test(.requirement("B37")) func `a sweep trims what another limit had allowed`() async throws {
        let large = StoreHarness()
        for number in 0..<20 { try await large.store.store(sampleBytes(10_000), for: "\(number)") }
        try await large.store.close()
        let small = large.another { $0.byteLimit = 100_000 }
        try await small.store.sweep()
        #expect(try await small.store.statistics().bytes <= 70_000)
    }

    @Test func `a sweep of hundreds of expired entries leaves none`() async throws {
        let harness = StoreHarness { $0.maximumAge = .seconds(10) }
        for number in 0..<700 { try await harness.store("text", for: "\(number)") }
        for number in 0..<300 { try await harness.store.store(Data(), for: "own\(number)", expires: 1) }
        try await harness.store.flush()
        harness.clock.advance(by: .seconds(11))
        try await harness.store("young", for: "young")
        try await harness.store.sweep()
        #expect(try await harness.store.list().map(\.key) == ["young"])
    }

    @Test func `files that a dead process left are swept, those of a living one are not`() async throws {
        let harness = StoreHarness()
        try await harness.store.store(sampleBytes(50_000), for: "key")
        try await harness.store.flush()
        let living = try #require(harness.directory.files.first { $0.hasSuffix(".lock") && $0.hasPrefix("temp/") })
        try await harness.another().store.sweep()
        #expect(harness.directory.files.contains(living))

        let orphan = harness.directory.blobs[0].replacing("-", with: "-0").dropLast()
        for file in ["temp/0123456789abcdef-1", "temp/0123456789abcdef.lock", String(orphan)] {
            try sampleBytes(10).write(to: URL(fileURLWithPath: harness.directory / file))
        }
        try await harness.store.sweep()
        #expect(!harness.directory.files.contains { $0.contains("0123456789abcdef") })
        #expect(harness.directory.files.contains(living))
        #expect(harness.directory.blobs.count == 1)
        #expect(try await harness.store.entry(for: "key") != nil)
        #expect(harness.problems.all.isEmpty)
    }

    @Test func `a store that is let go leaves nothing of its own behind`() async throws {
        let directory = TestDirectory()
        do {
            let harness = StoreHarness(in: directory)
            try await harness.store("text", for: "key")
            try await harness.store.close()
        }
        #expect(directory.files.filter { $0.hasPrefix("temp/") } == [])
    }
}
