import CalotypeStore
import CalotypeTesting
import Foundation
import Requirements
import TestFiles
import Testing

@Suite struct `Damage` {
    /// Returns a store with one small and one large entry, both on disk.
    private static func filled(_ configure: (inout DiskStoreOptions) -> Void = { _ in }) async throws -> StoreHarness {
        let harness = StoreHarness(configure)
        try await harness.store.store(sampleBytes(60_000), metadata: Data("large".utf8), for: "large")
        try await harness.store.store(sampleBytes(6_000), metadata: Data("MARKED METADATA".utf8), for: "small")
        try await harness.store.flush()
        return harness
    }

    @Test(.requirement("C6"), arguments: ["cut", "emptied", "grown", "flipped"])
    func `a damaged file is never served, but deleted and reported`(how: String) async throws {
        let harness = try await Self.filled()
        try harness.directory.edit(harness.directory.blobs[0]) { file in
            switch how {
            case "cut": file.removeLast(1)
            case "emptied": file = Data()
            case "grown": file.append(0)
            default: file[30_000] ^= 4
            }
        }
        #expect(try await harness.store.entry(for: "large") == nil)
        #expect(harness.problems.codes == [.damagedEntry])
        #expect(harness.problems.all.first?.key == "large")
        try await harness.store.flush()
        #expect(harness.directory.blobs.isEmpty)
        #expect(try await harness.store.statistics().entries == 1)
        #expect(try await harness.store.entry(for: "small") != nil)
        #expect(try await harness.store.statistics().damaged == 1)
        // And it can be stored again.
        try await harness.store.store(sampleBytes(60_000, seed: 9), for: "large")
        try await harness.store.flush()
        #expect(try await harness.store.entry(for: "large")?.body == sampleBytes(60_000, seed: 9))
    }

    @Test(.requirement("B42", "D0.2")) func `an entry whose file is gone is a miss and is deleted`() async throws {
        let harness = try await Self.filled()
        try FileManager.default.removeItem(atPath: harness.directory / harness.directory.blobs[0])
        #expect(try await harness.store.entry(for: "large") == nil)
        #expect(harness.problems.codes == [.missingBody])
        try await harness.store.flush()
        #expect(try await harness.store.statistics().entries == 1)
    }

    // B42: an entry with unreadable metadata is deleted, reported and a miss. Opening a pipe for reading would wait for
    // a writer that never comes.
    @Test(arguments: SpecialFile.allCases)
    func `what was put in a file's place is not waited for, but a miss and deleted`(kind: SpecialFile) async throws {
        let harness = try await Self.filled()
        let blob = harness.directory.blobs[0]
        try harness.directory.replace(blob, by: kind)
        #expect(try await harness.store.entry(for: "large") == nil)
        #expect(harness.problems.codes == [.damagedEntry])
        try await harness.store.flush()
        #expect(try await harness.store.statistics().entries == 1)
        #expect(kind == .directory || !harness.directory.exists(blob))
    }

    @Test func `an entry whose metadata were changed behind our back is a miss and is deleted`() async throws {
        let harness = try await Self.filled()
        try await harness.store.close()
        try harness.directory.edit("index.sqlite") { file in
            let place = file.range(of: Data("MARKED METADATA".utf8))
            if let place { file[place.lowerBound] = UInt8(ascii: "X") }
        }
        let later = harness.another()
        #expect(try await later.store.entry(for: "small") == nil)
        #expect(later.problems.codes == [.damagedEntry])
        try await later.store.flush()
        #expect(try await later.store.list().map(\.key) == ["large"])
    }

    @Test func `a small body changed behind our back is a miss and is deleted`() async throws {
        let harness = try await Self.filled()
        try await harness.store.close()
        try harness.directory.edit("index.sqlite") { file in
            let place = file.range(of: sampleBytes(1_000))
            if let place { file[place.lowerBound + 500] ^= 1 }
        }
        let later = harness.another()
        #expect(try await later.store.entry(for: "small") == nil)
        #expect(later.problems.codes == [.damagedEntry])
    }

    @Test func `verify finds every kind of damage, repairs it, and is clean the second time`() async throws {
        let harness = try await Self.filled()
        for number in 0..<5 { try await harness.store.store(sampleBytes(40_000), for: "\(number)") }
        try await harness.store.flush()
        let blobs = harness.directory.blobs
        try harness.directory.edit(blobs[0]) { $0[5] ^= 1 }
        try harness.directory.edit(blobs[1]) { $0.removeLast() }
        try FileManager.default.removeItem(atPath: harness.directory / blobs[2])
        let orphan = harness.directory / (blobs[3].dropLast(16) + "0123456789abcdef")
        try sampleBytes(10).write(to: URL(fileURLWithPath: orphan))

        let found = try await harness.store.verify()
        #expect(found.checked == 7)
        #expect(found.damaged == 2)
        #expect(found.missing == 1)
        #expect(found.orphans == 1)
        #expect(!found.isClean)
        let again = try await harness.store.verify()
        #expect(again.checked == 4)
        #expect(again.isClean && again.orphans == 0)
        #expect(try await harness.store.statistics().entries == 4)
    }

    @Test func `verify is not clean if it replaces a damaged index`() async throws {
        let harness = try await Self.filled()
        try await harness.store.close()
        // SQLite's header, from byte 36: the number of free pages. Only the check of the structure compares it.
        try harness.directory.edit("index.sqlite") { $0[39] = 5 }
        let later = harness.another()
        let found = try await later.store.verify()
        #expect(found.checked == 2 && found.indexWasReplaced && !found.isClean)
        #expect(later.problems.codes == [.damagedIndex])
        #expect(try await later.store.verify().isClean)
    }

    static let ruins: [@Sendable (inout Data) -> Void] = [
        { $0 = Data("this is no database".utf8) },
        { $0.removeLast($0.count / 2) },
        { for place in 0..<100 { $0[place] = 0xFF } },
        { file in for place in 200..<file.count { file[place] = UInt8(truncatingIfNeeded: place) } },
        { $0 = Data() },
    ]

    @Test(arguments: ruins.indices)
    func `a damaged database is made anew, reported, and never in the way`(number: Int) async throws {
        let harness = try await Self.filled()
        for number in 0..<100 { try await harness.store.store(sampleBytes(5_000), for: "\(number)") }
        try await harness.store.close()
        try harness.directory.edit("index.sqlite", Self.ruins[number])

        let later = harness.another()
        for key in ["large", "small", "50"] {
            let entry = try await later.store.entry(for: ByteString(key))
            #expect(entry == nil || entry?.body == sampleBytes(key == "50" ? 5_000 : key == "small" ? 6_000 : 60_000))
        }
        try await later.store("text", for: "key")
        try await later.store.flush()
        #expect(try await later.text("key") == "text")
        #expect(try await later.store.verify().isClean)
        if number != 4 { #expect(later.problems.codes.contains(.damagedIndex)) }
        try await later.store.sweep()
        let entries = try await later.store.list().filter { $0.size > 32 << 10 }.count
        #expect(later.directory.blobs.count == entries)
        #expect(!later.directory.files.contains { $0.hasPrefix("discarded-") })
    }

    @Test func `a database ruined while it is open is made anew`() async throws {
        let harness = try await Self.filled()
        for number in 0..<300 { try await harness.store.store(sampleBytes(9_000), for: "\(number)") }
        try await harness.store.flush()
        let other = harness.another()
        _ = try await other.store.entry(for: "small")
        // In place, as a bad disk would; both stores keep their connections.
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: harness.directory / "index.sqlite"))
        try file.seek(toOffset: 0)
        try file.write(contentsOf: Data(repeating: 0xAB, count: 400_000))
        try file.close()
        try? FileManager.default.removeItem(atPath: harness.directory / "index.sqlite-wal")

        for number in 0..<300 { _ = try? await other.store.entry(for: "\(number)") }
        for round in 0..<3 {
            // The next read or write on disk finds the damage; that operation fails, later ones succeed.
            try? await harness.store("text", for: "\(round)")
            try? await harness.store.flush()
            _ = try? await harness.text("\(round)")
            try? await harness.store.flush()
        }
        try await harness.store("text", for: "key")
        try await harness.store.flush()
        #expect(try await harness.text("key") == "text")
        #expect(try await other.text("key") == "text")
        #expect(harness.problems.codes.contains(.damagedIndex) || other.problems.codes.contains(.damagedIndex))
    }

    @Test func `an index of another version is made anew and reported`() async throws {
        let harness = try await Self.filled()
        try await harness.store.close()
        // SQLite stores `user_version` at offset 60 of the file, big-endian.
        try harness.directory.edit("index.sqlite") { $0[63] = 99 }
        let later = harness.another()
        #expect(try await later.store.entry(for: "small") == nil)
        try await later.store("text", for: "key")
        try await later.store.flush()
        #expect(later.problems.codes == [.otherVersion])
        #expect(try await later.store.list().map(\.key) == ["key"])
        #expect(later.directory.blobs.isEmpty)
    }

    @Test func `a problem reads without the password of its entry's URL`() {
        let problem = StoreProblem(.damagedEntry, key: "http\nhttp://anna:secret@host/", "gone")
        #expect("\(problem)" == "gone [http\nhttp://host/]")
    }
}
