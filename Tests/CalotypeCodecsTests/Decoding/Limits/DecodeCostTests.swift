import CSpng
import CTurboJPEG
import CalotypeCodecs
import Foundation
import Testing

@Suite struct DecodeCostTests {
    private let bitmap: Bitmap
    private let thumbnail = ResizeTarget(width: 40)
    private let full = 400 * 300 * 4

    init() throws {
        bitmap = try Pictures.gradient(400, 300)
    }

    private func cost(_ file: Data, _ target: ResizeTarget? = nil) throws -> Int {
        try DecoderRegistry.standard.plan(for: file, target: target).cost
    }

    @Test func `a full-size JPEG costs its bitmap and some rows`() throws {
        let cost = try cost(JPEGFiles.make(bitmap))
        #expect(cost >= full && cost < full + full / 4)
    }

    @Test func `a JPEG thumbnail costs some rows, and what the codec's scale leaves if a part may be shown`() throws {
        let file = try JPEGFiles.make(bitmap)
        let cost = try cost(file, thumbnail)
        #expect(cost >= 40 * 30 * 4 && cost < full / 8)
        // Half of twice 40 × 30, the filter's input.
        let small = 100 * 75 * 4 + 40 * 30 * 4
        var limits = DecodeLimits()
        limits.acceptsPartialImages = true
        let partial = try DecoderRegistry.standard.plan(for: file, target: thumbnail, limits: limits).cost
        #expect(partial >= small && partial < full / 4)
    }

    @Test func `a JPEG of 100 megapixels at three quarters costs the result, not the image`() throws {
        let file = try JPEGFiles.make(bitmap).withFrame(width: 12_000, height: 8000)
        let plan = try DecoderRegistry.standard.plan(for: file, target: ResizeTarget(width: 9000))
        let result = 9000 * 6000 * 4
        #expect(plan.header.width == 12_000 && plan.header.height == 8000)
        // Twice, as a decoder may leave the last step of scaling to its caller.
        #expect(plan.cost >= result && plan.cost < 2 * result + result / 20)
    }

    @Test func `a progressive JPEG costs two bytes a sample, whatever the size wanted`() throws {
        let samples = [(TJSAMP_444, 3.0), (TJSAMP_420, 1.5), (TJSAMP_GRAY, 1.0)]
        for (sampling, samplesPerPixel) in samples {
            let file = try JPEGFiles.make(bitmap, sampling: sampling, progressive: true)
            let plan = try DecoderRegistry.standard.plan(for: file, target: thumbnail)
            #expect(plan.header.isProgressive && plan.header.samplesPerPixel == samplesPerPixel)
            let coefficients = Int(2 * samplesPerPixel) * 400 * 300
            #expect(plan.cost >= coefficients && plan.cost < coefficients + full / 8)
        }
    }

    @Test func `a PNG thumbnail costs some rows, an interlaced one the whole image`() throws {
        let cost = try cost(bitmap.encoded(as: .png), thumbnail)
        // Inflating takes 104 KB for any image: a window, the tables of codes, and blocks for libspng.
        #expect(cost >= 40 * 30 * 4 + 80_000 && cost < full / 8 + 104_000)
        let samples = bitmap.pixels.joined().flatMap { [$0.red, $0.green, $0.blue] }
        let file = PNGFile(width: 400, height: 300, colorType: SPNG_COLOR_TYPE_TRUECOLOR, isInterlaced: true)
        let plan = try DecoderRegistry.standard.plan(for: file.encoded(samples), target: thumbnail)
        #expect(plan.header.isProgressive && plan.cost >= full && plan.cost < full + full / 2)
    }

    @Test func `a PNG of 100 megapixels costs less than 60 MB as a thumbnail`() throws {
        let head = Data().bigEndian(12_500, bytes: 4).bigEndian(8000, bytes: 4) + [16, 6, 0, 0, 0]
        let file =
            Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + PNGFile.chunk("IHDR", head)
            + PNGFile.chunk("IDAT", Data())
        #expect(try cost(file, ResizeTarget(width: 1600)) < 60_000_000)
        #expect(try cost(file, ResizeTarget(width: 400)) < 4_000_000)
    }

    @Test func `turning an image costs another one of the result`() throws {
        let upright = try cost(JPEGFiles.make(bitmap))
        let turned = try cost(JPEGFiles.make(bitmap).addingEXIF(6))
        #expect(turned >= 2 * full && upright < 2 * full)
    }

    @Test func `enlarging costs the larger bitmap too`() throws {
        let target = ResizeTarget(width: 800, height: 600, mode: .exact, upscales: true)
        #expect(try cost(JPEGFiles.make(bitmap), target) >= 5 * full)
    }
}

extension Data {
    /// Returns this JPEG with another size in its frame header.
    fileprivate func withFrame(width: Int, height: Int) throws -> Data {
        let frame = try #require(range(of: Data([0xFF, 0xC0]))).lowerBound
        let size = Data().bigEndian(height, bytes: 2).bigEndian(width, bytes: 2)
        return self[..<(frame + 5)] + size + self[(frame + 9)...]
    }
}
