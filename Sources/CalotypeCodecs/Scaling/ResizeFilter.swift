/// The filter that makes an image larger or smaller.
///
/// ```swift
/// ResizeTarget(width: 400)                     // sharp: Lanczos-3 to shrink, Catmull-Rom to enlarge
/// ResizeTarget(width: 400, filter: .bilinear)  // softer
/// ```
/// A name that is not known counts as `automatic`. The list may grow.
public struct ResizeFilter: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// `lanczos3` where a side shrinks, `catmullRom` where it grows.
    public static let automatic = ResizeFilter(rawValue: "automatic")
    /// Averages the area that a pixel of the result covers; enlarged pixels stay squares.
    ///
    /// The fastest: JPEG is decoded at the codec's scale next to the result, not at twice its size. Fine patterns turn
    /// into false ones.
    public static let box = ResizeFilter(rawValue: "box")
    /// Weighs pixels by their distance. Soft, without halos.
    public static let bilinear = ResizeFilter(rawValue: "bilinear")
    /// A cubic filter, sharp with faint halos.
    public static let catmullRom = ResizeFilter(rawValue: "catmull-rom")
    /// A windowed sinc over three pixels of the result to each side: the sharpest, and it leaves the least of patterns
    /// that are too fine for the result.
    public static let lanczos3 = ResizeFilter(rawValue: "lanczos3")
}
