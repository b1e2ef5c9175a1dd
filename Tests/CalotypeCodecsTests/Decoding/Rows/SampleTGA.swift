import Foundation

/// A TGA of any type. Pixels are little-endian numbers.
struct SampleTGA {
    var width: Int
    var height: Int
    /// 1 for indices, 2 for colors, 3 for gray; run lengths add 8.
    var kind = 2
    var depth = 24
    /// The bits of alpha, and 0x10 and 0x20 for the corner of the first pixel. By default the bottom left.
    var flags = 0
    /// The text behind the header.
    var text = ""
    var colors: [Int] = []
    var colorDepth = 0
    var firstColor = 0

    var head: Data {
        let isMapped = kind & 3 == 1
        var head = Data([UInt8(text.utf8.count), isMapped ? 1 : 0, UInt8(kind)]).littleEndian(firstColor, bytes: 2)
        head = head.littleEndian(colors.count, bytes: 2) + [UInt8(colorDepth), 0, 0, 0, 0]
        head = head.littleEndian(width, bytes: 2).littleEndian(height, bytes: 2) + [UInt8(depth), UInt8(flags)]
        return colors.reduce(head + Data(text.utf8)) { $0.littleEndian($1, bytes: (colorDepth + 7) / 8) }
    }

    /// - Parameter pixel: Returns the bits of a pixel of the image as it is shown.
    func encoded(_ pixel: (_ x: Int, _ y: Int) -> Int) -> Data {
        let numbers = (0..<width * height).map { place in
            let (x, y) = (place % width, place / width)
            return pixel(flags & 0x10 == 0 ? x : width - 1 - x, flags & 0x20 == 0 ? height - 1 - y : y)
        }
        return head + (kind >= 8 ? packed(numbers) : numbers.reduce(Data()) { $0 + bits($1) })
    }

    private func bits(_ number: Int) -> Data { Data().littleEndian(number, bytes: (depth + 7) / 8) }

    /// Returns packets of up to 128 pixels, whatever row they are in: runs of equal ones, and others.
    private func packed(_ numbers: [Int]) -> Data {
        var (data, rest) = (Data(), numbers[...])
        while let first = rest.first {
            let run = rest.prefix(128).prefix { $0 == first }
            if run.count > 1 {
                data += [UInt8(127 + run.count)] + bits(first)
                rest = rest.dropFirst(run.count)
            } else {
                let others = rest.prefix(7)
                data += [UInt8(others.count - 1)] + others.reduce(Data()) { $0 + bits($1) }
                rest = rest.dropFirst(others.count)
            }
        }
        return data
    }
}
