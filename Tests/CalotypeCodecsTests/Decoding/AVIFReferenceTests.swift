import CAvif
import CalotypeCodecs
import Foundation
import Testing

/// Files whose images and tracks refer to each other in ways that libavif before 1.1 misreads: those are decoded
/// rightly, or refused.
@Suite struct AVIFReferenceTests {
    private static let isUnderstood = calotype_avif_follows_references() != 0

    private func check(_ file: Data, shows expected: Bitmap) throws {
        if Self.isUnderstood {
            #expect(try DecoderRegistry.standard.header(of: file).hasAlpha == expected.hasAlpha)
            #expect(try #require(file.decoded().worstDistance(to: expected)) <= 12)
        } else {
            let error = #expect(throws: CodecError.self) { try file.decoded() }
            #expect(error?.code == .unsupported && error?.message.contains("libavif 1.1") == true, "\(error as Any)")
        }
    }

    /// Draws two tiles of 64 pixels that differ in color and in alpha.
    private func drawn(hasAlpha: Bool) throws -> Bitmap {
        try Bitmap.drawn(128, 64, hasAlpha: hasAlpha) { x, _ in
            (x < 64 ? Pixel.red : .blue).premultiplied(!hasAlpha ? 255 : x < 64 ? 200 : 90)
        }
    }

    @Test(arguments: [false, true]) func `a grid with alpha beside it decodes`(hasAlpha: Bool) throws {
        let drawn = try drawn(hasAlpha: hasAlpha)
        let file = try AVIFFile().encodedGrid(drawn, tileWidth: 64)
        #expect(try DecoderRegistry.standard.header(of: file).hasAlpha == hasAlpha)
        #expect(try #require(file.decoded().worstDistance(to: drawn)) <= 12)
    }

    @Test func `a grid whose tiles have alpha of their own is not opaque`() throws {
        let drawn = try drawn(hasAlpha: true)
        var box = try AVIFReferenceBox(AVIFFile().encodedGrid(drawn, tileWidth: 64))
        let auxiliary = try #require(box.references.first { $0.type == "auxl" })
        let grids = box.references.filter { $0.type == "dimg" }
        let colors = try #require(grids.first { $0.from == auxiliary.to[0] })
        let alphas = try #require(grids.first { $0.from == auxiliary.from })
        box.references = [colors] + zip(alphas.to, colors.to).map { .init(type: "auxl", from: $0, to: [$1]) }
        try check(box.written(), shows: drawn)
    }

    @Test(arguments: [false, true]) func `tiles are placed in the order of the grid`(hasAlpha: Bool) throws {
        let drawn = try drawn(hasAlpha: hasAlpha)
        var box = try AVIFReferenceBox(AVIFFile().encodedGrid(drawn, tileWidth: 64))
        for index in box.references.indices where box.references[index].type == "dimg" {
            box.references[index].to.reverse()
        }
        let swapped = try Bitmap.drawn(128, 64, hasAlpha: hasAlpha) { x, y in drawn[(x + 64) % 128, y] }
        try check(box.written(), shows: swapped)
    }

    @Test func `a depth track is not alpha`() throws {
        let veil = try Pictures.veil(80, 50)
        let file = try AVIFFile(durations: [100, 100]).encoded(veil)
        #expect(try DecoderRegistry.standard.header(of: file).hasAlpha)
        let depth = file.replacing("systems:auxiliary:alpha", with: "systems:auxiliary:depth")
        try check(depth, shows: veil.opaque())
    }

    @Test func `a depth image is not alpha`() throws {
        let veil = try Pictures.veil(80, 50)
        let file = try AVIFFile().encoded(veil).replacing("systems:auxiliary:alpha", with: "systems:auxiliary:depth")
        let decoded = try file.decoded()
        #expect(!decoded.hasAlpha)
        #expect(try #require(decoded.worstDistance(to: veil.opaque())) <= 12)
    }
}

extension Bitmap {
    /// Returns the colors without their alpha, which the encoder stores straight.
    fileprivate func opaque() throws -> Bitmap {
        try Bitmap.drawn(width, height) { x, y in
            let pixel = self[x, y]
            func straight(_ channel: UInt8) -> UInt8 {
                let alpha = Int(pixel.alpha)
                return alpha == 0 ? 0 : UInt8(min(255, (Int(channel) * 255 + alpha / 2) / alpha))
            }
            return Pixel(straight(pixel.blue), straight(pixel.green), straight(pixel.red))
        }
    }
}
