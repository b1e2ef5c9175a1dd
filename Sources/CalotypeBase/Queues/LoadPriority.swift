/// How urgent a piece of work is among others that wait.
///
/// Five levels, `normal` by default. Priority orders what waits in a queue; it never interrupts what runs.
public struct LoadPriority: RawRepresentable, Hashable, Comparable, Sendable {
    /// 0 (least urgent) to 4; other values are clamped.
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = min(max(rawValue, 0), LoadPriority.count - 1)
    }

    /// For work that may take any time.
    public static let veryLow = LoadPriority(rawValue: 0)
    /// For prefetching.
    public static let low = LoadPriority(rawValue: 1)
    /// The default.
    public static let normal = LoadPriority(rawValue: 2)
    /// For what is about to be seen.
    public static let high = LoadPriority(rawValue: 3)
    /// For what a person is waiting for.
    public static let veryHigh = LoadPriority(rawValue: 4)

    @usableFromInline static let count = 5
    /// The least urgent first.
    @usableFromInline static let all = [veryLow, low, normal, high, veryHigh]

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
