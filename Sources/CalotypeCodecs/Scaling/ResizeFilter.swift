/// The filter for enlarging or shrinking an image.
///
/// ```swift
/// ResizeTarget(width: 400)                     // sharp: Lanczos-3 to shrink, Catmull-Rom to enlarge
/// ResizeTarget(width: 400, filter: .bilinear)  // softer
/// ```
/// An unknown raw value counts as `automatic`. New filters may be added.
public struct ResizeFilter: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// `lanczos3` for sides that shrink, `catmullRom` for sides that grow.
    public static let automatic = ResizeFilter(rawValue: "automatic")
    /// Averages the area covered by a pixel of the result; enlarged pixels remain squares.
    ///
    /// The fastest filter: a JPEG is then decoded at the smallest scale that covers the result. Fine patterns alias.
    public static let box = ResizeFilter(rawValue: "box")
    /// Weights pixels by their distance. Soft, without halos.
    public static let bilinear = ResizeFilter(rawValue: "bilinear")
    /// A cubic filter, sharp with faint halos.
    public static let catmullRom = ResizeFilter(rawValue: "catmull-rom")
    /// A windowed sinc over three pixels of the smaller image in each direction: the sharpest filter, and the best at
    /// suppressing patterns too fine for the result.
    public static let lanczos3 = ResizeFilter(rawValue: "lanczos3")
}
