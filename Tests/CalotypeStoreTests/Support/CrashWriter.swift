import CalotypeStore
import CalotypeTesting
import TestSupport
import Testing
import calotype_crash_writer

extension ChildProgram {
    /// Starts the program that writes until it is killed.
    static func crashWriter(_ arguments: String...) throws -> ChildProgram {
        try ChildProgram("calotype-crash-writer", arguments)
    }
}

/// Expects that every entry is readable and has the crash writer's content for its key, and that the totals are right.
func expectGenuine(_ store: DiskStore) async throws {
    let verification = try await store.verify()
    #expect(verification.isClean, "\(verification)")
    let entries = try await store.list(limit: .max)
    for summary in entries {
        let entry = try #require(try await store.entry(for: summary.key))
        #expect(CrashContents.areGenuine(entry.body, metadata: entry.metadata, key: entry.key.string))
    }
    #expect(try await store.statistics().entries == entries.count)
}
