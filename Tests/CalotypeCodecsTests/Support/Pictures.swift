import CalotypeCodecs
import CalotypeTesting
import Foundation

enum Pictures {
    /// Draws slow changes of all three channels, which every codec keeps well.
    static func gradient(_ width: Int, _ height: Int) throws(CodecError) -> Bitmap {
        try Bitmap.drawn(width, height) { x, y in
            Pixel(
                UInt8(255 * x / max(1, width - 1)), UInt8(255 * y / max(1, height - 1)),
                UInt8(255 * (x + y) / max(1, width + height - 2)))
        }
    }

    /// Draws a gradient that becomes opaque from left to right.
    static func veil(_ width: Int, _ height: Int) throws(CodecError) -> Bitmap {
        let opaque = try gradient(width, height)
        return try Bitmap.drawn(width, height, hasAlpha: true) { x, y in
            opaque[x, y].premultiplied(UInt8(255 * x / max(1, width - 1)))
        }
    }

    /// Draws red, green, blue and white quarters, which distinguish all orientations.
    static func quarters(_ width: Int, _ height: Int) throws(CodecError) -> Bitmap {
        try Bitmap.drawn(width, height) { x, y in
            switch (x < width / 2, y < height / 2) {
            case (true, true): .red
            case (false, true): .green
            case (true, false): .blue
            case (false, false): .white
            }
        }
    }

    /// Draws letters of 26 kinds with soft edges on a page that grows darker: 1,801 colors.
    static func text() throws(CodecError) -> Bitmap {
        func mixed(_ one: Int, _ two: Int, _ three: Int) -> Int {
            (one &* 73_856_093 ^ two &* 19_349_663 ^ three &* 83_492_791) & 0xFFFF_FFFF
        }
        return try Bitmap.drawn(480, 320) { x, y in
            let letter = (mixed(x / 12, y / 16, 7) >> 8) % 26
            let ink = (mixed(letter, x % 12, y % 16) >> 9) % 10
            let shade = ink < 3 ? ink * 80 : 255
            return Pixel(UInt8(max(shade - x / 24, 0)), UInt8(max(shade - y / 4 * 3 / 8, 0)), UInt8(shade))
        }
    }

    /// Draws noise, which is hard to compress: each pixel is unlike its neighbours.
    static func noise(_ width: Int, _ height: Int, seed: UInt64 = 1) throws(CodecError) -> Bitmap {
        var random = SplitMix(seed: seed)
        return try Bitmap.drawn(width, height) { _, _ in
            let bits = random.next()
            return Pixel(UInt8(bits & 255), UInt8(bits >> 8 & 255), UInt8(bits >> 16 & 255))
        }
    }
}

extension Pixel {
    static let red = Pixel(0, 0, 255)
    static let green = Pixel(0, 255, 0)
    static let blue = Pixel(255, 0, 0)
    static let black = Pixel.gray(0)

    func premultiplied(_ alpha: UInt8) -> Pixel {
        func times(_ channel: UInt8) -> UInt8 { UInt8((Int(channel) * Int(alpha) * 2 + 255) / 510) }
        return Pixel(times(blue), times(green), times(red), alpha)
    }

    /// Returns the largest difference of any channel.
    func distance(to other: Pixel) -> Int {
        [(blue, other.blue), (green, other.green), (red, other.red), (alpha, other.alpha)]
            .map { abs(Int($0) - Int($1)) }.max() ?? 0
    }

    func isClose(to other: Pixel, within tolerance: Int) -> Bool { distance(to: other) <= tolerance }
}

extension Bitmap {
    /// Returns the largest difference of any channel of any pixel; `nil` if the sizes differ.
    func worstDistance(to other: Bitmap) -> Int? {
        guard width == other.width, height == other.height else { return nil }
        return zip(pixels.joined(), other.pixels.joined()).map { $0.distance(to: $1) }.max()
    }

    /// The colors in the middle of the four quarters: top left, top right, bottom left, bottom right.
    var corners: [Pixel] {
        [1, 3].flatMap { y in [1, 3].map { x in self[width * x / 4, height * y / 4] } }
    }
}

extension Data {
    /// Decodes through the registry, as a loader does.
    func decoded(_ target: ResizeTarget? = nil, limits: DecodeLimits = DecodeLimits()) throws(CodecError) -> Bitmap {
        try DecoderRegistry.standard.plan(for: self, target: target, limits: limits).decode()
    }

    func bigEndian(_ value: Int, bytes: Int) -> Data {
        self + (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    func littleEndian(_ value: Int, bytes: Int) -> Data {
        self + (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
