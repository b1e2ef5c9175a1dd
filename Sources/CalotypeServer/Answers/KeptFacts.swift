import CalotypeBase
import CalotypeHTTP

// Facts about a result that the cache of results stores, for the log alone: the reason of a failure, or of a file that is
// larger than its URL wants, and the format and the size of the source. They pass through the cache in fields of the response,
// so that a stored one is logged like a new one. They never reach a client.

/// The format and the size of a source.
struct SourceFacts: Hashable, Sendable {
    let format: ByteString
    /// The size in bytes; `nil` if the origin has stated none.
    let bytes: Int?
}

extension HTTPFields {
    private static let reasonName: CaselessString = "Calotype-Reason"
    private static let sourceName: CaselessString = "Calotype-Source"

    mutating func keep(reason: String) {
        self[Self.reasonName] = ByteString(reason.prefix(1000)).percentEncoded {
            (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "%")
        }
    }

    mutating func keep(_ source: SourceFacts) {
        self[Self.sourceName] = "\(source.format)\(source.bytes.map { " \($0)" } ?? "")"
    }

    /// Removes the reason, and returns it.
    mutating func takeReason() -> String? {
        guard let reason = self[Self.reasonName] else { return nil }
        self[Self.reasonName] = nil
        return reason.percentDecoded?.string
    }

    /// The fields without the facts about the source, which other nodes do not take from a page.
    var withoutSource: HTTPFields {
        var fields = self
        _ = fields.takeSource()
        return fields
    }

    /// Removes the facts about the source, and returns them.
    mutating func takeSource() -> SourceFacts? {
        guard let words = self[Self.sourceName]?.split(separator: 0x20) else { return nil }
        self[Self.sourceName] = nil
        return SourceFacts(format: words[0], bytes: words.count > 1 ? words[1].asDigits : nil)
    }
}
