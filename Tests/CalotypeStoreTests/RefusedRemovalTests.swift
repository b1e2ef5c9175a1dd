import CalotypeBase
import CalotypeTesting
import TestSupport
import Foundation
import TestFiles
import Testing
import Waiting

@testable import CalotypeStore

/// A failed removal used to be forgotten: its entry was back with the next read.
@Suite struct `Removals that the disk refuses` {
    private static func harness() -> StoreHarness {
        StoreHarness {
            $0.busyTimeout = .milliseconds(1)
            $0.sweepDelay = .seconds(3600)
        }
    }

    /// Locks the index, as another process does that writes to it.
    private func hold(_ harness: StoreHarness) throws -> SQLiteConnection {
        let holder = try SQLiteConnection(
            path: harness.directory / "index.sqlite", creates: false, busyTimeout: .zero)
        try holder.run("BEGIN IMMEDIATE")
        return holder
    }

    private func expectBusy(_ work: () async throws -> Void) async {
        await #expect { try await work() } throws: { ($0 as? StoreError)?.code == .busy }
    }

    @Test(arguments: [100, 50_000])
    func `an entry removed while another process holds the index is absent, and removed when that lets go`(size: Int)
        async throws
    {
        let harness = Self.harness()
        for key in ["removed", "replaced", "kept"] {
            try await harness.store.store(sampleBytes(size), for: ByteString(key))
        }
        try await harness.store.flush()
        let holder = try hold(harness)
        try await harness.store.remove("removed")
        try await harness.store.store(sampleBytes(size, seed: 2), for: "replaced")
        await expectBusy { try await harness.store.flush() }
        // Neither the removed nor the replaced entry is readable.
        for _ in 0..<3 {
            #expect(try await harness.store.entry(for: "removed") == nil)
            #expect(try await harness.store.entry(for: "replaced") == nil)
            #expect(try await harness.store.entry(for: "kept")?.body == sampleBytes(size))
        }
        let other = harness.another()
        #expect(try await other.store.entry(for: "removed") != nil)
        // A later successful write completes them, too.
        try holder.run("ROLLBACK")
        try await harness.store("new", for: "new")
        // A flush throws the failures since the last one, such as that of a write that began before the rollback.
        await repeatUntil { (try? await harness.store.flush()) != nil }
        #expect(try await other.store.entry(for: "removed") == nil)
        #expect(try await other.store.entry(for: "replaced") == nil)
        #expect(try await other.store.statistics().entries == 2)
        #expect(try await harness.store.verify().isClean)
    }

    @Test func `it is tried again though nobody asks`() async throws {
        let harness = Self.harness()
        try await harness.store("text", for: "key")
        try await harness.store.flush()
        let holder = try hold(harness)
        try await harness.store.remove("key")
        await expectBusy { try await harness.store.flush() }
        try holder.run("ROLLBACK")
        // Advances past the sweep and the next retry.
        await harness.clock.waitForSleepers(2)
        harness.clock.advance(by: DiskStore.retryPause)
        let other = harness.another()
        try await repeatUntil { try await other.text("key") == nil }
    }

    @Test func `removing everything fails while another process holds the index, and nothing is there all the same`()
        async throws
    {
        let harness = Self.harness()
        for key in ["a", "b"] { try await harness.store("old", for: ByteString(key)) }
        try await harness.store.flush()
        let holder = try hold(harness)
        await expectBusy { try await harness.store.removeAll() }
        #expect(try await harness.text("a") == nil)
        try holder.run("ROLLBACK")
        try await harness.store("new", for: "b")
        // This flush throws the earlier failure.
        _ = try? await harness.store.flush()
        #expect(try await harness.another().text("a") == nil)
        #expect(try await harness.another().text("b") == "new")
    }

    @Test func `removing everything returns when it is on the disk`() async throws {
        let harness = Self.harness()
        for number in 0..<30 { try await harness.store("\(number)", for: "key\(number)") }
        let removal = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await harness.store.removeAll()
        }
        try await removal.value
        #expect(try await harness.another().store.statistics().entries == 0)
    }

    @Test func `a full disk forgets what is removed`() async throws {
        let directory = TestDirectory()
        let output = try await ChildProgram.crashWriter(directory.path, "--fills-disk").linesToEnd()
        #expect(
            output == [
                "flush failed", "replaced -, removed -", "others 1, 1", "removeAll done", "entries 0", "flush done",
                "stored 3, removed -",
            ])
    }

    @Test func `too many removals to remember remove everything`() throws {
        var pending = PendingWrites()
        let old = try #require(StoreKey("old"))
        for number in 0... {
            let key = try #require(StoreKey(ByteString("\(number)" + String(repeating: "-", count: 1_000))))
            _ = pending.put(.remove, for: key)
            let next = pending.nextBatch(byteLimit: .max)
            let removals = try #require(next).removals
            pending.finishBatch(unwritten: (removals, .overloaded))
            #expect(pending.unwritten.keys.count <= PendingWrites.unwrittenLimit / 1_000)
            if pending.unwritten.removesAll { break }
            guard case .unknown = pending.find(old) else { return #expect(Bool(false)) }
        }
        guard case .removed = pending.find(old) else { return #expect(Bool(false)) }
        // Each removal was included in the next batch: this one is the last.
        let last = pending.nextBatch(byteLimit: .max, retries: true)
        #expect(last?.removesAll == true)
        pending.finishBatch()
        #expect(pending.nextBatch(byteLimit: .max, retries: true) == nil)
    }
}
