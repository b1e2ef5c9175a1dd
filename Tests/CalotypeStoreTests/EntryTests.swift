import CalotypeBase
@testable import CalotypeStore
import CalotypeTesting
import Foundation
import Requirements
import TestFiles
import Testing

@Suite struct `Storing and reading` {
    @Test(arguments: [0, 1, 32 << 10, (32 << 10) + 1, 1 << 20])
    func `what is stored comes back byte for byte, small and large`(size: Int) async throws {
        let harness = StoreHarness()
        let body = sampleBytes(size)
        try await harness.store.store(body, metadata: Data("meta".utf8), for: "key", expires: 4_000_000_000)
        try await harness.store.flush()
        let entry = try #require(try await harness.store.entry(for: "key"))
        #expect(entry.body == body)
        #expect(entry.metadata == Data("meta".utf8))
        #expect(entry.key == "key")
        #expect(entry.storedAt == harness.clock.wall.now)
        #expect(entry.expires == 4_000_000_000)
        #expect(harness.directory.blobs.count == (size > 32 << 10 ? 1 : 0))
    }

    @Test func `a key never stored is a miss and makes no directory`() async throws {
        let harness = StoreHarness()
        #expect(try await harness.store.entry(for: "key") == nil)
        #expect(try await harness.store.statistics().entries == 0)
        #expect(try await harness.store.list().isEmpty)
        #expect(try await harness.store.verify().isClean)
        #expect(!FileManager.default.fileExists(atPath: harness.directory.path))
    }

    @Test(.requirement("C7")) func `a new store over the same directory finds what was stored`() async throws {
        let first = StoreHarness()
        try await first.store("small", for: "a")
        try await first.store.store(sampleBytes(100_000), for: "b")
        try await first.store.close()
        let second = first.another()
        #expect(try await second.text("a") == "small")
        #expect(try await second.store.entry(for: "b")?.body == sampleBytes(100_000))
    }

    @Test func `a second store replaces the first, and its file`() async throws {
        let harness = StoreHarness()
        for seed in UInt8(1)...3 {
            try await harness.store.store(sampleBytes(50_000, seed: seed), for: "key")
            try await harness.store.flush()
        }
        #expect(try await harness.store.entry(for: "key")?.body == sampleBytes(50_000, seed: 3))
        #expect(harness.directory.blobs.count == 1)
        #expect(try await harness.store.statistics().bodyBytes == 50_000)
    }

    @Test func `new metadata leave the body alone, before the flush and after it`() async throws {
        let harness = StoreHarness()
        try await harness.store.store(sampleBytes(40_000), metadata: Data("old".utf8), for: "key")
        for text in ["new", "newer, and longer"] {
            let entry = try #require(try await harness.store.entry(for: "key"))
            try await harness.store.updateMetadata(Data(text.utf8), of: EntryHead(entry), expires: 3e9)
            let pending = try #require(try await harness.store.entry(for: "key"))
            #expect(pending.metadata == Data(text.utf8))
            try await harness.store.flush()
            let written = try #require(try await harness.store.entry(for: "key"))
            #expect(written.metadata == Data(text.utf8))
            #expect(written.expires == 3e9)
            #expect(written.body == sampleBytes(40_000))
        }
        #expect(try await harness.store.verify().isClean)
    }

    @Test func `metadata meant for an entry that was replaced are not given to its successor`() async throws {
        let harness = StoreHarness()
        try await harness.store("one", for: "key")
        let old = try #require(try await harness.store.entry(for: "key"))
        try await harness.store.store(Data("two".utf8), metadata: Data("two's".utf8), for: "key")
        try await harness.store.updateMetadata(Data("one's".utf8), of: EntryHead(old))
        #expect(try await harness.store.entry(for: "key")?.metadata == Data("two's".utf8))
        try await harness.store.flush()
        try await harness.store.updateMetadata(Data("one's".utf8), of: EntryHead(old))
        #expect(try await harness.store.entry(for: "key")?.metadata == Data("two's".utf8))
        try await harness.store.flush()
        #expect(try await harness.store.entry(for: "key")?.metadata == Data("two's".utf8))
    }

    @Test(.requirement("B39")) func `nothing is stored under the empty key`() async throws {
        let harness = StoreHarness()
        try await harness.store("text", for: "")
        try await harness.store.remove("")
        #expect(try await harness.store.entry(for: "") == nil)
        try await harness.store.flush()
        #expect(try await harness.store.statistics().entries == 0)
    }

    static let oddKeys = [
        "../../etc/passwd", "/", ".", "..", "a\0b", "a", "a\0", "\n", "%2e%2e%2f", "UPPER", "upper", "caf\u{E9}",
        "cafe\u{301}", "👩‍👩‍👧‍👦", " ", "' OR 1=1 --", String(repeating: "x", count: 1_000_000),
        String(repeating: "x", count: 999_999) + "y",
    ]

    @Test(.requirement("B39", "D0.3")) func `every key keeps to itself, however odd or long`() async throws {
        let harness = StoreHarness()
        for (number, key) in Self.oddKeys.enumerated() { try await harness.store("\(number)", for: ByteString(key)) }
        for (number, key) in Self.oddKeys.enumerated() {
            #expect(try await harness.text(ByteString(key)) == "\(number)")
        }
        try await harness.store.flush()
        for (number, key) in Self.oddKeys.enumerated() {
            #expect(try await harness.text(ByteString(key)) == "\(number)")
        }
        #expect(try await harness.store.statistics().entries == Self.oddKeys.count)
        #expect(harness.directory.files.allSatisfy { $0.count < 80 })
    }

    @Test func `a closed store says so`() async throws {
        let harness = StoreHarness()
        try await harness.store("text", for: "key")
        try await harness.store.close()
        await #expect { try await harness.store("text", for: "key") } throws: { ($0 as? StoreError)?.code == .closed }
        await #expect { try await harness.text("key") } throws: { ($0 as? StoreError)?.code == .closed }
    }

    @Test func `closing is not stopped half-way when the caller is cancelled`() async throws {
        let harness = StoreHarness()
        try await harness.store.store(sampleBytes(100_000), for: "key")
        let closing = Task { try await harness.store.close() }
        closing.cancel()
        try await closing.value
        #expect(try await harness.another().store.entry(for: "key")?.body == sampleBytes(100_000))
    }

    @Test func `the list goes by pages, in the order of storing`() async throws {
        let harness = StoreHarness()
        for number in 0..<10 {
            try await harness.store.store(Data(count: number), metadata: Data("\(number)".utf8), for: "\(number)")
            try await harness.store.flush()
        }
        var listed: [EntrySummary] = []
        while true {
            let page = try await harness.store.list(limit: 4, after: listed.last?.position)
            #expect(page.count <= 4)
            if page.isEmpty { break }
            listed += page
        }
        #expect(listed.map(\.key.string) == (0..<10).map(String.init))
        #expect(listed.map(\.size) == Array(0..<10))
        #expect(listed.map { String(decoding: $0.metadata, as: UTF8.self) } == (0..<10).map(String.init))
    }
}
