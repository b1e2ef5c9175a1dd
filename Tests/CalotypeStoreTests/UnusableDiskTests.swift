import CalotypeStore
import CalotypeTesting
import TestSupport
import Foundation
import Requirements
import TestFiles
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
        // Stored in memory first; the store reports the failed write, and `flush` throws it.
        try await harness.store("text", for: "key")
        await #expect { try await harness.store.flush() } throws: { ($0 as? StoreError)?.code == .directoryUnusable }
        #expect(harness.problems.codes == [.writeFailed])
        #expect(harness.problems.all.first?.key == "key")
        await #expect { try await harness.store.statistics() } throws: {
            ($0 as? StoreError)?.code == .directoryUnusable
        }
        // Without the file in the way, everything works.
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
        // Not the previous version either.
        let large = try? await harness.store.entry(for: "large")
        #expect(large == nil)
        #expect(try await harness.store.statistics().entries == 1)
    }

    @Test func `a failure that goes on is reported once, and again after a success`() async throws {
        let directory = TestDirectory()
        let harness = StoreHarness(in: directory)
        for round in 1...2 {
            try Data("a file".utf8).write(to: URL(fileURLWithPath: directory.path))
            for number in 0..<20 {
                try await harness.store("text", for: "key\(number)")
                await #expect(throws: StoreError.self) { try await harness.store.flush() }
            }
            #expect(harness.problems.codes == Array(repeating: .writeFailed, count: round))
            directory.delete()
            try await harness.store("text", for: "key")
            try await harness.store.flush()
            directory.delete()
        }
        #expect(harness.store.counts.failedWrites == 40)
    }

    @Test func `a disk with room for small entries alone is reported once`() async throws {
        let harness = StoreHarness()
        let blobs = harness.directory / "blobs"
        for round in 1...2 {
            try await harness.store("text", for: "key")
            try await harness.store.flush()
            try? FileManager.default.removeItem(atPath: blobs)
            try Data().write(to: URL(fileURLWithPath: blobs))
            for number in 0..<5 {
                try await harness.store.store(sampleBytes(50_000), for: "large\(number)")
                await #expect(throws: StoreError.self) { try await harness.store.flush() }
                try await harness.store("text", for: "small\(number)")
                try await harness.store.flush()
            }
            #expect(harness.problems.codes == Array(repeating: .writeFailed, count: round))
            try FileManager.default.removeItem(atPath: blobs)
            try await harness.store.store(sampleBytes(50_000), for: "large")
            try await harness.store.flush()
        }
    }

    @Test func `a failure that has not been seen for an hour is reported again`() async throws {
        let clock = ManualClock()
        let harness = StoreHarness(clock: clock)
        let blobs = harness.directory / "blobs"
        try await harness.store("text", for: "key")
        try await harness.store.flush()
        try? FileManager.default.removeItem(atPath: blobs)
        try Data().write(to: URL(fileURLWithPath: blobs))
        for count in 1...2 {
            try await harness.store.store(sampleBytes(50_000), for: "large")
            await #expect(throws: StoreError.self) { try await harness.store.flush() }
            #expect(harness.problems.codes.filter { $0 == .writeFailed }.count == count)
            clock.advance(by: .seconds(3601))
        }
    }

    @Test(arguments: ["index.sqlite", "index.sqlite-wal"])
    func `a directory in the place of the index is moved aside`(name: String) async throws {
        let directory = TestDirectory()
        try FileManager.default.createDirectory(
            atPath: directory / name + "/inner", withIntermediateDirectories: true)
        let harness = StoreHarness(in: directory)
        try await harness.store.store(sampleBytes(50_000), for: "large")
        try await harness.store("small", for: "small")
        try await harness.store.flush()
        #expect(harness.problems.codes == [.damagedIndex])
        #expect(try await harness.store.entry(for: "large")?.body == sampleBytes(50_000))
        #expect(try await harness.text("small") == "small")
        try await harness.store.sweep()
        #expect(!directory.exists(name + "/inner") && directory.files.allSatisfy { !$0.hasPrefix("discarded") })
    }

    @Test(arguments: [true, false])
    func `a file in the place of the unfinished files is moved aside`(isOpen: Bool) async throws {
        let harness = StoreHarness()
        try await harness.store("before", for: "before")
        try await harness.store.flush()
        if !isOpen { try await harness.store.close() }
        try? FileManager.default.removeItem(atPath: harness.directory / "temp")
        try Data("a file".utf8).write(to: URL(fileURLWithPath: harness.directory / "temp"))
        let store = isOpen ? harness : harness.another()
        try await store.store.store(sampleBytes(50_000), for: "large")
        try await store.store.flush()
        #expect(try await store.store.entry(for: "large")?.body == sampleBytes(50_000))
        #expect(try await store.text("before") == "before")
        try await store.store.sweep()
        #expect(harness.directory.files.allSatisfy { !$0.hasPrefix("discarded") })
        #expect(harness.problems.all.isEmpty && store.problems.all.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a store where nothing can be written is read`(isOpenElsewhere: Bool) async throws {
        let harness = StoreHarness()
        try await harness.store.store(sampleBytes(50_000), for: "large")
        try await harness.store("small", for: "small")
        try await harness.store.flush()
        if !isOpenElsewhere { try await harness.store.close() }
        try harness.directory.setMode(files: 0o444, directories: 0o555)
        defer { try? harness.directory.setMode(files: 0o600, directories: 0o700) }
        let output = try await ChildProgram.crashWriter(harness.directory.path, "--reads").linesToEnd()
        #expect(output == ["large 50000", "small 5", "done"])
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
