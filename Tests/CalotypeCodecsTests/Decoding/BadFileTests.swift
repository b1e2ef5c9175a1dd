import CAvif
import CSpng
import CalotypeCodecs
import Foundation
import Testing

/// Files made to cost more than they seem to: a typed error or the valid part, and no more memory than was admitted.
@Suite struct BadFileTests {
    @Test func `an AVIF grid that lacks tiles is an error`() throws {
        let file = try Self.grid(of: Pictures.gradient(64, 64))
        #expect(try file.decoded().size == PixelSize(width: 128, height: 64))
        let tiles = try #require(file.range(of: Data("dimg".utf8))).upperBound
        // The number of tiles follows the grid's own; then their numbers follow.
        for patch in [
            (tiles + 3, [1] as [UInt8]), (tiles + 6, [0, 99]), (tiles + 4, [0, 99, 0, 98]), (tiles + 6, [0, 1]),
        ] {
            var broken = file
            broken.replaceSubrange(patch.0..<patch.0 + patch.1.count, with: patch.1)
            let error = #expect(throws: CodecError.self, "\(patch)") { try broken.decoded() }
            #expect(error?.code == .damaged, "\(error?.message ?? "")")
        }
    }

    @Test func `a profile that says it is of 4 GB is left out, or used as far as it is there`() throws {
        var profile = try Profiles.swapped()
        profile.replaceSubrange(0..<4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        for tag in 0..<3 {
            profile.replaceSubrange(132 + 12 * tag + 8..<132 + 12 * tag + 12, with: [0xFF, 0xFF, 0xFF, 0xF0])
        }
        let drawn = try Pictures.quarters(16, 16)
        let samples = drawn.pixels.joined().flatMap { [$0.red, $0.green, $0.blue] }
        let png = PNGFile(width: 16, height: 16, colorType: SPNG_COLOR_TYPE_TRUECOLOR, profile: profile)
        let files = [
            try JPEGFiles.make(drawn).addingProfile(profile), try png.encoded(samples),
            try WebPFiles.annotated(drawn, profile: profile), try AVIFFile(profile: profile).encoded(drawn),
        ]
        for file in files { #expect(try file.decoded().size == drawn.size) }
    }

    @Test func `a profile that unpacks to more than 8 MB is not unpacked`() throws {
        var profile = try Profiles.swapped()
        profile.append(Data(count: 40 << 20))
        let drawn = try Pictures.quarters(16, 16)
        let samples = drawn.pixels.joined().flatMap { [$0.red, $0.green, $0.blue] }
        let file = try PNGFile(width: 16, height: 16, colorType: SPNG_COLOR_TYPE_TRUECOLOR, profile: profile)
            .encoded(samples)
        #expect(file.count < 1 << 20)
        do {
            #expect(try file.decoded().size == drawn.size)
        } catch {
            #expect([.damaged, .tooLarge].contains(error.code), "\(error)")
        }
    }

    @Test func `chunks that say they are of 4 GB end in a typed error or the good part`() throws {
        let drawn = try Pictures.quarters(16, 16)
        let profile = try Profiles.swapped()
        let samples = drawn.pixels.joined().flatMap { [$0.red, $0.green, $0.blue] }
        let png = PNGFile(width: 16, height: 16, colorType: SPNG_COLOR_TYPE_TRUECOLOR, profile: profile)
        let files = [
            (try png.encoded(samples), "iCCP", -4), (try WebPFiles.annotated(drawn, profile: profile), "ICCP", 4),
            (try AVIFFile(profile: profile).encoded(drawn), "colr", -4),
        ]
        for (file, name, offset) in files {
            var broken = file
            let place = try #require(file.range(of: Data(name.utf8))).lowerBound + offset
            broken.replaceSubrange(place..<place + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
            do {
                #expect(try broken.decoded().size == drawn.size)
            } catch {
                #expect(error.code == .damaged, "\(name): \(error)")
            }
        }
    }

    @Test func `a progressive JPEG of 1,000 scans is an error`() throws {
        let file = try JPEGFiles.make(Pictures.gradient(64, 64), progressive: true)
        let start = try #require(file.range(of: Data([0xFF, 0xDA]))).lowerBound
        let end = try #require(file.range(of: Data([0xFF, 0xC4]), in: start..<file.endIndex)).lowerBound
        let scan = file[start..<end]
        let bomb = file[..<end] + (0..<1000).reduce(into: Data()) { data, _ in data += scan } + file[end...]
        for accepts in [false, true] {
            var limits = DecodeLimits()
            limits.acceptsPartialImages = accepts
            let error = #expect(throws: CodecError.self) { try bomb.decoded(limits: limits) }
            #expect(error?.code == .damaged)
        }
    }

    /// Returns two tiles side by side.
    private static func grid(of tile: Bitmap) throws -> Data {
        let image = try #require(
            avifImageCreate(UInt32(tile.width), UInt32(tile.height), 8, AVIF_PIXEL_FORMAT_YUV444))
        defer { avifImageDestroy(image) }
        var source = avifRGBImage()
        avifRGBImageSetDefaults(&source, image)
        source.format = AVIF_RGB_FORMAT_BGRA
        source.rowBytes = UInt32(tile.stride)
        let filled = tile.withUnsafeBytes { bytes in
            source.pixels = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: UInt8.self)
            return avifImageRGBToYUV(image, &source)
        }
        try #require(filled == AVIF_RESULT_OK)
        let encoder = try #require(avifEncoderCreate())
        defer { avifEncoderDestroy(encoder) }
        encoder.pointee.speed = 10
        let tiles: [UnsafePointer<avifImage>?] = [UnsafePointer(image), UnsafePointer(image)]
        let added = avifEncoderAddImageGrid(encoder, 2, 1, tiles, AVIF_ADD_IMAGE_FLAG_SINGLE.rawValue)
        try #require(added == AVIF_RESULT_OK)
        var file = avifRWData()
        defer { avifRWDataFree(&file) }
        try #require(avifEncoderFinish(encoder, &file) == AVIF_RESULT_OK)
        return Data(bytes: try #require(file.data), count: file.size)
    }
}
