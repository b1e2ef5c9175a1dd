import CSpng
import CalotypeCodecs
import Foundation

/// An animated PNG of RGBA frames, assembled from the encoder's files.
struct APNGFile {
    struct Frame {
        var x = 0
        var y = 0
        var bitmap: Bitmap
        var delay: (numerator: Int, denominator: Int) = (1, 10)
        var disposal: UInt8 = 0
        var blend: UInt8 = 0
    }

    var width: Int
    var height: Int
    var loopCount = 0
    /// The default image, if it is not part of the animation; if `nil`, the first frame is the default image.
    var hidden: Bitmap?
    var frames: [Frame]
    /// The number of frames that acTL announces.
    var announced: Int?

    func encoded() throws -> Data {
        var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        let size = Data().bigEndian(width, bytes: 4).bigEndian(height, bytes: 4)
        file += PNGFile.chunk("IHDR", size + [8, 6, 0, 0, 0])
        let counts = Data().bigEndian(announced ?? frames.count, bytes: 4).bigEndian(loopCount, bytes: 4)
        file += PNGFile.chunk("acTL", counts)
        if let hidden { file += PNGFile.chunk("IDAT", try Self.pixels(of: hidden)) }
        var number = 0
        for (index, frame) in frames.enumerated() {
            file += PNGFile.chunk("fcTL", control(frame, number))
            number += 1
            let pixels = try Self.pixels(of: frame.bitmap)
            if index == 0, hidden == nil {
                file += PNGFile.chunk("IDAT", pixels)
                continue
            }
            // Splits the data of a frame into two chunks, which decoders must join.
            for part in [pixels.prefix(7), pixels.dropFirst(7)] {
                file += PNGFile.chunk("fdAT", Data().bigEndian(number, bytes: 4) + part)
                number += 1
            }
        }
        return file + PNGFile.chunk("IEND", Data())
    }

    private func control(_ frame: Frame, _ number: Int) -> Data {
        [number, frame.bitmap.width, frame.bitmap.height, frame.x, frame.y]
            .reduce(Data()) { $0.bigEndian($1, bytes: 4) }
            .bigEndian(frame.delay.numerator, bytes: 2).bigEndian(frame.delay.denominator, bytes: 2)
            + [frame.disposal, frame.blend]
    }

    /// Returns the content of an RGBA file's IDAT chunks.
    private static func pixels(of bitmap: Bitmap) throws -> Data {
        let straight = bitmap.pixels.joined().flatMap { pixel -> [UInt8] in
            func channel(_ value: UInt8) -> UInt8 {
                pixel.alpha == 0 ? 0 : UInt8((Int(value) * 255 + Int(pixel.alpha) / 2) / Int(pixel.alpha))
            }
            return [channel(pixel.red), channel(pixel.green), channel(pixel.blue), pixel.alpha]
        }
        let file = try PNGFile(
            width: bitmap.width, height: bitmap.height, colorType: SPNG_COLOR_TYPE_TRUECOLOR_ALPHA
        ).encoded(straight)
        var pixels = Data()
        var offset = 8
        while offset < file.count {
            let length = file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            if file[offset + 4..<offset + 8] == Data("IDAT".utf8) { pixels += file[offset + 8..<offset + 8 + length] }
            offset += 12 + length
        }
        return pixels
    }
}
