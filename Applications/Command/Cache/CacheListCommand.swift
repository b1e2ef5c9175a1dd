import Calotype
import CalotypeStore
import Foundation

/// `calotype cache list`.
struct CacheListCommand: CacheCommand {
    static let syntax = CommandSyntax(
        name: "cache list", summary: "List what the cache holds.", options: [.cacheDirectory, .limit, .json],
        examples: [
            ("cache list", "a line for each image"),
            ("cache list --json --limit 10", "the first ten, for programs"),
        ])

    private static let pageLength = 1000
    let cache: CacheArguments
    private let limit: Int

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        cache = CacheArguments(arguments, context)
        limit = try arguments.integer(.limit, in: 1...Int.max) ?? .max
    }

    /// Lists page by page, since a cache may hold a million entries.
    func run(_ store: DiskStore, _ context: Context) async throws(StoreError) -> ExitStatus {
        var position: Int64?
        var left = limit
        while left > 0, !Task.isCancelled {
            let page = try await store.list(limit: min(left, CacheListCommand.pageLength), after: position)
            guard let last = page.last else { break }
            for entry in page {
                let record = EntryRecord(entry)
                context.console.line(record, isJSON: cache.isJSON)
            }
            left -= page.count
            position = last.position
        }
        return .success
    }
}

private struct EntryRecord: Record {
    /// The URL of the bytes; for images that the loader made itself, the key.
    let url: String
    let type: String?
    let bytes: Int
    /// In ISO 8601, like the other two dates.
    let stored: String
    let used: String
    let expires: String?

    init(_ entry: EntrySummary) {
        let head = StoredHead(metadata: entry.metadata)
        url = head?.url.string.nonEmpty ?? entry.key.string
        type = head?.mediaType?.lowercased.string
        bytes = entry.size
        stored = EntryRecord.date(entry.storedAt)
        used = EntryRecord.date(entry.lastUsed)
        expires = entry.expires.map(EntryRecord.date)
    }

    var text: String {
        let size = Amounts.bytes(bytes)
        let margin = String(repeating: " ", count: max(9 - size.count, 0))
        return "\(margin)\(size)  \(stored)  \(Console.printable(url))"
    }

    private static func date(_ seconds: Double) -> String {
        Date(timeIntervalSince1970: seconds).formatted(.iso8601)
    }
}

extension Option {
    static let limit = Option("limit", "n", "N", help: "As many at most.")
}
