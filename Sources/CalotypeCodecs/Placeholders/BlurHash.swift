/// A BlurHash: 6 to 166 characters that decode to a blurred version of an image.
///
/// ```swift
/// let hash = BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
/// let bitmap = try hash?.bitmap(PixelSize(width: 32, height: 24))
/// ```
///
/// BlurHash does not support transparency; transparent pixels count as black.
public struct BlurHash: Hashable, Sendable, LosslessStringConvertible {
    /// The characters of the hash.
    public let description: String
    /// The numbers of horizontal and vertical components, each from 1 to 9.
    private let waves: PixelSize
    private let digits: [Int]

    /// Parses a hash. Returns `nil` if the text is not a valid BlurHash.
    public init?(_ text: String) {
        var digits: [Int] = []
        for byte in text.utf8 {
            guard let digit = Self.alphabet.firstIndex(of: byte) else { return nil }
            digits.append(digit)
        }
        guard let first = digits.first, first < 81 else { return nil }
        waves = PixelSize(width: first % 9 + 1, height: first / 9 + 1)
        guard digits.count == 4 + 2 * waves.width * waves.height else { return nil }
        guard Self.number(digits[2..<6]) < 1 << 24 else { return nil }
        self.digits = digits
        description = text
    }

    /// The average color of the image.
    public var averageColor: ImageColor {
        let number = Self.number(digits[2..<6])
        return ImageColor(red: UInt8(number >> 16), green: UInt8(number >> 8 & 255), blue: UInt8(number & 255))
    }

    /// Decodes the hash to a bitmap of this size in pixels. Sides are clamped to 1…32. The default is 32 × 32.
    public func bitmap(_ size: PixelSize = PixelSize(width: 32, height: 32)) throws(CodecError) -> Bitmap {
        try decode(PixelSize(width: min(max(size.width, 1), 32), height: min(max(size.height, 1), 32)))
    }

    func decode(_ size: PixelSize) throws(CodecError) -> Bitmap {
        let cosines = Cosines(size, across: waves.width, down: waves.height, offset: 0)
        let planes = (0..<3).map { channel in
            CosinePlane(across: waves.width, down: waves.height, factors: factors(channel)).values(cosines)
        }
        return try Bitmap(drawing: size, hasAlpha: false) { index in
            let (red, green, blue) = (planes[0][index], planes[1][index], planes[2][index])
            return 0xFF00_0000 | UInt32(SRGBCurve.stored(red)) << 16 | UInt32(SRGBCurve.stored(green)) << 8
                | UInt32(SRGBCurve.stored(blue))
        }
    }

    /// Returns the cosine factors of one channel (0: red, 1: green, 2: blue) in linear light.
    private func factors(_ channel: Int) -> [Float] {
        let average = [averageColor.red, averageColor.green, averageColor.blue][channel]
        let largest = Float(digits[1] + 1) / 166
        let divisor = [361, 19, 1][channel]
        let others = stride(from: 6, to: digits.count, by: 2).map { place in
            let step = Float(Self.number(digits[place..<place + 2]) / divisor % 19 - 9) / 9
            return step * abs(step) * largest
        }
        return [SRGBCurve.light[Int(average)]] + others
    }
}

// MARK: Encoding

extension BlurHash {
    /// Computes the hash of an image, from a copy of at most 64 × 64 pixels.
    ///
    /// The hash has `across` horizontal and `down` vertical components, each number clamped to 1…9.
    public init(_ bitmap: Bitmap, across: Int = 4, down: Int = 3) throws(CodecError) {
        let small = try bitmap.laidOut(by: ResizeTarget(width: 64, height: 64, filter: .box)).converted(to: .sRGB)
        self.init(sampling: small, across: min(max(across, 1), 9), down: min(max(down, 1), 9))
    }

    /// Computes the hash from all pixels.
    init(sampling bitmap: Bitmap, across: Int, down: Int) {
        let cosines = Cosines(bitmap.size, across: across, down: down, offset: 0)
        let pixels = bitmap.pixelValues
        // Red, green and blue: a pixel's bytes are blue, green, red and alpha.
        let planes = [2, 1, 0].map { channel in
            let light = pixels.map { SRGBCurve.light[Int($0[channel])] }
            var plane = CosinePlane.averages(of: light, cosines, across: across, down: down)
            for index in plane.factors.indices.dropFirst() { plane.factors[index] *= 2 }
            return plane.factors
        }
        let largest = planes.flatMap { $0.dropFirst() }.map { abs($0) }.max()
        let scale = largest.map { min(max(Int(($0 * 166 - 0.5).rounded(.down)), 0), 82) } ?? 0
        let range = largest == nil ? 1 : Float(scale + 1) / 166

        var digits = [across - 1 + (down - 1) * 9, scale]
        let average = planes.reduce(0) { $0 << 8 | Int(SRGBCurve.stored($1[0])) }
        digits += Self.digits(average, count: 4)
        for index in planes[0].indices.dropFirst() {
            let steps = planes.map { plane -> Int in
                let share = plane[index] / range
                let root = share < 0 ? -(-share).squareRoot() : share.squareRoot()
                return min(max(Int((root * 9 + 9.5).rounded(.down)), 0), 18)
            }
            digits += Self.digits((steps[0] * 19 + steps[1]) * 19 + steps[2], count: 2)
        }
        self.digits = digits
        waves = PixelSize(width: across, height: down)
        description = String(decoding: digits.map { Self.alphabet[$0] }, as: UTF8.self)
    }

    private static let alphabet = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    private static func number(_ digits: ArraySlice<Int>) -> Int { digits.reduce(0) { $0 * 83 + $1 } }

    private static func digits(_ number: Int, count: Int) -> [Int] {
        var (rest, digits) = (number, [Int](repeating: 0, count: count))
        for index in digits.indices.reversed() { (rest, digits[index]) = rest.quotientAndRemainder(dividingBy: 83) }
        return digits
    }
}

extension Bitmap {
    /// - Parameter pixel: Returns the premultiplied pixel at a row-major index, with blue in the lowest byte.
    init(drawing size: PixelSize, hasAlpha: Bool, pixel: (_ place: Int) -> UInt32) throws(CodecError) {
        try self.init(width: size.width, height: size.height, hasAlpha: hasAlpha) { bytes, stride in
            let rows = PixelRows(bytes, width: size.width, height: size.height, stride: stride)
            for y in 0..<size.height {
                let row = rows.row(y)
                for x in 0..<size.width { row[x] = pixel(y * size.width + x) }
            }
        }
    }
}
