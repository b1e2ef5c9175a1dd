@testable import CalotypeStore
import CalotypeTesting
import Foundation
import TestFiles
import Testing

/// iOS ends a suspended process that holds a lock on a file of an app group.
@Suite struct LockTests {
    private func locks(_ harness: StoreHarness) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: harness.directory.path + "/temp")
    }

    @Test func `where no lock may be kept, a store that rests holds none, and goes on writing`() async throws {
        let harness = StoreHarness { $0.keepsLocks = false }
        for round in 0..<3 {
            try await harness.store.store(sampleBytes(50_000), for: "\(round)")
            try await harness.store.flush()
            #expect(try locks(harness) == [])
        }
        #expect(try await harness.store.statistics().entries == 3)
    }

    @Test func `where locks may be kept, a store holds the one of its unfinished files`() async throws {
        let harness = StoreHarness()
        try await harness.store.store(sampleBytes(50_000), for: "key")
        try await harness.store.flush()
        #expect(try locks(harness).count == 1)
    }

    @Test func `a store without a lock at rest and one with it leave each other's entries alone`() async throws {
        let harness = StoreHarness { $0.keepsLocks = false }
        let other = harness.another()
        for round in 0..<5 {
            try await harness.store.store(sampleBytes(50_000), for: "a\(round)")
            try await other.store.store(sampleBytes(50_000), for: "b\(round)")
            try await harness.store.flush()
            try await other.store.flush()
            try await other.store.sweep()
            try await harness.store.sweep()
        }
        #expect(try await harness.store.statistics().entries == 10)
    }

    @Test(arguments: ["CalotypeStore", "CalotypeTransport"])
    func `the privacy manifest gives a reason for looking at the times of files`(target: String) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/\(target)/Apple/PrivacyInfo.xcprivacy")
        let manifest = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
        let accessed = (manifest as? [String: Any])?["NSPrivacyAccessedAPITypes"] as? [[String: Any]]
        let first = try #require(accessed?.first)
        #expect(first["NSPrivacyAccessedAPIType"] as? String == "NSPrivacyAccessedAPICategoryFileTimestamp")
        #expect((first["NSPrivacyAccessedAPITypeReasons"] as? [String])?.contains("C617.1") == true)
    }
}
