import CalotypeCodecs
import CalotypeTesting
import Foundation

/// The number of a source and its version, drawn as dark and bright cells that survive scaling and lossy formats.
struct ImageMark: Hashable, Sendable {
    private static let columns = 8, rows = 4
    /// The number of sources, and the number of versions, that a mark can show.
    static let limit = 1 << 10

    let source: Int
    let version: Int

    /// The cells from left to right and from top to bottom: 10 bits each for source and version, and 12 that check them.
    private var bits: UInt32 {
        let value = UInt32(source % Self.limit) << 10 | UInt32(version % Self.limit)
        return value << 12 | Self.check(of: value)
    }

    private static func check(of value: UInt32) -> UInt32 {
        var random = SplitMix(seed: UInt64(value))
        return UInt32(truncatingIfNeeded: random.next() & 0xFFF)
    }

    /// Returns the image that shows the mark.
    func drawn(width: Int, height: Int) throws(CodecError) -> Bitmap {
        try Bitmap(width: width, height: height, hasAlpha: false) { pixels, stride in
            let bits = bits
            for y in 0..<height {
                for x in 0..<width {
                    let cell = y * Self.rows / height * Self.columns + x * Self.columns / width
                    let level = bits >> UInt32(31 - cell) & 1 == 1 ? 205 : 50
                    // A texture, so that a file has about the size of a photograph's.
                    let texture = (x &* 7 ^ y &* 13) & 31
                    let value = UInt32(level + texture - 15)
                    pixels.storeBytes(
                        of: UInt32(littleEndian: 0xFF00_0000 | value << 16 | value << 8 | value),
                        toByteOffset: y * stride + x * 4, as: UInt32.self)
                }
            }
        }
    }

    private init(source: Int, version: Int) { (self.source, self.version) = (source, version) }

    /// The mark of a version, which counts from 0 without a limit.
    static func of(source: Int, version: Int) -> ImageMark { ImageMark(source: source, version: version % limit) }

    /// Reads the mark, or returns `nil` if the image shows none.
    init?(in bitmap: Bitmap) {
        var bits: UInt32 = 0
        for cell in 0..<Self.columns * Self.rows {
            let x = (2 * (cell % Self.columns) + 1) * bitmap.width / (2 * Self.columns)
            let y = (2 * (cell / Self.columns) + 1) * bitmap.height / (2 * Self.rows)
            let level = bitmap.green(aroundX: x, y: y)
            guard level < 100 || level > 155 else { return nil }
            bits = bits << 1 | (level > 155 ? 1 : 0)
        }
        let value = bits >> 12
        guard Self.check(of: value) == bits & 0xFFF else { return nil }
        self.init(source: Int(value >> 10), version: Int(value & 0x3FF))
    }
}

extension Bitmap {
    /// The mean of the green channel over the 3 × 3 pixels around a point.
    fileprivate func green(aroundX x: Int, y: Int) -> Int {
        withUnsafeBytes { bytes in
            var (sum, count) = (0, 0)
            for row in max(y - 1, 0)...min(y + 1, height - 1) {
                for column in max(x - 1, 0)...min(x + 1, width - 1) {
                    sum += Int(bytes[row * stride + column * 4 + 1])
                    count += 1
                }
            }
            return sum / count
        }
    }
}
