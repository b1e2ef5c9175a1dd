import CXXHash

/// Names an entry: a text, with its hash computed once.
///
/// Make a key once per request and use it for every look-up. Two keys are equal when their whole texts are: the hash
/// only tells where to look, since nobody who picks URLs must be able to have one picture served for another.
public struct CacheKey: Hashable, Sendable, CustomStringConvertible {
    /// Whatever distinguishes the entry from all others, complete.
    public let text: String

    let low: UInt64
    let high: UInt64

    public init(_ text: String) {
        var text = text
        let hash = text.withUTF8 { XXH3_128bits_withSeed($0.baseAddress, $0.count, Self.seed) }
        self.text = text
        low = hash.low64
        high = hash.high64
    }

    /// Differs from process to process, so that collisions cannot be prepared.
    private static let seed = UInt64.random(in: .min ... .max)

    public static func == (left: Self, right: Self) -> Bool {
        left.low == right.low && left.high == right.high && left.text == right.text
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(low) }

    public var description: String { text }
}
