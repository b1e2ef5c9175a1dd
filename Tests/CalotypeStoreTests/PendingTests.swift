import CalotypeBase
import CalotypeStore
import CalotypeTesting
import Foundation
import Requirements
import TestFiles
import Testing

@Suite struct `Writing behind` {
    @Test(.requirement("B35")) func `what was asked for is true at once, whether the disk knows it or not`()
        async throws
    {
        let harness = StoreHarness()
        for round in 0..<200 {
            try await harness.store("\(round)", for: "key")
            #expect(try await harness.text("key") == "\(round)")
            try await harness.store.remove("key")
            #expect(try await harness.text("key") == nil)
        }
    }

    @Test(.requirement("B36")) func `the last one asked for wins`() async throws {
        let harness = StoreHarness()
        for round in 0..<100 {
            try await harness.store("a\(round)", for: "added")
            try await harness.store.remove("added")
            try await harness.store("b\(round)", for: "added")
            try await harness.store("c\(round)", for: "removed")
            try await harness.store.remove("removed")
            if round.isMultiple(of: 7) { try await harness.store.flush() }
            #expect(try await harness.text("added") == "b\(round)")
            #expect(try await harness.text("removed") == nil)
        }
        try await harness.store.close()
        let later = harness.another()
        #expect(try await later.text("added") == "b99")
        #expect(try await later.text("removed") == nil)
    }

    @Test(.requirement("B36"), arguments: [100, 50_000])
    func `what is stored after everything was removed stays`(size: Int) async throws {
        let harness = StoreHarness()
        for round in UInt8(1)...20 {
            try await harness.store.store(sampleBytes(size), for: "old\(round)")
            if round.isMultiple(of: 3) { try await harness.store.flush() }
            try await harness.store.removeAll()
            #expect(try await harness.store.entry(for: "old\(round)") == nil)
            try await harness.store.store(sampleBytes(size, seed: round), for: "new")
            #expect(try await harness.store.entry(for: "new")?.body == sampleBytes(size, seed: round))
        }
        try await harness.store.flush()
        #expect(try await harness.store.entry(for: "new")?.body == sampleBytes(size, seed: 20))
        #expect(try await harness.store.statistics().entries == 1)
        #expect(harness.directory.blobs.count == (size > 32 << 10 ? 1 : 0))
        #expect(try await harness.store.verify().isClean)
    }

    @Test(.requirement("B43")) func `writes and reads that race with the opening are all there in the end`()
        async throws
    {
        let harness = StoreHarness()
        try await harness.store("first", for: "before")
        try await harness.store.close()
        let second = harness.another()
        let tasks = (0..<50).map { number in
            Task {
                try await second.store("\(number)", for: "key\(number)")
                _ = try await second.text("before")
            }
        }
        for task in tasks { try await task.value }
        try await second.store.flush()
        #expect(try await second.store.list().count == 51)
        #expect(try await second.text("before") == "first")
    }

    @Test(.requirement("B40")) func `readers see one whole body or another while it is overwritten`() async throws {
        let harness = StoreHarness { $0.inlineLimit = 1000 }
        let other = harness.another { $0.inlineLimit = 1000 }
        try await harness.store.store(sampleBytes(60_000, seed: 0), for: "key")
        try await harness.store.flush()
        let writing = Task {
            for seed in UInt8(1)...100 {
                try await harness.store.store(sampleBytes(60_000, seed: seed), for: "key")
                try await harness.store.flush()
            }
        }
        // Pages of the file's pattern differ only by the seed, so two bytes far apart show the version of each.
        for _ in 0..<300 {
            let body = try #require(try await other.store.entry(for: "key")).body
            let seed = body[0] ^ sampleBytes(1, seed: 0)[0]
            #expect(body == sampleBytes(60_000, seed: seed))
        }
        try await writing.value
        #expect(other.problems.all.isEmpty)
    }

    @Test func `many tasks at once neither lose nor mix up anything`() async throws {
        let harness = StoreHarness { $0.pendingLimit = 200_000 }
        let tasks = (0..<8).map { task in
            Task {
                for number in 0..<60 {
                    let key = "\(task)/\(number)"
                    let body = sampleBytes(number * 1_000, seed: UInt8(task))
                    try await harness.store.store(body, for: ByteString(key))
                    let entry = try await harness.store.entry(for: ByteString(key))
                    #expect(entry?.body == body)
                    if number.isMultiple(of: 5) { try await harness.store.remove(ByteString(key)) }
                }
            }
        }
        for task in tasks { try await task.value }
        try await harness.store.flush()
        #expect(try await harness.store.statistics().entries == 8 * 48)
        #expect(try await harness.store.verify().isClean)
    }

    @Test func `an entry that is overwritten before it is written frees its memory`() async throws {
        let harness = StoreHarness { $0.pendingLimit = 1_000_000 }
        for seed in 0..<100 {
            try await harness.store.store(sampleBytes(600_000, seed: UInt8(seed)), for: "key")
        }
        try await harness.store.flush()
        #expect(try await harness.store.entry(for: "key")?.body == sampleBytes(600_000, seed: 99))
    }
}
