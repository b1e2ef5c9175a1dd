/// The requested size of an image, and the handling of different aspect ratios.
///
/// ```swift
/// ResizeTarget(width: 400, height: 300)                // fits into 400 × 300: 4000 × 3000 → 400 × 300, 3000 × 4000 → 225 × 300
/// ResizeTarget(width: 400, height: 300, mode: .fill)   // covers 400 × 300 and is cropped to it
/// ResizeTarget(width: 400)                             // 400 wide, with a proportional height
/// ```
/// Smaller images, except for vector images, are enlarged only with `upscales`. Each side of a result has at least one
/// pixel.
public struct ResizeTarget: Hashable, Sendable, Codable {
    /// The handling of an image whose aspect ratio differs from the target's. New modes may be added.
    public struct Mode: RawRepresentable, Hashable, Sendable, Codable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// Scales the whole image to fit inside the target, preserving the aspect ratio.
        public static let fit = Mode(rawValue: "fit")
        /// Scales the image to cover the target, preserving the aspect ratio, and crops the rest.
        public static let fill = Mode(rawValue: "fill")
        /// Stretches the image to the target.
        public static let exact = Mode(rawValue: "exact")
    }

    /// The width in pixels. If `nil`, it follows from the height. Values below 1 count as 1.
    public var width: Int?
    /// The height in pixels. If `nil`, it follows from the width. Values below 1 count as 1.
    public var height: Int?
    /// The resize mode. The default is `fit`.
    public var mode: Mode
    /// Whether smaller images are enlarged. If `false` (the default), `fill` crops the image to the target without
    /// enlarging it, and `exact` stretches no side beyond its length.
    public var upscales: Bool
    /// The part that `fill` keeps. The default is the center.
    public var gravity: Gravity
    /// The resize filter. The default is `automatic`: Lanczos-3 to shrink, Catmull-Rom to enlarge.
    public var filter: ResizeFilter

    /// Creates a target. If only one side is given, the other follows from it.
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

    /// The target as part of cache keys. Targets have equal keys exactly if they are equal.
    public var key: String {
        var key: [UInt8] = []
        appendKey(to: &key)
        return String(decoding: key, as: UTF8.self)
    }

    /// Appends the key as bytes. Every memory cache lookup calls this; building a `String` takes four times as long.
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
