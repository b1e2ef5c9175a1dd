import CalotypeStore
import Foundation
import Testing

@Suite struct `Permissions` {
    /// Files used to be 0644 and folders 0755: every user of the machine could read a cache.
    @Test func `a store's files and folders are for its user alone, those of its index too`() async throws {
        let harness = StoreHarness(in: TestDirectory())
        try await harness.store.store(sampleBytes(60_000), for: "large")
        try await harness.store.store(sampleBytes(6_000), for: "small")
        try await harness.store.flush()
        let names = harness.directory.files.map { ($0 as NSString).lastPathComponent }
        for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm", "index.lock"] {
            #expect(names.contains(name))
        }
        try expectPrivate(harness.directory)
    }

    @Test func `so are those of a folder of files`() throws {
        let directory = TestDirectory()
        LocalFileDataCache(directory: directory.path).store(value: sampleBytes(100), for: "key")
        #expect(!directory.files.isEmpty)
        try expectPrivate(directory)
    }

    private func expectPrivate(_ directory: TestDirectory) throws {
        let below = FileManager.default.enumerator(atPath: directory.path)?.compactMap { $0 as? String } ?? []
        for path in [directory.path] + below.map({ directory / $0 }) {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let mode = try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
            let isDirectory = attributes[.type] as? FileAttributeType == .typeDirectory
            #expect(mode == (isDirectory ? 0o700 : 0o600), "\(path) \(String(mode, radix: 8))")
        }
    }
}
