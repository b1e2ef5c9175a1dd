internal import CalotypeHTTP

/// The ranges of Accept-Language with their weights (RFC 9110 §12.5.4).
struct LanguageRanges: Hashable, Sendable {
    struct Member: Hashable, Sendable {
        let range: CaselessString
        /// The weight in thousandths, 0 to 1000.
        let weight: Int
    }

    let members: [Member]

    /// Parses the field. Skips members with an invalid weight, or all if there are more than ``FieldList/limit``.
    init(_ text: ByteString) {
        let isShort = FieldList.mostMembers(in: text) <= FieldList.limit
        members = isShort ? FieldList.members(text).compactMap(Self.member) : []
    }

    private static func member(_ text: ByteString) -> Member? {
        let parts = text.split(separator: 0x3B).map(\.trimmed)
        guard let range = parts.first.map(CaselessString.init), !range.isEmpty, parts.count <= 2 else { return nil }
        guard parts.count == 2 else { return Member(range: range, weight: 1000) }
        let weight = parts[1].lowercasedASCII
        guard weight.hasPrefix("q="), let value = QualityValue.parse(weight.dropFirst(2).bytes) else { return nil }
        return Member(range: range, weight: value)
    }

    /// Returns `true` if the range with the highest weight, or the first of several such ranges, matches this language.
    func prefers(_ language: CaselessString) -> Bool {
        guard let best = members.map(\.weight).max(), best > 0,
            let range = members.first(where: { $0.weight == best })?.range
        else { return false }
        // RFC 4647 §3.3.1, basic filtering.
        return range == language || language.lowercased.hasPrefix("\(range.lowercased)-")
    }
}

/// A weight (RFC 9110 §12.4.2).
enum QualityValue {
    /// - Returns: The weight in thousandths, or `nil` if it is malformed.
    static func parse(_ text: some Sequence<UInt8>) -> Int? {
        let bytes = Array(text)
        guard let whole = bytes.first, whole == 0x30 || whole == 0x31, bytes.count <= 5 else { return nil }
        var value = Int(whole - 0x30) * 1000
        guard bytes.count > 1 else { return value }
        guard bytes[1] == 0x2E else { return nil }
        var place = 100
        for byte in bytes[2...] {
            guard byte.isDigit else { return nil }
            value += Int(byte - 0x30) * place
            place /= 10
        }
        return value <= 1000 ? value : nil
    }
}
