import Foundation

/// A BMP of any header and depth, with plain rows from the bottom, or with run lengths.
struct SampleBMP {
    var width: Int
    var height: Int
    var depth = 24
    /// The bytes of the second header: 12 and 16 to 64 for OS/2's, 40 to 124 for Windows'.
    var headerLength = 40
    var compression = 0
    /// Red, green, blue and perhaps alpha.
    var masks: [Int] = []
    /// Red, green and blue.
    var colors: [[UInt8]] = []
    /// The number of colors in the header. If `nil`, that of `colors`.
    var named: Int?
    /// The bytes between the colors and the pixels.
    var gap = 0
    var isTopDown = false
    /// Whether the file's header has the offset of the pixels, which some programs leave 0.
    var hasOffset = true

    /// - Parameter pixel: Returns the bits of a pixel.
    func encoded(_ pixel: (_ x: Int, _ y: Int) -> Int) -> Data {
        encoded(content: Self.rows(width, height, depth: depth, isUpward: !isTopDown, pixel))
    }

    func encoded(content: Data) -> Data {
        let palette = Data(colors.flatMap { $0.reversed() + [UInt8](repeating: 0, count: headerLength == 12 ? 0 : 1) })
        let between = header + palette + Data(repeating: 1, count: gap)
        let start = hasOffset ? 14 + between.count : 0
        let size = 14 + between.count + content.count
        return Data("BM".utf8).littleEndian(size, bytes: 4).littleEndian(0, bytes: 4).littleEndian(start, bytes: 4)
            + between + content
    }

    private var header: Data {
        let head = Data().littleEndian(headerLength, bytes: 4)
        guard headerLength > 12 else {
            return [width, height, 1, depth].reduce(head) { $0.littleEndian($1, bytes: 2) }
        }
        var fields = head.littleEndian(width, bytes: 4).littleEndian(isTopDown ? -height : height, bytes: 4)
        fields = fields.littleEndian(1, bytes: 2).littleEndian(depth, bytes: 2).littleEndian(compression, bytes: 4)
        fields += Data(count: 12)
        fields = fields.littleEndian(named ?? colors.count, bytes: 4).littleEndian(0, bytes: 4)
        let bits = masks.reduce(Data()) { $0.littleEndian($1, bytes: 4) }
        // Behind a header of 40 bytes, or in a longer one.
        return headerLength == 40 ? fields + bits : (fields + bits + Data(count: 124)).prefix(headerLength)
    }

    /// Returns rows of little-endian numbers, padded to four bytes. Of less than 8 bits, the first is in the highest bits.
    static func rows(
        _ width: Int, _ height: Int, depth: Int, isUpward: Bool = true, _ pixel: (_ x: Int, _ y: Int) -> Int
    ) -> Data {
        var data = Data()
        for y in isUpward ? Array((0..<height).reversed()) : Array(0..<height) {
            var row = Data(count: depth < 8 ? (width * depth + 7) / 8 : 0)
            for x in 0..<width {
                if depth < 8 {
                    row[x * depth / 8] |= UInt8(pixel(x, y) << (8 - depth - x * depth % 8))
                } else {
                    row = row.littleEndian(pixel(x, y), bytes: depth / 8)
                }
            }
            data += row + Data(count: (4 - row.count % 4) % 4)
        }
        return data
    }
}
