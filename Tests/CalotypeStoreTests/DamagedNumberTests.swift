import Foundation
import TestFiles
import Testing

@testable import CalotypeStore

/// Numbers in a damaged index.
struct DamagedNumberTests {
    static let numbers = [Int64.max, .min, -1, 0, 1 << 62]

    @Test(arguments: numbers) func `no number in the index ends the process`(number: Int64) async throws {
        let harness = StoreHarness()
        for key in ["a", "b", "c"] { try await harness.store("text", for: ByteString(key)) }
        try await harness.store.close()
        let index = try SQLiteConnection(path: harness.directory / "index.sqlite", creates: false, busyTimeout: .zero)
        try index.run("UPDATE entries SET size = \(number), last_used = \(number), cost = \(number)")
        try index.run("UPDATE entries SET stored_at = 1e308, expires = 9e307")
        try index.run("UPDATE totals SET bytes = \(number), body_bytes = \(number), entries = \(number)")
        let other = harness.another()
        _ = try await other.store.statistics()
        #expect(try await other.store.list().count == 3)
        _ = try? await other.store.entry(for: "a")
        try? await other.store.trim(toBytes: 1)
        _ = try? await other.store.verify()
        try await other.store("more", for: "d")
        try await other.store.flush()
        _ = try await other.text("d")
    }
}
