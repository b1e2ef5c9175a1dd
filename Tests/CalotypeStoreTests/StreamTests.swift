import CalotypeTesting
import Foundation
import TestFiles
import Testing
import Waiting

@testable import CalotypeStore

/// Bodies that are written while they arrive.
@Suite struct `A body written piece by piece` {
    private let harness = StoreHarness { $0.byteLimit = 10_000_000 }
    private var store: DiskStore { harness.store }
    private let block = BlockSums.blockSize

    private func chunks(_ bytes: Data, of size: Int) -> [Data] {
        stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
    }

    private func write(_ bytes: Data, by size: Int = 70_001) async throws -> EntryWriter {
        let writer = try #require(try await store.entryWriter(length: bytes.count))
        for chunk in chunks(bytes, of: size) { try await store.append([chunk], to: writer) }
        return writer
    }

    private var unfinished: [String] {
        harness.directory.files.filter { $0.hasPrefix("temp/") && !$0.hasSuffix(".lock") }
    }

    @Test(arguments: [1, 262_143, 262_144, 262_145, 524_288, 3_000_000], [70_001, 262_144])
    func `is an entry after its commit, with the checksums of a body stored whole`(size: Int, piece: Int) async throws {
        let bytes = sampleBytes(size)
        let writer = try await write(bytes, by: piece)
        #expect(try await store.entry(for: "a") == nil)
        try await store.commit(writer, metadata: Data("m".utf8), for: "a")
        let entry = try #require(try await store.entry(for: "a"))
        #expect(entry.body == bytes && entry.metadata == Data("m".utf8))
        let head = try #require(try await store.head(for: "a"))
        #expect(try await store.file(of: head, covering: 0..<size) != nil)
        #expect(try await store.read(0..<size, of: writer) == bytes)
        #expect(try await store.verify().isClean)
        #expect(harness.problems.all.isEmpty && unfinished.isEmpty)
    }

    @Test func `is read back while it is written`() async throws {
        let bytes = sampleBytes(500_000)
        let writer = try await write(bytes)
        #expect(try await store.read(100..<400_000, of: writer) == bytes[100..<400_000])
        await #expect(throws: StoreError.self) { try await store.read(499_999..<500_001, of: writer) }
    }

    @Test func `leaves nothing if it is released`() async throws {
        var writer: EntryWriter? = try await write(sampleBytes(500_000))
        #expect(unfinished.count == 1 && store.streamRoom.reserved == 500_000)
        #expect(writer != nil)
        writer = nil
        await waitUntil { unfinished.isEmpty && store.streamRoom.reserved == 0 }
        #expect(try await store.statistics().entries == 0)
    }

    @Test func `replaces the entry under its key, and none before`() async throws {
        try await harness.store("old", for: "a")
        let writer = try await write(sampleBytes(500_000))
        #expect(try await harness.text("a") == "old")
        try await store.commit(writer, metadata: Data(), for: "a")
        #expect(try await store.entry(for: "a")?.body == sampleBytes(500_000))
        try await store.remove("a")
        #expect(try await store.entry(for: "a") == nil)
        try await store.flush()
        #expect(harness.directory.blobs.isEmpty)
    }

    @Test func `makes older entries give way as it arrives`() async throws {
        for number in 0..<9 { try await store.store(sampleBytes(1_000_000), for: "old \(number)") }
        try await store.flush()
        let writer = try await write(sampleBytes(6_000_000))
        let bytes = try await store.statistics().bytes
        #expect(bytes + 6_000_000 <= 10_000_000 + 16 << 20)
        #expect(bytes < 9_000_000)
        try await store.commit(writer, metadata: Data(), for: "a")
        #expect(try await store.statistics().bytes <= 10_000_000)
        #expect(try await store.entry(for: "a")?.body.count == 6_000_000)
    }

    @Test(arguments: [(6_999_998, true), (6_999_999, false), (7_000_000, false)])
    func `is at most as large as the largest entry`(_ size: Int, isStored: Bool) async throws {
        // The key and the row count, too.
        let length = size - DiskStoreOptions.entryOverhead
        guard let writer = try await store.entryWriter(length: length) else {
            #expect(!isStored)
            return
        }
        for chunk in chunks(sampleBytes(length), of: 1 << 20) { try await store.append([chunk], to: writer) }
        if isStored {
            try await store.commit(writer, metadata: Data(), for: "a")
        } else {
            let error = await #expect(throws: StoreError.self) {
                try await store.commit(writer, metadata: Data("m".utf8), for: "a")
            }
            #expect(error?.code == .tooLarge)
        }
        #expect(try await store.statistics().entries == (isStored ? 1 : 0))
    }

    @Test func `of unknown length stops at the size of the largest entry`() async throws {
        let writer = try #require(try await store.entryWriter(length: nil))
        let error = await #expect(throws: StoreError.self) {
            for _ in 0..<8 { try await store.append([sampleBytes(1_000_000)], to: writer) }
        }
        #expect(error?.code == .tooLarge && writer.size == 7_000_000)
        #expect(try await store.entryWriter(length: 1_000_000) == nil)
    }

    @Test func `is deleted by the next sweep if its process has died`() async throws {
        let path = "\(harness.directory.path)/temp/0123456789abcdef-1"
        _ = try await write(sampleBytes(10))
        try Data("unfinished".utf8).write(to: URL(fileURLWithPath: path))
        try await store.sweep()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `is verified piece by piece when it is read`() async throws {
        let bytes = sampleBytes(1_000_000)
        try await store.commit(try await write(bytes), metadata: Data(), for: "a")
        let head = try #require(try await store.head(for: "a"))
        let pieces = try #require(try await store.pieces(of: head))
        #expect(try await store.read(5..<block, of: pieces) == bytes[5..<block])
        try harness.directory.edit(harness.directory.blobs[0]) { $0[block + 9] ^= 1 }
        #expect(try await store.read(0..<9, of: pieces) == bytes[0..<9])
        // The file was replaced, and the open one is intact.
        let other = harness.another { $0.byteLimit = 10_000_000 }
        let damaged = try #require(try await other.store.pieces(of: head))
        #expect(try await other.store.read(0..<block, of: damaged) == bytes[0..<block])
        #expect(try await other.store.read(block..<block + 1, of: damaged) == nil)
        #expect(other.problems.codes == [.damagedEntry])
        #expect(try await other.store.entry(for: "a") == nil)
    }

    @Test func `gets a second name without a copy`() async throws {
        let bytes = sampleBytes(1_000_000)
        try await store.commit(try await write(bytes), metadata: Data(), for: "a")
        let head = try #require(try await store.head(for: "a"))
        #expect(try await store.link(head, metadata: Data("m".utf8), as: "b"))
        try await store.remove("a")
        try await store.flush()
        let entry = try #require(try await store.entry(for: "b"))
        #expect(entry.body == bytes && entry.metadata == Data("m".utf8))
        #expect(try await store.link(head, metadata: Data(), as: "c") == false)
        #expect(try await store.verify().isClean && harness.directory.blobs.count == 1)
    }

    @Test func `is not stored after the store was emptied under it`() async throws {
        let writer = try await write(sampleBytes(500_000))
        harness.directory.delete()
        await #expect(throws: StoreError.self) { try await store.commit(writer, metadata: Data(), for: "a") }
        #expect(try await store.entry(for: "a") == nil)
    }

    @Test func `in its hundreds gives everything back`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { [store] in
                    let writer = try #require(try await store.entryWriter(length: 30_000))
                    try await store.append([sampleBytes(30_000)], to: writer)
                    if number % 2 == 0 { try await store.commit(writer, metadata: Data(), for: "\(number)") }
                }
            }
            try await group.waitForAll()
        }
        await waitUntil { store.streamRoom.reserved == 0 && unfinished.isEmpty }
        #expect(try await store.statistics().entries == 100)
        #expect(try await store.verify().isClean)
    }
}
