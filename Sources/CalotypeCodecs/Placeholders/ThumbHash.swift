public import Foundation

/// A ThumbHash: 5 to 25 bytes that decode to a blurred version of an image, with its aspect ratio and transparency.
///
/// ```swift
/// let hash = ThumbHash(base64: "1QcSHQRnh493V4dIh4eXh1h4kJUI")
/// let bitmap = try hash?.bitmap()
/// ```
public struct ThumbHash: Hashable, Sendable {
    /// The bytes of the hash.
    public let data: Data
    private let header: Header

    /// Parses a hash. Returns `nil` if it has fewer bytes than its header announces.
    public init?(_ data: Data) {
        let bytes = Array(data)
        guard bytes.count >= 5 else { return nil }
        let header = Header(bytes)
        guard bytes.count >= (header.hasAlpha ? 6 : 5) + (header.stepCount + 1) / 2 else { return nil }
        self.data = Data(bytes)
        self.header = header
    }

    /// Parses a hash in Base64. Returns `nil` if the text is invalid.
    public init?(base64 text: String) {
        guard let data = Data(base64Encoded: text) else { return nil }
        self.init(data)
    }

    /// The approximate ratio of width to height.
    public var aspectRatio: Double { Double(header.across) / Double(header.down) }

    /// The average color of the image.
    public var averageColor: ImageColor { header.average.color(alpha: alphaAverage) }

    /// Decodes to a bitmap with the image's aspect ratio, whose longer side has 32 pixels.
    public func bitmap() throws(CodecError) -> Bitmap {
        let ratio = aspectRatio
        let size = PixelSize(
            width: Int((ratio > 1 ? 32 : 32 * ratio).rounded()), height: Int((ratio > 1 ? 32 / ratio : 32).rounded()))
        let cosines = Cosines(size, across: 7, down: 7, offset: 0.5)
        let planes = planes.map { $0.values(cosines) }
        return try Bitmap(drawing: size, hasAlpha: header.hasAlpha) { index in
            let parts = Parts(light: planes[0][index], warmth: planes[1][index], redness: planes[2][index])
            return parts.color(alpha: header.hasAlpha ? planes[3][index] : 1).premultiplied
        }
    }

    private var alphaAverage: Float { header.hasAlpha ? Float(data[5] & 15) / 15 : 1 }

    /// The planes: mean of the channels, yellow-blue difference, red-green difference, and alpha if the hash has it.
    private var planes: [CosinePlane] {
        var place = header.hasAlpha ? 12 : 10
        func plane(_ across: Int, _ down: Int, average: Float, scale: Float) -> CosinePlane {
            var factors = [Float](repeating: 0, count: across * down)
            factors[0] = average
            for index in Waves.inside(across, down) {
                let step = data[place / 2] >> (place % 2 == 0 ? 0 : 4) & 15
                place += 1
                // The hash contains averages of the image times a cosine, which are half the cosine's amplitude.
                factors[index] = 2 * (Float(step) / 7.5 - 1) * scale
            }
            return CosinePlane(across: across, down: down, factors: factors)
        }
        let average = header.average
        // Increase the color scales to compensate for rounding.
        var planes = [
            plane(max(3, header.across), max(3, header.down), average: average.light, scale: header.lightScale),
            plane(3, 3, average: average.warmth, scale: 1.25 * header.warmthScale),
            plane(3, 3, average: average.redness, scale: 1.25 * header.rednessScale),
        ]
        if header.hasAlpha {
            planes.append(plane(5, 5, average: alphaAverage, scale: Float(data[5] >> 4) / 15))
        }
        return planes
    }
}

// MARK: Encoding

extension ThumbHash {
    /// Computes the hash of an image, from a copy of at most 100 × 100 pixels.
    public init(_ bitmap: Bitmap) throws(CodecError) {
        let small = try bitmap.laidOut(by: ResizeTarget(width: 100, height: 100, filter: .box)).converted(to: .sRGB)
        let size = small.size
        let samples = Samples(small)
        let limit: Float = samples.hasAlpha ? 5 : 7
        let longer = Float(max(size.width, size.height))
        let across = max(1, Int((limit * Float(size.width) / longer).rounded()))
        let down = max(1, Int((limit * Float(size.height) / longer).rounded()))

        let cosines = Cosines(size, across: 7, down: 7, offset: 0.5)
        let light = Waves(samples.light, cosines, max(3, across), max(3, down))
        let warmth = Waves(samples.warmth, cosines, 3, 3)
        let redness = Waves(samples.redness, cosines, 3, 3)
        let isLandscape = size.width > size.height
        var first = Int((63 * light.average).rounded()) | Int((31.5 + 31.5 * warmth.average).rounded()) << 6
        first |= Int((31.5 + 31.5 * redness.average).rounded()) << 12 | Int((31 * light.scale).rounded()) << 18
        first |= samples.hasAlpha ? 1 << 23 : 0
        var second = (isLandscape ? down : across) | Int((63 * warmth.scale).rounded()) << 3
        second |= Int((63 * redness.scale).rounded()) << 9 | (isLandscape ? 1 << 15 : 0)

        var bytes = [first & 255, first >> 8 & 255, first >> 16, second & 255, second >> 8].map { UInt8($0) }
        var steps = light.steps + warmth.steps + redness.steps
        if samples.hasAlpha {
            let alpha = Waves(samples.alpha, cosines, 5, 5)
            bytes.append(UInt8((15 * alpha.average).rounded()) | UInt8((15 * alpha.scale).rounded()) << 4)
            steps += alpha.steps
        }
        for index in stride(from: 0, to: steps.count, by: 2) {
            bytes.append(steps[index] | (index + 1 < steps.count ? steps[index + 1] << 4 : 0))
        }
        header = Header(bytes)
        data = Data(bytes)
    }

    /// The content of the first five bytes.
    private struct Header: Hashable {
        let average: Parts
        let lightScale: Float
        let warmthScale: Float
        let rednessScale: Float
        let hasAlpha: Bool
        /// The number of horizontal luminance components. Its ratio to `down` is about the image's aspect ratio.
        let across: Int
        let down: Int

        init(_ bytes: [UInt8]) {
            let first = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
            let second = Int(bytes[3]) | Int(bytes[4]) << 8
            average = Parts(
                light: Float(first & 63) / 63, warmth: Float(first >> 6 & 63) / 31.5 - 1,
                redness: Float(first >> 12 & 63) / 31.5 - 1)
            lightScale = Float(first >> 18 & 31) / 31
            hasAlpha = first >> 23 != 0
            warmthScale = Float(second >> 3 & 63) / 63
            rednessScale = Float(second >> 9 & 63) / 63
            let (shorter, longer) = (max(second & 7, 1), hasAlpha ? 5 : 7)
            (across, down) = second >> 15 != 0 ? (longer, shorter) : (shorter, longer)
        }

        /// The number of components after the header, which take half a byte each.
        var stepCount: Int {
            Waves.inside(max(3, across), max(3, down)).count + 2 * Waves.inside(3, 3).count
                + (hasAlpha ? Waves.inside(5, 5).count : 0)
        }
    }

    /// The pixels in ThumbHash's color model. Transparent pixels are blended with the average color.
    private struct Samples {
        var light: [Float] = []
        var warmth: [Float] = []
        var redness: [Float] = []
        var alpha: [Float] = []
        var hasAlpha: Bool { alpha.contains { $0 < 1 } }

        init(_ bitmap: Bitmap) {
            // Colors that exceed their alpha, which no decoder makes, would exceed the ranges of the hash.
            let pixels = bitmap.pixelValues.map {
                (SIMD4<Float>($0) / 255).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: Float($0.w) / 255))
            }
            let sum = pixels.reduce(SIMD4<Float>.zero, +)
            let average = sum.w > 0 ? sum / sum.w : .zero
            for pixel in pixels {
                // The pixels are premultiplied: only the average needs a factor.
                let color = pixel + average * (1 - pixel.w)
                light.append((color.x + color.y + color.z) / 3)
                warmth.append((color.z + color.y) / 2 - color.x)
                redness.append(color.z - color.y)
                alpha.append(pixel.w)
            }
        }
    }
}

/// The components of one plane, quantized to 16 steps between the largest component and its negative.
private struct Waves {
    let average: Float
    let scale: Float
    let steps: [UInt8]

    init(_ values: [Float], _ cosines: Cosines, _ across: Int, _ down: Int) {
        let plane = CosinePlane.averages(of: values, cosines, across: across, down: down)
        let factors = Waves.inside(across, down).map { plane.factors[$0] }
        let scale = factors.map { abs($0) }.max() ?? 0
        average = plane.factors[0]
        self.scale = scale
        steps = factors.map { factor in
            let share = scale > 0 ? 0.5 + 0.5 / scale * factor : factor
            return UInt8(min(max((15 * share).rounded(), 0), 15))
        }
    }

    /// Returns the row-major indices of the stored components: the low-frequency half of the grid, without the average.
    static func inside(_ across: Int, _ down: Int) -> [Int] {
        (0..<down).flatMap { y in
            (0..<across).filter { x in x * down < across * (down - y) && x + y > 0 }.map { y * across + $0 }
        }
    }
}

/// The mean of the channels, the yellow-blue difference and the red-green difference.
private struct Parts: Hashable {
    var light: Float
    var warmth: Float
    var redness: Float

    func color(alpha: Float) -> ImageColor {
        let blue = light - 2 / 3 * warmth
        let red = (3 * light - blue + redness) / 2
        func level(_ value: Float) -> UInt8 { UInt8(255 * min(max(value, 0), 1)) }
        return ImageColor(red: level(red), green: level(red - redness), blue: level(blue), alpha: level(alpha))
    }
}
