@testable import CalotypeCodecs
import Foundation
import Testing

/// On Apple's platforms the rows of a bitmap begin at multiples of 64 bytes.
@Suite struct RowAlignmentTests {
    private static func bitmap(hasAlpha: Bool = false, rowAlignment: Int) throws(CodecError) -> Bitmap {
        try Bitmap(width: 37, height: 23, hasAlpha: hasAlpha, rowAlignment: rowAlignment) { bytes, stride in
            // The padding between rows must not be visible.
            for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: 251 &* index) }
            for y in 0..<23 {
                for x in 0..<37 {
                    let level = UInt8(3 * x + 5 * y)
                    let pixel = Pixel(level / 2, level, 255 - level, 255)
                    bytes.storeBytes(of: pixel, toByteOffset: y * stride + 4 * x, as: Pixel.self)
                }
            }
        }
    }

    private func pixels(_ bitmap: Bitmap) -> [Pixel] {
        (0..<bitmap.height).flatMap { y in (0..<bitmap.width).map { x in bitmap[x, y] } }
    }

    @Test(arguments: [(4, 148), (16, 160), (64, 192), (4096, 4096)])
    func `a stride is the next multiple of the alignment`(alignment: Int, stride: Int) throws {
        let bitmap = try Self.bitmap(rowAlignment: alignment)
        #expect(bitmap.stride == stride)
        #expect(bitmap.byteCount == stride * 23)
    }

    @Test func `a width whose padded row does not fit in a number is too large`() {
        #expect(throws: CodecError.self) {
            try Bitmap(width: .max / 4, height: 1, hasAlpha: false, rowAlignment: 64) { _, _ in }
        }
    }

    private static let steps: [any ImageStep] = [
        .blur(sigma: 2), .sharpen(sigma: 1, amount: 1), .pixelate(4), .rotate(quarterTurns: 1),
        .rotate(quarterTurns: 2),
        .circle, .round(radius: 5), .trim, .grayscale, .fill(width: 20, height: 20),
    ]

    @Test(arguments: steps.indices)
    func `a step gives the same image whatever lies between the rows`(index: Int) throws {
        let step = Self.steps[index]
        let plain = try step.apply(to: Self.bitmap(rowAlignment: 4))
        let padded = try step.apply(to: Self.bitmap(rowAlignment: 64))
        #expect(pixels(plain) == pixels(padded), "\(step.key)")
    }

    @Test(arguments: [ResizeFilter.box, .bilinear, .catmullRom, .lanczos3], [9, 18, 50])
    func `an image is resized to the same whatever lies between the rows`(filter: ResizeFilter, width: Int) throws {
        let step = ImageSteps.Resize.resize(width: width, height: width, mode: .exact, upscales: true, filter: filter)
        let plain = try step.apply(to: Self.bitmap(rowAlignment: 4))
        let padded = try step.apply(to: Self.bitmap(rowAlignment: 64))
        #expect(pixels(plain) == pixels(padded))
    }

    @Test func `a file, a hash and a color are the same whatever lies between the rows`() throws {
        let (plain, padded) = (try Self.bitmap(rowAlignment: 4), try Self.bitmap(rowAlignment: 64))
        for format in [EncodingFormat.jpeg(quality: 80), .png, .webp(quality: 80)] {
            #expect(try plain.encoded(as: format) == padded.encoded(as: format))
        }
        #expect(try BlurHash(plain).description == BlurHash(padded).description)
        #expect(try ThumbHash(plain).data == ThumbHash(padded).data)
        #expect(plain.averageColor == padded.averageColor)
    }
}
