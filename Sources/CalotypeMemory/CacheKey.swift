public import CalotypeBase

/// The key of an entry: a text, with its hash computed once.
///
/// Make a key once per request and use it for every lookup. Two keys are equal if their whole texts are equal. The hash
/// alone never decides: even for two URLs with the same hash, the cache does not return the image of one for the other.
public struct CacheKey: Hashable, Sendable, CustomStringConvertible {
    /// A text that distinguishes the entry from all others.
    public let text: ByteString

    let low: UInt64
    let high: UInt64

    /// Creates a key from a text.
    public init(_ text: ByteString) {
        (high, low) = text.withBytes(TextHash.of)
        self.text = text
    }

    /// Creates a key from a text.
    public init(_ text: String) { self.init(ByteString(text)) }

    public static func == (left: Self, right: Self) -> Bool {
        left.low == right.low && left.high == right.high && left.text == right.text
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(low) }

    /// The text without the users and passwords of its URLs, for logs. Use ``text`` to distinguish entries.
    public var description: String { text.withoutUserInfo.string }
}
