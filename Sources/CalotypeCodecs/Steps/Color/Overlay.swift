import Foundation

extension ImageSteps {
    /// A step that draws another image, such as a watermark, over the image. The size does not change.
    public struct Overlay: ImageStep {
        /// The overlay image.
        public let image: Bitmap
        /// The position of the overlay. The default is the center.
        public let gravity: Gravity
        /// The opacity, from 0 (invisible) to 1. NaN counts as 1. The default is 1.
        public let opacity: Double
        /// The width of the overlay as a fraction of the base image's width, from 0 to 1. `nil` (the default) and NaN
        /// keep the overlay's own size. An overlay larger than the image is scaled down to fit.
        public let scale: Double?

        private let fingerprint: String

        /// Creates a step that draws `image` over the image to which it is applied. Clamps `opacity` and `scale` to
        /// 0…1.
        public init(_ image: Bitmap, gravity: Gravity = .center, opacity: Double = 1, scale: Double? = nil) {
            self.image = image
            self.gravity = gravity
            self.opacity = opacity.isNaN ? 1 : min(max(opacity, 0), 1)
            self.scale = scale.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
            fingerprint = image.fingerprint
        }

        public var key: String {
            "overlay(\(fingerprint)\(gravity.keySuffix),\(opacity)\(scale.map { ",\($0)" } ?? ""))"
        }

        public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
            let opacity = UInt32((opacity * 255).rounded())
            guard opacity > 0 else { return bitmap }
            let size = drawnSize(on: bitmap)
            let drawn = try image.applying(
                .resize(width: size.width, height: size.height, mode: .exact, upscales: true)
            ).converted(to: bitmap.gamut)
            let place = PixelRect(drawn.size, in: bitmap.size, gravity: gravity)
            let covered = try drawn.withUnsafeBytes { (pixels) throws(CodecError) in
                try bitmap.mapped { pixel, x, y in
                    let column = x - place.x, row = y - place.y
                    guard column >= 0, column < place.width, row >= 0, row < place.height else { return pixel }
                    let above = pixels.loadUnaligned(
                        fromByteOffset: row * drawn.stride + 4 * column, as: SIMD4<UInt8>.self)
                    return SIMD4<UInt32>(truncatingIfNeeded: above).share(opacity).over(pixel)
                }
            }
            let map = try bitmap.gainMap?.covered(
                by: drawn, at: place, opacity: Double(opacity) / 255, on: bitmap.size)
            return covered.declaring(gainMap: map)
        }

        private func drawnSize(on bitmap: Bitmap) -> PixelSize {
            let wanted =
                scale.map { image.size.scaled(by: $0 * Double(bitmap.width) / Double(image.width)) } ?? image.size
            let fitting = min(
                1, Double(bitmap.width) / Double(wanted.width), Double(bitmap.height) / Double(wanted.height))
            return wanted.scaled(by: fitting)
        }
    }
}

extension ImageStep where Self == ImageSteps.Overlay {
    /// Draws `image` over the image to which the step is applied.
    public static func overlay(
        _ image: Bitmap, gravity: Gravity = .center, opacity: Double = 1, scale: Double? = nil
    ) -> Self {
        Self(image, gravity: gravity, opacity: opacity, scale: scale)
    }
}

extension ImageSteps.Overlay: Hashable {
    /// Compares the keys, which contain a fingerprint of the pixels.
    public static func == (left: Self, right: Self) -> Bool { left.key == right.key }

    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension ImageSteps.Overlay: Codable {
    private enum CodingKeys: CodingKey { case image, gravity, opacity, scale }

    /// Decodes a step, whose image is stored as a file of a supported format. The encoder writes PNG.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let file = try container.decode(Data.self, forKey: .image)
        self.init(
            try DecoderRegistry.standard.plan(for: file).decode(),
            gravity: try container.decode(Gravity.self, forKey: .gravity),
            opacity: try container.decode(Double.self, forKey: .opacity),
            scale: try container.decodeIfPresent(Double.self, forKey: .scale))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(try image.encoded(as: .png), forKey: .image)
        try container.encode(gravity, forKey: .gravity)
        try container.encode(opacity, forKey: .opacity)
        try container.encodeIfPresent(scale, forKey: .scale)
    }
}
