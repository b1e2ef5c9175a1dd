import CalotypeStore
import Foundation

/// Removals while no file can grow.
enum FullDisk {
    private static func key(_ number: Int) -> String { "https://example.org/picture/\(number).jpg" }

    static func run(_ directory: String) async throws {
        let store = DiskStore(directory: directory)
        for number in 0..<33 { try await put(number, version: 1, store) }
        try await store.flush()

        Main.limitFileSize(0, for: .now)
        try await put(0, version: 2, store)
        try await store.remove(ByteString(key(1)))
        Console.say("flush \(await outcome { () throws(StoreError) in try await store.flush() })")
        Console.say("replaced \(try await version(0, store)), removed \(try await version(1, store))")
        Console.say("others \(try await version(2, store)), \(try await version(32, store))")
        Console.say("removeAll \(await outcome { () throws(StoreError) in try await store.removeAll() })")
        Console.say("entries \(try await DiskStore(directory: directory).statistics().entries)")

        Main.limitFileSize(.max, for: .now)
        // A write in the background may have failed since the last flush: this one throws that error.
        _ = try? await store.flush()
        try await put(0, version: 3, store)
        Console.say("flush \(await outcome { () throws(StoreError) in try await store.flush() })")
        Console.say("stored \(try await version(0, store)), removed \(try await version(2, store))")
    }

    /// Stores an entry. Every other one is too large for the index.
    private static func put(_ number: Int, version: UInt64, _ store: DiskStore) async throws {
        let body = CrashContents.body(
            key: key(number), number: version, size: number.isMultiple(of: 2) ? 60_000 : 6_000)
        try await store.store(
            body, metadata: CrashContents.metadata(key: key(number), number: version), for: ByteString(key(number)))
    }

    private static func version(_ number: Int, _ store: DiskStore) async throws -> String {
        guard let entry = try await store.entry(for: ByteString(key(number))) else { return "-" }
        guard CrashContents.areGenuine(entry.body, metadata: entry.metadata, key: key(number)) else { return "WRONG" }
        return String(decoding: entry.metadata, as: UTF8.self).split(separator: "\n").last.map(String.init) ?? "WRONG"
    }

    private static func outcome(_ work: () async throws(StoreError) -> Void) async -> String {
        do throws(StoreError) {
            try await work()
            return "done"
        } catch {
            return "failed"
        }
    }
}

/// Reads all entries as a user without write permission in the directory.
enum Reading {
    static func run(_ directory: String) async throws {
        // The superuser may write anywhere.
        if geteuid() == 0, setgid(65_534) != 0 || setuid(65_534) != 0 { return Console.complain("no other user") }
        // The test's clock may have another date.
        var options = DiskStoreOptions()
        options.maximumAge = nil
        let store = DiskStore(directory: directory, options: options) { Console.say("problem \($0)") }
        for summary in try await store.list(limit: .max) {
            let body = try await store.entry(for: summary.key)?.body.count
            Console.say("\(summary.key) \(body.map(String.init) ?? "-")")
        }
        Console.say("done")
    }
}
