internal import CalotypeHTTP

/// An entity tag (RFC 9110 §8.8.3). A malformed tag never matches strongly; weakly, it matches as if it had quotes.
struct EntityTag: Hashable, Sendable {
    /// The tag as received.
    let text: ByteString
    /// The text between the quotes, or the whole text of a malformed tag.
    let opaque: ByteString
    let isWeak: Bool

    /// - Returns: `nil` for an empty value.
    init?(_ value: ByteString) {
        text = value.trimmed
        guard !text.isEmpty else { return nil }
        let isMarked = text.hasPrefix("W/\"")
        let quoted = text.bytes.dropFirst(isMarked ? 2 : 0)
        let inner = quoted.dropFirst().dropLast()
        let isWellFormed =
            quoted.count >= 2 && quoted.first == 0x22 && quoted.last == 0x22
            && inner.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
        opaque = isWellFormed ? ByteString(bytes: inner) : text
        isWeak = isMarked || !isWellFormed
    }

    /// Compares weakly, for If-None-Match (RFC 9110 §8.8.3.2).
    func matchesWeakly(_ other: EntityTag) -> Bool {
        opaque == other.opaque
    }

    /// Compares strongly, for ranges (RFC 9110 §8.8.3.2).
    func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && matchesWeakly(other)
    }
}

/// The value of If-None-Match or If-Match (RFC 9110 §13.1.1, §13.1.2).
enum EntityTagList: Hashable, Sendable {
    /// `*`, which matches any tag.
    case any
    case tags([EntityTag])

    init(_ text: ByteString) {
        let members = FieldList.members(text)
        self = members == ["*"] ? .any : .tags(members.compactMap(EntityTag.init))
    }
}
