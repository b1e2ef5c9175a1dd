import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeServer

struct CacheListCommand: CacheCommand {
    static let syntax = CommandSyntax(
        name: "cache list", summary: "List the images in the cache.", options: [.cacheDirectory, .limit, .json],
        examples: [
            ("cache list", "one line per image"),
            ("cache list --json --limit 10", "the first ten, as JSON"),
        ])

    private static let pageLength = 1000
    let arguments: Arguments
    private let limit: Int

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        self.arguments = arguments
        limit = try arguments.integer(.limit, in: 1...Int.max) ?? .max
    }

    /// Lists the entries page by page, because a cache may have a million.
    func run(_ store: DiskStore, _ report: (any Record) -> Void) async throws(StoreError) -> ExitStatus {
        var position: Int64?
        var left = limit
        while left > 0, !Task.isCancelled {
            let page = try await store.list(limit: min(left, CacheListCommand.pageLength), after: position)
            guard let last = page.last else { break }
            for entry in page { report(EntryRecord(entry)) }
            left -= page.count
            position = last.position
        }
        return .success
    }
}

private struct EntryRecord: Record {
    /// The URL of an original without user and password, or the key of a processed image or of a server's result.
    let url: String
    let type: String?
    let bytes: Int
    /// The date on which the image was stored, in ISO 8601, like `used` and `expires`.
    let stored: String
    let used: String
    let expires: String?

    init(_ entry: EntrySummary) {
        let head = StoredHead(metadata: entry.metadata)
        let result = head.flatMap { RenditionServer.resultKey(ofEntry: entry.key, url: $0.url) }
        url = (result?.string ?? head?.url.string.nonEmpty ?? entry.key.string).withoutUserInfo
        type = head?.mediaType?.lowercased.string
        bytes = entry.size
        stored = EntryRecord.date(entry.storedAt)
        used = EntryRecord.date(entry.lastUsed)
        expires = entry.expires.map(EntryRecord.date)
    }

    var text: OutputLine {
        let size = Amounts.bytes(bytes)
        let margin = String(repeating: " ", count: max(9 - size.count, 0))
        return "\(margin)\(size)  \(stored)  \(url)"
    }

    private static func date(_ seconds: Double) -> String {
        // A damaged index may have any time.
        let bounded = min(max(seconds, HTTPDate.years.lowerBound), HTTPDate.years.upperBound)
        return Date(timeIntervalSince1970: bounded).formatted(.iso8601)
    }
}

extension Option {
    static let limit = Option("limit", "n", "N", help: "List at most this many images.")
}
