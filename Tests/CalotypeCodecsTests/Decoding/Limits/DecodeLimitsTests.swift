import CalotypeCodecs
import Foundation
import Testing

@Suite struct DecodeLimitsTests {
    /// Returns signature and IHDR of a PNG that announces this size and has no pixels.
    private func pngHeader(_ width: Int, _ height: Int, isInterlaced: Bool = false) -> Data {
        let size = Data().bigEndian(width, bytes: 4).bigEndian(height, bytes: 4)
        return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            + PNGFile.chunk("IHDR", size + [8, 6, 0, 0, isInterlaced ? 1 : 0]) + PNGFile.chunk("IDAT", Data())
    }

    @Test func `a PNG header of 100,000 × 100,000 pixels is refused by its numbers`() throws {
        let error = #expect(throws: CodecError.self) { try pngHeader(100_000, 100_000).decoded() }
        #expect(error?.code == .tooLarge)
        #expect(error?.message.contains("100000 × 100000") == true)
    }

    @Test func `more pixels than allowed are refused before anything is decoded`() throws {
        let error = #expect(throws: CodecError.self) {
            try DecoderRegistry.standard.plan(for: pngHeader(20_000, 20_000), target: ResizeTarget(width: 10))
        }
        #expect(error?.code == .tooLarge)
        #expect(error?.message.contains("100000000") == true)
    }

    @Test func `a side longer than allowed is refused`() throws {
        let error = #expect(throws: CodecError.self) { try pngHeader(70_000, 1).decoded() }
        #expect(error?.code == .tooLarge)
        #expect(error?.message.contains("65535") == true)
    }

    @Test func `an image of no pixels is damaged`() throws {
        let error = #expect(throws: CodecError.self) { try pngHeader(0, 5).decoded() }
        #expect(error?.code == .damaged)
    }

    @Test func `a decode above the memory allowed fails, naming both figures`() throws {
        var limits = DecodeLimits()
        limits.maxDecodeBytes = 1_000_000
        let error = #expect(throws: CodecError.self) {
            try DecoderRegistry.standard.plan(
                for: pngHeader(1000, 1000, isInterlaced: true), target: ResizeTarget(width: 10), limits: limits)
        }
        #expect(error?.code == .tooLarge)
        #expect(error?.message.contains("at most 1.0 MB are allowed") == true)
    }

    @Test func `an enlargement beyond the memory allowed fails`() throws {
        let file = try Pictures.quarters(10, 10).encoded(as: .png)
        let target = ResizeTarget(width: 40_000, height: 40_000, mode: .exact, upscales: true)
        let error = #expect(throws: CodecError.self) { try file.decoded(target) }
        #expect(error?.code == .tooLarge)
    }

    @Test func `without a size, a large bitmap comes scaled down to the limit`() throws {
        let file = try Pictures.quarters(400, 300).encoded(as: .jpeg())
        var limits = DecodeLimits()
        limits.maxBitmapBytes = 120_000
        let bitmap = try file.decoded(limits: limits)
        #expect(bitmap.width == 200 && bitmap.height == 150)
        #expect(bitmap.byteCount <= 120_000)
    }

    @Test func `with a size or without the limit, it comes as asked`() throws {
        let file = try Pictures.quarters(400, 300).encoded(as: .jpeg())
        var limits = DecodeLimits()
        limits.maxBitmapBytes = 120_000
        #expect(try file.decoded(ResizeTarget(width: 300), limits: limits).width == 300)
        limits.maxBitmapBytes = nil
        #expect(try file.decoded(limits: limits).width == 400)
    }

    @Test func `60 MB is the bitmap that comes at full size`() throws {
        let plan = try DecoderRegistry.standard.plan(for: pngHeader(5000, 4000))
        #expect(plan.outputSize.width * plan.outputSize.height * 4 <= 60_000_000)
        #expect(try DecoderRegistry.standard.plan(for: pngHeader(4000, 3750)).outputSize.width == 4000)
    }

    @Test func `the larger of the file and the result is named, and the limit is in MB`() throws {
        let file = try Pictures.quarters(400, 300).encoded(as: .png)
        let large = ResizeTarget(width: 20_000, height: 10_000, mode: .exact, upscales: true)
        let enlarged = #expect(throws: CodecError.self) { try file.decoded(large) }
        #expect(
            enlarged?.message.wholeMatch(
                of: /a result of 20000 × 10000 pixels takes \d+ MB of memory, and at most 512 MB are allowed/) != nil,
            "\(enlarged?.message ?? "")")
        var limits = DecodeLimits()
        limits.maxDecodeBytes = 150_000
        let reduced = #expect(throws: CodecError.self) { try file.decoded(ResizeTarget(width: 320), limits: limits) }
        #expect(
            reduced?.message.wholeMatch(
                of:
                    /PNG of 400 × 300 pixels, decoded to \d+ × \d+, takes \d\.\d MB of memory, and at most 0.1 MB are allowed/
            ) != nil, "\(reduced?.message ?? "")")
    }

    // MARK: - Limits that make no sense

    /// Returns the three limits that refuse, each set to `value`.
    private func limits(_ value: Int) -> [DecodeLimits] {
        [\DecodeLimits.maxPixels, \.maxDimension, \.maxDecodeBytes].map { limit in
            var limits = DecodeLimits()
            limits[keyPath: limit] = value
            return limits
        }
    }

    @Test(arguments: [0, -1, .min])
    func `a limit of nothing refuses every image`(value: Int) throws {
        let file = try Pictures.quarters(8, 8).encoded(as: .png)
        for limits in limits(value) {
            let error = #expect(throws: CodecError.self) { try file.decoded(limits: limits) }
            #expect(error?.code == .tooLarge)
            #expect(error?.message.contains("at most \(value)") == true)
        }
    }

    @Test(arguments: [0, -1, 3, .min])
    func `a bitmap that may take nothing is one pixel`(value: Int) throws {
        let file = try Pictures.quarters(400, 300).encoded(as: .jpeg())
        var limits = DecodeLimits()
        limits.maxBitmapBytes = value
        #expect(try file.decoded(limits: limits).size == PixelSize(width: 1, height: 1))
    }

    @Test func `the largest limits refuse nothing`() throws {
        let file = try Pictures.quarters(8, 8).encoded(as: .png)
        for limits in limits(.max) { #expect(try file.decoded(limits: limits).width == 8) }
        var limits = DecodeLimits()
        limits.maxBitmapBytes = .max
        #expect(try file.decoded(limits: limits).width == 8)
    }

    @Test(arguments: [0x0FFF_FFFF, 0x1FFF_FFFE])
    func `without any limit, an image beyond all memory is refused where its pixels would lie`(side: Int) throws {
        var limits = DecodeLimits()
        limits.maxPixels = .max
        limits.maxDimension = .max
        limits.maxDecodeBytes = .max
        limits.maxBitmapBytes = .max
        let error = #expect(throws: CodecError.self) {
            try pngHeader(side, side).decoded(limits: limits)
        }
        #expect(error?.code == .tooLarge)
    }
}
