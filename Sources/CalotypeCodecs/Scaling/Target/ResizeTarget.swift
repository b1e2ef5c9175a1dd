/// The size an image is wanted at, and what to do where its shape differs.
///
/// ```swift
/// ResizeTarget(width: 400, height: 300)                // fits into 400 × 300: 4000 × 3000 → 400 × 300, 3000 × 4000 → 225 × 300
/// ResizeTarget(width: 400, height: 300, mode: .fill)   // covers 400 × 300 and is cropped to it
/// ResizeTarget(width: 400)                             // 400 wide, as high as it comes
/// ```
/// Nothing is enlarged unless `upscales` says so. No result is thinner than one pixel, whatever the shape.
public struct ResizeTarget: Hashable, Sendable, Codable {
    /// The way to handle an image whose shape differs from the target's. Modes may be added.
    public struct Mode: RawRepresentable, Hashable, Sendable, Codable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// As large as fits inside, the whole image, its ratio kept.
        public static let fit = Mode(rawValue: "fit")
        /// As small as covers the target, its ratio kept, what sticks out cut off.
        public static let fill = Mode(rawValue: "fill")
        /// Stretched to the target.
        public static let exact = Mode(rawValue: "exact")
    }

    /// Pixels. Nil: follows from the height. Less than 1 counts as 1.
    public var width: Int?
    /// Pixels. Nil: follows from the width. Less than 1 counts as 1.
    public var height: Int?
    /// How the image is brought to the size. The default is `fit`.
    public var mode: Mode
    /// A Boolean value indicating whether smaller images are enlarged. If not, `fill` cuts what there is to the
    /// target, and `exact` stretches no side beyond its own length.
    public var upscales: Bool
    /// The part that `fill` keeps.
    public var gravity: Gravity
    /// The filter that scales. The default is `automatic`: Lanczos-3 to shrink, Catmull-Rom to enlarge.
    public var filter: ResizeFilter

    /// Creates a target. Without a width or a height, the other one decides.
    public init(
        width: Int? = nil, height: Int? = nil, mode: Mode = .fit, upscales: Bool = false, gravity: Gravity = .center,
        filter: ResizeFilter = .automatic
    ) {
        self.width = width
        self.height = height
        self.mode = mode
        self.upscales = upscales
        self.gravity = gravity
        self.filter = filter
    }

    /// Names the target in cache keys. Equal targets have equal keys, different ones different keys.
    public var key: String {
        var key: [UInt8] = []
        appendKey(to: &key)
        return String(decoding: key, as: UTF8.self)
    }

    /// Part of every look into memory: as bytes it takes a quarter of what appending to a text does.
    package func appendKey(to key: inout [UInt8]) {
        key += (width.map(String.init) ?? "-").utf8
        key.append(UInt8(ascii: "x"))
        key += (height.map(String.init) ?? "-").utf8
        key.append(UInt8(ascii: ","))
        key += mode.rawValue.utf8
        if upscales { key += ",up".utf8 }
        if gravity != .center { key += gravity.keySuffix.utf8 }
        if filter != .automatic {
            key += ",filter ".utf8
            key += filter.rawValue.utf8
        }
    }
}
