import CalotypeBase
@testable import CalotypeStore
import CalotypeTesting
import Foundation
import Requirements
import TestFiles
import Testing

@Suite struct `Bounds` {
    private static func room(for count: Int, of size: Int) -> Int {
        count * (size + 3 + DiskStoreOptions.entryOverhead)
    }

    @Test(.requirement("C7", "B37", "D0.9")) func `the write that exceeds the limit trims to the ratio`() async throws {
        let harness = StoreHarness { $0.byteLimit = Self.room(for: 10, of: 40_000) }
        for number in 100..<110 { try await harness.store.store(sampleBytes(40_000), for: "\(number)") }
        try await harness.store.flush()
        #expect(try await harness.store.statistics().entries == 10)
        // A read protects an entry: this one is no longer the oldest.
        #expect(try await harness.store.entry(for: "100") != nil)
        try await harness.store.store(sampleBytes(40_000), for: "110")
        try await harness.store.flush()
        let left = try await harness.store.list().map(\.key)
        #expect(left == ["100", "105", "106", "107", "108", "109", "110"])
        #expect(harness.directory.blobs.count == 7)
        let statistics = try await harness.store.statistics()
        #expect(statistics.evictions == 4)
        #expect(statistics.bytes == Self.room(for: 7, of: 40_000))
    }

    @Test func `an entry larger than what a trim leaves is refused`() async throws {
        let harness = StoreHarness { $0.byteLimit = 100_000 }
        await #expect {
            try await harness.store.store(sampleBytes(70_000), for: "key")
        } throws: { ($0 as? StoreError)?.code == .tooLarge }
        #expect(try await harness.store.entry(for: "key") == nil)
    }

    @Test func `a program that looks after another's store reports that program's limit, and leaves it`() async throws {
        let own = StoreHarness { $0.byteLimit = 123_456 }
        try await own.store("text", for: "key")
        try await own.store.close()
        let caretaker = own.another { $0.adoptsLimit = true }
        #expect(try await caretaker.store.statistics().byteLimit == 123_456)
        try await caretaker.store.remove("key")
        try await caretaker.store.close()
        #expect(try await own.another { $0.adoptsLimit = true }.store.statistics().byteLimit == 123_456)

        let later = own.another { $0.byteLimit = 654_321 }
        #expect(try await later.store.statistics().byteLimit == 654_321)
        try await later.store("text", for: "key")
        try await later.store.close()
        #expect(try await own.another { $0.adoptsLimit = true }.store.statistics().byteLimit == 654_321)
    }

    @Test func `with a limit of 0 nothing is stored`() async throws {
        let harness = StoreHarness { $0.byteLimit = 0 }
        await #expect { try await harness.store("text", for: "key") } throws: { ($0 as? StoreError)?.code == .tooLarge }
    }

    @Test(.requirement("C7")) func `a trim leaves no more than asked for, and the newest`() async throws {
        let harness = StoreHarness()
        for number in 100..<110 { try await harness.store.store(sampleBytes(1_000), for: "\(number)") }
        try await harness.store.trim(toBytes: Self.room(for: 3, of: 1_000))
        #expect(try await harness.store.list().map(\.key).sorted() == ["107", "108", "109"])
        try await harness.store.trim(toBytes: 0)
        #expect(try await harness.store.statistics().entries == 0)
    }

    @Test func `totals are right after everything that changes them`() async throws {
        let harness = StoreHarness()
        func check(_ entries: Int, _ bodyBytes: Int) async throws {
            try await harness.store.flush()
            let statistics = try await harness.store.statistics()
            #expect(statistics.entries == entries)
            #expect(statistics.bodyBytes == bodyBytes)
            #expect(try await !harness.store.verify().totalsWereWrong)
        }
        for number in 0..<5 { try await harness.store.store(sampleBytes(number * 20_000), for: "\(number)") }
        try await check(5, 200_000)
        try await harness.store.store(sampleBytes(10), for: "4")
        try await check(5, 120_010)
        let entry = try #require(try await harness.store.entry(for: "3"))
        try await harness.store.updateMetadata(sampleBytes(777), of: EntryHead(entry))
        try await check(5, 120_010)
        try await harness.store.remove("3")
        try await check(4, 60_010)
        try await harness.store.remove("3")
        try await check(4, 60_010)
        try await harness.store.trim(toBytes: 1_000)
        try await check(1, 10)
        try await harness.store.removeAll()
        try await check(0, 0)
        try await harness.store("text", for: "key")
        try await check(1, 4)
    }

    @Test(.requirement("B49")) func `by default an entry's age counts from its last use`() async throws {
        let harness = StoreHarness { $0.maximumAge = .seconds(100) }
        try await harness.store("text", for: "used")
        try await harness.store("text", for: "unused")
        try await harness.store.flush()
        harness.clock.advance(by: .seconds(60))
        #expect(try await harness.text("used") == "text")
        harness.clock.advance(by: .seconds(60))
        #expect(try await harness.text("used") == "text")
        #expect(try await harness.text("unused") == nil)
        try await harness.store.flush()
        #expect(try await harness.store.statistics().entries == 1)
        try await harness.store.close()
        #expect(try await harness.another { $0.maximumAge = .seconds(100) }.text("used") == "text")
    }

    @Test(.requirement("B49")) func `an age that counts from the storing does not grow younger by reading`()
        async throws
    {
        let harness = StoreHarness {
            $0.maximumAge = .seconds(100)
            $0.renewsAgeOnRead = false
        }
        try await harness.store("text", for: "key")
        harness.clock.advance(by: .seconds(60))
        #expect(try await harness.text("key") == "text")
        harness.clock.advance(by: .seconds(40))
        #expect(try await harness.text("key") == nil)
    }

    @Test(arguments: [true, false])
    func `an entry past its own date is a miss, written or not`(isFlushed: Bool) async throws {
        let harness = StoreHarness()
        try await harness.store.store(Data("text".utf8), for: "key", expires: harness.clock.wall.now + 10)
        if isFlushed { try await harness.store.flush() }
        #expect(try await harness.text("key") == "text")
        harness.clock.advance(by: .seconds(10))
        #expect(try await harness.text("key") == nil)
    }

    @Test(arguments: [Double.nan, .infinity, -1, 1])
    func `a share or a limit that is out of range is named, and does no harm`(ratio: Double) async throws {
        var options = DiskStoreOptions()
        options.trimRatio = ratio
        options.byteLimit = .max
        if ratio == 1 { try options.validate() } else { #expect(throws: StoreError.self) { try options.validate() } }
        options.pendingLimit = .min
        options.inlineLimit = .min
        #expect(throws: StoreError.self) { try options.validate() }
        options.busyTimeout = .seconds(Int64.max)
        let given = options
        let harness = StoreHarness { $0 = given }
        if ratio == -1 {
            await #expect(throws: StoreError.self) { try await harness.store("text", for: "key") }
        } else {
            try await harness.store("text", for: "key")
            try await harness.store.flush()
            #expect(try await harness.text("key") == "text")
        }
    }

    @Test func `hits, misses and writes are counted`() async throws {
        let harness = StoreHarness()
        try await harness.store("text", for: "key")
        try await harness.store.flush()
        _ = try await harness.text("key")
        _ = try await harness.text("other")
        let statistics = try await harness.store.statistics()
        #expect(statistics.writes == 1)
        #expect(statistics.hits == 1)
        #expect(statistics.misses == 1)
    }
}
