import CalotypeCodecs
import Foundation

/// Thumbnails in a grid on gray paper, which contrasts with light and dark images. Transparent ones lie on brown cards.
enum ContactSheet {
    /// The size to which each image is cropped.
    static let tile = ResizeTarget(width: tileWidth, height: tileHeight, mode: .fill)

    private static let tileWidth = 240
    private static let tileHeight = 160
    private static let gap = 16
    private static let margin = 32
    /// The background color as blue, green, red and alpha.
    private static let paper: [UInt8] = [0x58, 0x52, 0x4E, 0xFF]
    private static let card: [UInt8] = [0x2C, 0x46, 0x68, 0xFF]
    /// The mean difference of channels, from 0 to 255, up to which two tiles show the same image.
    private static let likeness = 2

    @concurrent
    static func png(of tiles: [Bitmap]) async throws(CodecError) -> Data {
        try sheet(of: distinct(tiles)).encoded(as: .png)
    }

    /// Returns the tiles without those that look like an earlier one: folders have one image at several sizes.
    static func distinct(_ tiles: [Bitmap]) -> [Bitmap] {
        tiles.reduce(into: []) { kept, tile in
            if !kept.contains(where: { areAlike($0, tile) }) { kept.append(tile) }
        }
    }

    private static func areAlike(_ first: Bitmap, _ second: Bitmap) -> Bool {
        // Transparent drawings differ in few pixels.
        guard first.size == second.size, first.stride == second.stride, !first.hasAlpha, !second.hasAlpha else {
            return false
        }
        return first.withUnsafeBytes { one in
            second.withUnsafeBytes { other in
                var difference = 0
                for index in one.indices { difference += abs(Int(one[index]) - Int(other[index])) }
                return difference <= likeness * one.count
            }
        }
    }

    /// Draws the tiles row by row, in about as many columns as rows.
    static func sheet(of tiles: [Bitmap]) throws(CodecError) -> Bitmap {
        let columns = max(Int(Double(tiles.count).squareRoot().rounded(.up)), 1)
        let rows = max((tiles.count + columns - 1) / columns, 1)
        return try Bitmap(
            width: 2 * margin + columns * (tileWidth + gap) - gap,
            height: 2 * margin + rows * (tileHeight + gap) - gap, hasAlpha: false
        ) { pixels, stride throws(CodecError) in
            for index in pixels.indices { pixels[index] = paper[index % 4] }
            for (index, tile) in tiles.enumerated() {
                let left = margin + index % columns * (tileWidth + gap) + (tileWidth - tile.width) / 2
                let top = margin + index / columns * (tileHeight + gap) + (tileHeight - tile.height) / 2
                lay(tile, on: pixels, at: top * stride + left * 4, stride: stride)
            }
        }
    }

    /// Blends a tile over its card, with premultiplied alpha.
    private static func lay(_ tile: Bitmap, on paper: UnsafeMutableRawBufferPointer, at start: Int, stride: Int) {
        tile.withUnsafeBytes { image in
            for y in 0..<tile.height {
                for x in 0..<tile.width {
                    let (from, to) = (y * tile.stride + x * 4, start + y * stride + x * 4)
                    let rest = 255 - Int(image[from + 3])
                    for channel in 0..<4 {
                        let below = (Int(card[channel]) * rest + 127) / 255
                        paper[to + channel] = UInt8(min(Int(image[from + channel]) + below, 255))
                    }
                }
            }
        }
    }
}
