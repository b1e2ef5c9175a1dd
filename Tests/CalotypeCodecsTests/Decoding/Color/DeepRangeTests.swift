import CAvif
import CSpng
import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing

/// High dynamic range with more than 8 bits, which is mapped before it is rounded to 8.
@Suite struct DeepRangeTests {
    private let curves: [(name: String, transfer: UInt16)] = [("PQ", 16), ("HLG", 18)]

    /// Returns a gray ramp of 1,024 steps with 16 bits above a row of noise, with code points of BT.2020 and a curve. Noise
    /// takes as many bytes as it has samples, so that a file without its last bytes lacks nothing of the ramp.
    private func png(_ transfer: UInt16, isInterlaced: Bool = false) throws -> Data {
        var random = SplitMix(seed: 1)
        let samples =
            (0..<1024).map { UInt16($0 * 65_535 / 1023) }
            + (0..<1024).map { _ in UInt16.random(in: 0...65_535, using: &random) }
        return try PNGFile(
            width: 1024, height: 2, colorType: SPNG_COLOR_TYPE_GRAYSCALE, bitDepth: 16, isInterlaced: isInterlaced
        ).encoded(samples.withUnsafeBytes { Array($0) })
            .addingPNGChunks([("cICP", Data([9, UInt8(transfer), 0, 1]))])
    }

    /// Encodes samples of 10 bits in 4:2:0 without loss.
    ///
    /// - Parameter sample: The luma of a pixel, and the two differences of four pixels.
    private func avif(
        _ width: Int, _ height: Int, _ transfer: UInt16, area: PixelRect? = nil,
        _ sample: (_ x: Int, _ y: Int, _ plane: Int) -> Int
    ) throws -> Data {
        let image = try #require(avifImageCreate(UInt32(width), UInt32(height), 10, AVIF_PIXEL_FORMAT_YUV420))
        defer { avifImageDestroy(image) }
        AVIFFile(depth: 10, area: area, primaries: 9, transfer: transfer).describe(image)
        _ = avifImageAllocatePlanes(image, UInt32(AVIF_PLANES_YUV.rawValue))
        let planes = [image.pointee.yuvPlanes.0, image.pointee.yuvPlanes.1, image.pointee.yuvPlanes.2]
        let strides = [image.pointee.yuvRowBytes.0, image.pointee.yuvRowBytes.1, image.pointee.yuvRowBytes.2]
        for plane in 0..<3 {
            let (step, start) = (plane == 0 ? 1 : 2, UnsafeMutableRawPointer(try #require(planes[plane])))
            for y in 0..<height / step {
                for x in 0..<width / step {
                    start.storeBytes(
                        of: UInt16(sample(x, y, plane)), toByteOffset: y * Int(strides[plane]) + 2 * x, as: UInt16.self)
                }
            }
        }
        let encoder = try #require(avifEncoderCreate())
        defer { avifEncoderDestroy(encoder) }
        (encoder.pointee.speed, encoder.pointee.minQuantizer, encoder.pointee.maxQuantizer) = (10, 0, 0)
        var file = avifRWData()
        defer { avifRWDataFree(&file) }
        try #require(avifEncoderWrite(encoder, image, &file) == AVIF_RESULT_OK)
        return Data(bytes: try #require(file.data), count: file.size)
    }

    private func levels(_ bitmap: Bitmap, _ y: Int = 0) -> [Int] { (0..<bitmap.width).map { Int(bitmap[$0, y].green) } }

    @Test func `a ramp keeps the levels of its bits, in shadows and in highlights`() throws {
        for curve in curves {
            let gray = try avif(1024, 4, curve.transfer) { x, _, plane in plane == 0 ? x : 512 }
            for (format, file) in [("PNG", try png(curve.transfer)), ("AVIF", gray)] {
                let levels = try levels(file.decoded())
                #expect(levels[0] == 0 && levels[1023] == 255, "\(curve) \(format)")
                // Where the ramp is slow, it is dithered: a level may follow the next one.
                #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 >= $0 - 1 }, "\(curve) \(format)")
                let means = stride(from: 0, to: 1024, by: 16).map { levels[$0..<$0 + 16].reduce(0, +) }
                #expect(means == means.sorted(), "\(curve) \(format)")
                // With 8 bits, a ramp has about 93.
                #expect(Set(levels).count > 200, "\(curve) \(format): \(Set(levels).count)")
                // Paper white is near 239. In shadows every level is there.
                #expect(Set(levels.filter { $0 >= 239 }).count >= 16, "\(curve) \(format)")
                #expect((0..<100).allSatisfy(levels.contains), "\(curve) \(format)")
            }
        }
    }

    @Test func `it is mapped alike with and without interlacing, and where a part is missing`() throws {
        let whole = try png(16).decoded()
        let interlaced = try png(16, isInterlaced: true)
        #expect(try interlaced.decoded().worstDistance(to: whole) == 0)
        var limits = DecodeLimits()
        limits.acceptsPartialImages = true
        for file in [try png(16), interlaced] {
            let part = try file.prefix(file.count - 40).decoded(limits: limits)
            // Only a whole image is dithered.
            #expect(zip(levels(part), levels(whole)).allSatisfy { abs($0 - $1) <= 1 })
        }
    }

    @Test func `thumbnails are mapped as full-size images are`() throws {
        let file = try avif(64, 64, 16) { _, y, plane in plane == 0 ? 8 * y : 512 }
        let (whole, small) = (try file.decoded(), try file.decoded(ResizeTarget(width: 32)))
        for y in 2..<30 {
            let around = [Int(whole[3, 2 * y].green), Int(whole[3, 2 * y + 1].green)]
            #expect((around[0] - 2...around[1] + 2).contains(Int(small[1, y].green)), "row \(y)")
        }
    }

    @Test func `colors that two rows share are the same, wherever the image begins`() throws {
        let sample = { (x: Int, y: Int, plane: Int) in plane == 2 ? 440 + 37 * y % 150 : 500 }
        let whole = try avif(8, 70, 16, sample).decoded()
        let cut = try avif(8, 70, 16, area: PixelRect(x: 0, y: 2, width: 8, height: 68), sample).decoded()
        #expect(Set((0..<70).map { whole[4, $0].red }).count > 20)
        // At its edge, a cut image lacks the colors of the rows outside.
        for y in 2..<68 { #expect(cut[4, y] == whole[4, y + 2], "row \(y)") }
    }

    @Test func `transparency stays, and limits the colors`() throws {
        let samples: [UInt16] = [65_535, 65_535, 65_535, 32_768, 30_000, 30_000, 30_000, 0]
        let file = try PNGFile(width: 2, height: 1, colorType: SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, bitDepth: 16)
            .encoded(samples.withUnsafeBytes { Array($0) }).addingPNGChunks([("cICP", Data([9, 16, 0, 1]))])
        let bitmap = try file.decoded()
        #expect(bitmap[0, 0] == Pixel(128, 128, 128, 128) && bitmap[1, 0] == .clear)
    }
}
