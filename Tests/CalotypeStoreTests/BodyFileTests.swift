import CalotypeTesting
import Foundation
import TestFiles
import Testing
import Waiting

@testable import CalotypeStore

/// Bodies sent directly from their files.
@Suite struct `Bodies as files` {
    private let size = 3_000_000
    private let block = BlockSums.blockSize

    private func filled() async throws -> StoreHarness {
        let harness = StoreHarness()
        try await harness.store.store(sampleBytes(size), for: "large")
        try await harness.store.flush()
        return harness
    }

    private func file(_ harness: StoreHarness, _ range: Range<Int>) async throws -> StoredFile? {
        let head = try #require(try await harness.store.head(for: "large"))
        return try await harness.store.file(of: head, covering: range)
    }

    @Test(arguments: [0..<1, 100..<300_000, 2_999_999..<3_000_000, 0..<3_000_000])
    func `a part is read from the file`(_ range: Range<Int>) async throws {
        let harness = try await filled()
        let file = try #require(try await file(harness, range))
        #expect(try await harness.store.read(range, of: file) == sampleBytes(size)[range])
    }

    // `Range: bytes=0-0` used to read the whole file.
    @Test func `only the blocks of the part are held against their checksums`() async throws {
        let harness = try await filled()
        try harness.directory.edit(harness.directory.blobs[0]) { $0[5 * block + 7] ^= 4 }
        #expect(try await file(harness, 0..<1) != nil)
        #expect(try await file(harness, 0..<5 * block) != nil)
        #expect(try await file(harness, 6 * block..<size) != nil)
        #expect(harness.problems.all.isEmpty)
        #expect(try await file(harness, 5 * block - 1..<5 * block + 1) == nil)
        #expect(harness.problems.codes == [.damagedEntry])
        try await harness.store.flush()
        #expect(harness.directory.blobs.isEmpty)
    }

    @Test(arguments: ["cut", "emptied", "grown", "flipped"])
    func `a damaged body is never given as a file`(how: String) async throws {
        let harness = try await filled()
        try harness.directory.edit(harness.directory.blobs[0]) { file in
            switch how {
            case "cut": file.removeLast(1)
            case "emptied": file = Data()
            case "grown": file.append(0)
            default: file[2_999_999] ^= 1
            }
        }
        #expect(try await file(harness, 0..<size) == nil)
        #expect(harness.problems.codes == [.damagedEntry])
    }

    @Test(arguments: SpecialFile.allCases)
    func `nothing but a regular file is opened`(_ kind: SpecialFile) async throws {
        let harness = try await filled()
        try harness.directory.replace(harness.directory.blobs[0], by: kind)
        #expect(try await file(harness, 0..<1) == nil)
        #expect(harness.problems.codes == [.damagedEntry])
    }

    @Test func `readers share a file, which is verified once`() async throws {
        let harness = try await filled()
        let first = try #require(try await file(harness, 0..<size))
        // Changes while the file is open go unnoticed: it was verified at its opening.
        try harness.directory.edit(harness.directory.blobs[0]) { $0[0] ^= 4 }
        #expect(try await file(harness, 0..<size) === first)
        #expect(try await file(harness, 7..<9) === first)
    }

    @Test func `a body that was stored without sums of its blocks is verified as a whole, once`() async throws {
        let harness = try await filled()
        try await harness.store.onWriter { writer throws(StoreError) in
            var outcome = WriteOutcome()
            try writer.open(&outcome).index.connection.script("DROP TABLE block_sums")
        }
        let again = harness.another()
        let file = try #require(try await file(again, 0..<1))
        #expect(file.isVerified(0..<size))
        try harness.directory.edit(harness.directory.blobs[0]) { $0[size - 1] ^= 4 }
        #expect(try await self.file(harness.another(), 0..<1) == nil)
    }

    @Test func `sums that are damaged themselves count as none`() async throws {
        let harness = try await filled()
        try await harness.store.onWriter { writer throws(StoreError) in
            var outcome = WriteOutcome()
            try writer.open(&outcome).index.connection.script("UPDATE block_sums SET sums = zeroblob(length(sums))")
        }
        #expect(try await file(harness.another(), 0..<1)?.isVerified(0..<size) == true)
    }

    @Test func `the sums go with their entry`() async throws {
        let harness = try await filled()
        try await harness.store.store(sampleBytes(size, seed: 2), for: "large")
        try await harness.store.store(sampleBytes(size), for: "other")
        try await harness.store.remove("other")
        try await harness.store.flush()
        let count = { (harness: StoreHarness) async throws in
            try await harness.store.onWriter { writer throws(StoreError) in
                var outcome = WriteOutcome()
                return try writer.open(&outcome).index.connection.first("SELECT count(*) FROM block_sums") { $0.int(0) }
            }
        }
        #expect(try await count(harness) == 1)
        try await harness.store.removeAll()
        try await harness.store.flush()
        #expect(try await count(harness) == 0)
        try await harness.store.store(sampleBytes(size), for: "large")
        try await harness.store.flush()
        #expect(try await count(harness) == 1)
    }

    // An open file would keep its space occupied.
    @Test(.timeLimit(.minutes(1)))
    func `a file that was removed does not stay open`() async throws {
        let harness = try await filled()
        weak let open = try await file(harness, 0..<1)
        #expect(open != nil)
        try await harness.store.remove("large")
        try await harness.store.flush()
        // The thread that opened the file may hold it a moment longer.
        await waitUntil { open == nil }
        #expect(open == nil)
    }

    @Test func `of many files those used last stay open`() {
        let files = OpenFiles(limit: 2)
        let names = (0..<3).map { BlobName(hash: KeyHash(high: 0, low: UInt64($0)), version: 1) }
        func insert(_ number: Int) throws {
            files.insert(StoredFile(try FileDescriptor("/dev/null", O_RDONLY), size: 0), names[number])
        }
        #expect(throws: Never.self) { try insert(0) }
        #expect(throws: Never.self) { try insert(1) }
        _ = files[names[0]]
        #expect(throws: Never.self) { try insert(2) }
        #expect(files[names[0]] != nil && files[names[1]] == nil && files[names[2]] != nil)
    }
}
