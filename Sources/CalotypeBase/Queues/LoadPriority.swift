/// The urgency of queued work.
///
/// There are five levels; the default is `normal`. Priority orders waiting work and never interrupts running work.
public struct LoadPriority: RawRepresentable, Hashable, Comparable, Sendable {
    /// The level, from 0 (least urgent) to 4. Other values are clamped.
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = min(max(rawValue, 0), LoadPriority.count - 1) }

    /// For work that can wait for all other work.
    public static let veryLow = LoadPriority(rawValue: 0)
    /// For prefetching.
    public static let low = LoadPriority(rawValue: 1)
    /// The default.
    public static let normal = LoadPriority(rawValue: 2)
    /// For images about to appear.
    public static let high = LoadPriority(rawValue: 3)
    /// For images that the user is waiting for.
    public static let veryHigh = LoadPriority(rawValue: 4)

    /// Whether no view waits for the work: the priority is below `normal`.
    package var isBackground: Bool { self < .normal }

    @usableFromInline static let count = 5
    @usableFromInline static let all = [veryLow, low, normal, high, veryHigh]

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
