import CalotypeCodecs
import Foundation
import Testing

@Suite struct UnwrittenPixelsTests {
    @Test func `a JPEG that ends before its first pixel has no part to show`() throws {
        let bitmap = try Bitmap(width: 64, height: 64, hasAlpha: false) { pixels, _ in
            for index in pixels.indices { pixels[index] = index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: index / 3) }
        }
        let file = try bitmap.encoded(as: .jpeg())
        let scan = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xDA })
        var limits = DecodeLimits()
        limits.acceptsPartialImages = true
        for end in [scan + 2, scan + 8] {
            let error = #expect(throws: CodecError.self) {
                try DecoderRegistry.standard.decode(file.prefix(end), limits: limits)
            }
            #expect(error?.code == .damaged)
        }
    }
}
