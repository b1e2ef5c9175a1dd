import CalotypeStore
import CalotypeTesting
import Foundation
import Requirements
import Testing

@Suite struct `An unusable disk` {
    @Test(.requirement("B38"), arguments: ["all", "index", "blobs", "temp"])
    func `what is deleted under an open store is made again`(what: String) async throws {
        let harness = StoreHarness()
        for round in UInt8(1)...3 {
            try await harness.store.store(sampleBytes(50_000, seed: round), for: "large")
            try await harness.store("small", for: "small")
            try await harness.store.flush()
            #expect(try await harness.store.entry(for: "large")?.body == sampleBytes(50_000, seed: round))
            switch what {
            case "all": harness.directory.delete()
            case "index":
                for suffix in ["", "-wal", "-shm"] {
                    try FileManager.default.removeItem(atPath: harness.directory / "index.sqlite\(suffix)")
                }
            default: try FileManager.default.removeItem(atPath: harness.directory / what)
            }
            #expect(try await (harness.store.entry(for: "large") == nil) == (what != "temp"))
        }
        try await harness.store("again", for: "small")
        try await harness.store.flush()
        #expect(try await harness.text("small") == "again")
        #expect(try await harness.store.verify().isClean)
        #expect(try await harness.another().text("small") == "again")
    }

    @Test(.requirement("C7")) func `with a file in the place of the directory every call fails with a reason`()
        async throws
    {
        let directory = TestDirectory()
        try Data("a file".utf8).write(to: URL(fileURLWithPath: directory.path))
        let harness = StoreHarness(in: directory)
        await #expect { try await harness.text("key") } throws: { ($0 as? StoreError)?.code == .directoryUnusable }
        // Stored in memory first; that it got no further is reported and thrown by the flush.
        try await harness.store("text", for: "key")
        await #expect { try await harness.store.flush() } throws: { ($0 as? StoreError)?.code == .directoryUnusable }
        #expect(harness.problems.codes == [.writeFailed])
        #expect(harness.problems.all.first?.key == "key")
        await #expect { try await harness.store.statistics() } throws: {
            ($0 as? StoreError)?.code == .directoryUnusable
        }
        // And when the file is out of the way, all is well.
        directory.delete()
        try await harness.store("text", for: "key")
        try await harness.store.flush()
        #expect(try await harness.text("key") == "text")
    }

    @Test func `a file in the place of the blobs costs only large entries`() async throws {
        let harness = StoreHarness()
        try await harness.store.store(sampleBytes(50_000), for: "large")
        try await harness.store.flush()
        try FileManager.default.removeItem(atPath: harness.directory / "blobs")
        try Data().write(to: URL(fileURLWithPath: harness.directory / "blobs"))
        try await harness.store.store(sampleBytes(50_000, seed: 2), for: "large")
        try await harness.store("small", for: "small")
        await #expect(throws: StoreError.self) { try await harness.store.flush() }
        #expect(harness.problems.codes == [.writeFailed])
        #expect(try await harness.text("small") == "small")
        // Not the predecessor either.
        let large = try? await harness.store.entry(for: "large")
        #expect(large == nil)
        #expect(try await harness.store.statistics().entries == 1)
    }

    @Test func `on a full disk entries are dropped and reported, and what is there stays good`() async throws {
        let directory = TestDirectory()
        let output = try await ChildProgram.crashWriter(
            directory.path, "7", "--operations", "1500", "--file-size-limit", "200000"
        )
        .linesToEnd()
        #expect(output.last == "done")
        #expect(output.contains { $0.hasPrefix("problem writeFailed") })
        #expect(!output.contains { $0.hasPrefix("WRONG") })
        let harness = StoreHarness(in: directory)
        try await expectGenuine(harness.store)
    }

    @Test func `in the largest files that are allowed there is no room for a large body`() async throws {
        let directory = TestDirectory()
        let output = try await ChildProgram.crashWriter(
            directory.path, "8", "--operations", "200", "--file-size-limit", "90000"
        )
        .linesToEnd()
        #expect(output.last == "done")
        try await expectGenuine(StoreHarness(in: directory).store)
    }
}
