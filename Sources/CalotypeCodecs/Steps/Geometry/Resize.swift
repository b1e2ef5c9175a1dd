/// Scales to a target and, for `fill`, cuts off what sticks out; or shrinks until the shorter side has a length.
public struct Resize: ImageStep, Hashable, Codable {
    private enum Goal: Hashable, Codable {
        case target(ResizeTarget)
        case shortSide(length: Double, filter: ResizeFilter)
    }

    private let goal: Goal

    /// Creates a step that resizes.
    public init(_ target: ResizeTarget) { goal = .target(target) }

    /// Creates a step that shrinks until the shorter side has this length. A smaller image stays as it is.
    ///
    /// - Parameter shortSide: Pixels; the result is rounded to whole ones. Less than 1 or not a number counts as 1.
    public init(shortSide: Double, filter: ResizeFilter = .automatic) {
        goal = .shortSide(length: shortSide > 1 ? shortSide : 1, filter: filter)
    }

    /// Reads the value, clamped as when it is made.
    public init(from decoder: any Decoder) throws {
        switch try Goal(from: decoder) {
        case .target(let target): self.init(target)
        case .shortSide(let length, let filter): self.init(shortSide: length, filter: filter)
        }
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws { try goal.encode(to: encoder) }

    public var key: String {
        switch goal {
        case .target(let target): "resize(\(target.key))"
        case .shortSide(let length, let filter):
            "short-side(\(length)\(filter == .automatic ? "" : ",filter \(filter.rawValue)"))"
        }
    }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        switch goal {
        case .target(let target): return try bitmap.scaled(to: target)
        case .shortSide(let length, let filter):
            let short = Double(min(bitmap.width, bitmap.height))
            guard length < short else { return bitmap }
            return try bitmap.scaled(to: bitmap.size.scaled(by: length / short), filter: filter)
        }
    }
}

extension ImageStep where Self == Resize {
    /// Scales to a target: see `ResizeTarget`.
    public static func resize(
        width: Int? = nil, height: Int? = nil, mode: ResizeTarget.Mode = .fit, upscales: Bool = false,
        filter: ResizeFilter = .automatic
    ) -> Resize {
        Resize(ResizeTarget(width: width, height: height, mode: mode, upscales: upscales, filter: filter))
    }

    /// Covers this size, enlarging if necessary, and cuts off the rest, so that the result has exactly this size.
    ///
    /// AWebImage's Crop. To cut out a part without scaling, use `crop(to:gravity:)`.
    public static func fill(width: Int, height: Int, gravity: Gravity = .center) -> Resize {
        Resize(ResizeTarget(width: width, height: height, mode: .fill, upscales: true, gravity: gravity))
    }

    /// AWebImage's Resize: the shorter side gets this length, the ratio is kept, smaller images stay as they are.
    public static func resize(shortSide: Double) -> Resize { Resize(shortSide: shortSide) }
}

extension Bitmap {
    /// For `fill`, the part that is kept alone: the same pixels as if the whole image were scaled and then cut.
    fileprivate func scaled(to target: ResizeTarget) throws(CodecError) -> Bitmap {
        let full = target.scaledSize(for: size)
        let cropped = target.croppedSize(for: size)
        guard full != cropped else { return try scaled(to: full, filter: target.filter) }
        try refuseEnlargement(to: cropped)
        let window = try placed(
            PixelRect(cropped, in: full, gravity: target.gravity), in: full, gravity: target.gravity)
        guard full != size else { return try self.cropped(to: window) }
        return try scaled(ImageScaling(from: ImageExtent(size), to: full, window: window, filter: target.filter))
    }
}
