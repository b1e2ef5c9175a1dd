import CalotypeCodecs
import Foundation

/// DEC's sixel graphics: a palette, then bands of six rows, one layer for each color in the band.
enum SixelImage {
    static func bytes(of bitmap: Bitmap) -> Data {
        let image = PaletteImage(bitmap, colorLimit: 255)
        // P2=1: pixels that no layer sets stay as they are, so that transparency shows the terminal's background.
        var text = "\u{1B}P0;1;0q\"1;1;\(bitmap.width);\(bitmap.height)"
        for (index, color) in image.palette.enumerated() {
            text += "#\(index);2;\(percent(color.red));\(percent(color.green));\(percent(color.blue))"
        }
        var bytes = Array(text.utf8)
        for top in stride(from: 0, to: bitmap.height, by: 6) { add(band(image, top), to: &bytes) }
        return Data(bytes) + Data("\u{1B}\\".utf8)
    }

    /// Returns the layers of a band: for each color in it, a byte per column.
    private static func band(_ image: PaletteImage, _ top: Int) -> [Int: [UInt8]] {
        var layers: [Int: [UInt8]] = [:]
        for row in 0..<min(6, image.height - top) {
            for x in 0..<image.width {
                let color = image.indices[(top + row) * image.width + x]
                guard color != PaletteImage.transparent else { continue }
                layers[Int(color), default: [UInt8](repeating: 0, count: image.width)][x] |= 1 << UInt8(row)
            }
        }
        return layers
    }

    private static func add(_ layers: [Int: [UInt8]], to bytes: inout [UInt8]) {
        for (color, columns) in layers.sorted(by: { $0.key < $1.key }) {
            bytes += Array("#\(color)".utf8)
            var x = 0
            while x < columns.count {
                let end = columns[x...].firstIndex { $0 != columns[x] } ?? columns.count
                let sixel = 0x3F + columns[x]
                // The blank rest of a layer needs no bytes.
                if columns[x] != 0 || end < columns.count {
                    bytes += end - x > 3 ? Array("!\(end - x)".utf8) + [sixel] : Array(repeating: sixel, count: end - x)
                }
                x = end
            }
            bytes.append(UInt8(ascii: "$"))
        }
        bytes.append(UInt8(ascii: "-"))
    }

    private static func percent(_ channel: Int) -> Int { (channel * 100 + 127) / 255 }
}
