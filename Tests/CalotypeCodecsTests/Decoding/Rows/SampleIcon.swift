import CalotypeCodecs
import Foundation

enum SampleIcon {
    static func file(_ bitmaps: [Bitmap]) -> Data { file(bitmaps.map { ($0.width, bitmap($0)) }) }

    static func file(_ images: [(width: Int, content: Data)]) -> Data {
        file(images.map { ($0.width, $0.content, 24) })
    }

    /// - Parameter kind: 1 for an icon, 2 for a cursor.
    static func file(_ images: [(width: Int, content: Data, bits: Int)], kind: Int = 1) -> Data {
        var directory = Data([0, 0, UInt8(kind), 0]).littleEndian(images.count, bytes: 2)
        var contents = Data()
        for (width, content, bits) in images {
            directory += Data([UInt8(width % 256), 0, 0, 0, 1, 0]).littleEndian(bits, bytes: 2)
            directory = directory.littleEndian(content.count, bytes: 4)
                .littleEndian(6 + 16 * images.count + contents.count, bytes: 4)
            contents += content
        }
        return directory + contents
    }

    /// Returns the bitmap of an icon in 24 bits, with a mask that makes all of it opaque.
    static func bitmap(_ bitmap: Bitmap) -> Data {
        let rows = SampleBMP.rows(bitmap.width, bitmap.height, depth: 24) { bitmap[$0, $1].rgb }
        let mask = Data(count: (bitmap.width + 31) / 32 * 4 * bitmap.height)
        return SampleBMP(width: bitmap.width, height: 2 * bitmap.height).encoded(content: rows + mask).dropFirst(14)
    }
}

extension Pixel {
    /// Red, green and blue from the highest bits to the lowest.
    var rgb: Int { Int(red) << 16 | Int(green) << 8 | Int(blue) }
}
