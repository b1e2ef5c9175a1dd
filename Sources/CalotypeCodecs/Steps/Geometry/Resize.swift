extension ImageSteps {
    /// A step that resizes the image to a target (and crops it in the mode `fill`) or shrinks its shorter side to a
    /// length.
    public struct Resize: ImageStep, Hashable, Codable {
        private enum Goal: Hashable, Codable {
            case target(ResizeTarget)
            case shortSide(length: Double, filter: ResizeFilter)
        }

        private let goal: Goal

        /// Creates a step that resizes to a target.
        public init(_ target: ResizeTarget) { goal = .target(target) }

        /// Creates a step that shrinks the shorter side to this length in pixels. Smaller images stay unchanged.
        ///
        /// Lengths below 1, and NaN, count as 1. The sides of the result are rounded to pixels.
        public init(shortSide: Double, filter: ResizeFilter = .automatic) {
            goal = .shortSide(length: shortSide > 1 ? shortSide : 1, filter: filter)
        }

        /// Decodes a step, and raises a length of the shorter side below 1 to 1.
        public init(from decoder: any Decoder) throws {
            switch try Goal(from: decoder) {
            case .target(let target): self.init(target)
            case .shortSide(let length, let filter): self.init(shortSide: length, filter: filter)
            }
        }

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
            case .target(let target): return try bitmap.laidOut(by: target)
            case .shortSide(let length, let filter):
                let short = Double(min(bitmap.width, bitmap.height))
                guard length < short else { return bitmap }
                return try bitmap.scaled(to: bitmap.size.scaled(by: length / short), filter: filter)
            }
        }
    }
}

extension ImageSteps.Resize: MeasuredStep {
    package func resultSize(of size: PixelSize) -> PixelSize { layout(of: size).placement.window.size }

    package func workingBytes(for size: PixelSize) -> Int {
        let (placement, filter) = layout(of: size)
        guard placement.scaled != size else { return 0 }
        return ImageScaling(
            from: ImageExtent(size), to: placement.scaled, window: placement.window, filter: filter
        ).workingBytes
    }

    private func layout(of size: PixelSize) -> (placement: ImagePlacement, filter: ResizeFilter) {
        switch goal {
        case .target(let target): return (target.placement(of: size, isScalable: false), target.filter)
        case .shortSide(let length, let filter):
            let short = Double(min(size.width, size.height))
            return (ImagePlacement(length < short ? size.scaled(by: length / short) : size), filter)
        }
    }
}

extension ImageStep where Self == ImageSteps.Resize {
    /// Resizes to a ``ResizeTarget`` with these values.
    public static func resize(
        width: Int? = nil, height: Int? = nil, mode: ResizeTarget.Mode = .fit, upscales: Bool = false,
        filter: ResizeFilter = .automatic
    ) -> Self {
        Self(ResizeTarget(width: width, height: height, mode: mode, upscales: upscales, filter: filter))
    }

    /// Resizes to cover this size, enlarging if necessary, and crops to exactly this size.
    ///
    /// `Crop` of AWebImage does the same. To crop without scaling, use `crop(to:gravity:)`.
    public static func fill(width: Int, height: Int, gravity: Gravity = .center) -> Self {
        Self(ResizeTarget(width: width, height: height, mode: .fill, upscales: true, gravity: gravity))
    }

    /// Shrinks the shorter side to this length, as `Resize` of AWebImage does. Smaller images stay unchanged.
    public static func resize(shortSide: Double) -> Self { Self(shortSide: shortSide) }

    /// Shrinks the shorter side to this number of pixels. Smaller images stay unchanged.
    public static func resize(shortSide: Int) -> Self { Self(shortSide: Double(shortSide)) }
}
