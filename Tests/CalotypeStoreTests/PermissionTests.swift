import CalotypeStore
import Foundation
import TestFiles
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
        #expect(try harness.directory.openToOthers() == [])
    }
}
