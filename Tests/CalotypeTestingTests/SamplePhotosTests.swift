import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing

@Suite struct SamplePhotosTests {
    private func pixels(_ bitmap: Bitmap) -> [UInt8] {
        bitmap.withUnsafeBytes { Array($0) }
    }

    @Test func `the same seed draws the same image`() {
        let one = SamplePhotos.bitmap(width: 60, height: 40, seed: 7)
        let two = SamplePhotos.bitmap(width: 60, height: 40, seed: 7)
        #expect((one.width, one.height, one.hasAlpha) == (60, 40, false))
        #expect(pixels(one) == pixels(two))
    }

    @Test func `seeds differ at a glance`() {
        let pictures = (0..<5).map { pixels(SamplePhotos.bitmap(width: 60, height: 40, seed: $0)) }
        for (index, one) in pictures.enumerated() {
            for other in pictures[(index + 1)...] {
                let difference = zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
                #expect(difference / one.count > 10)
            }
        }
    }

    @Test func `an opaque image is opaque, a fading one premultiplied`() {
        let opaque = pixels(SamplePhotos.bitmap(width: 40, height: 20))
        #expect(Swift.stride(from: 3, to: opaque.count, by: 4).allSatisfy { opaque[$0] == 255 })
        let fading = pixels(SamplePhotos.bitmap(width: 40, height: 20, hasAlpha: true))
        #expect(fading[3] == 0)
        #expect(fading[39 * 4 + 3] == 255)
        let isPremultiplied = Swift.stride(from: 0, to: fading.count, by: 4).allSatisfy { at in
            fading[at..<at + 3].allSatisfy { $0 <= fading[at + 3] }
        }
        #expect(isPremultiplied)
    }

    @Test(arguments: [(1, 1), (1, 500), (500, 1), (0, -3)])
    func `any size can be drawn`(width: Int, height: Int) {
        let bitmap = SamplePhotos.bitmap(width: width, height: height, hasAlpha: true)
        #expect((bitmap.width, bitmap.height) == (max(width, 1), max(height, 1)))
    }

    @Test func `files have the format they claim, and a photograph's size`() {
        let jpeg = SamplePhotos.jpeg()
        #expect(jpeg.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect((10_000...120_000).contains(jpeg.count))
        let png = SamplePhotos.png(hasAlpha: true)
        #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(png.count > jpeg.count)
        let webp = SamplePhotos.webp()
        #expect(webp.starts(with: Data("RIFF".utf8)))
        #expect(webp[8..<12] == Data("WEBP".utf8))
        #expect(webp.count < png.count)
    }
}
