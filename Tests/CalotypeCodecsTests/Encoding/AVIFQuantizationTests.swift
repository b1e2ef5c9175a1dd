import CalotypeTesting
@testable import CalotypeCodecs
import Foundation
import Testing

@Suite struct AVIFQuantizationTests {
    @Test func `a matrix goes with a finer quantizer, below a quality of 90 and with libaom alone`() {
        let matrices = AVIFQuantization(quality: 63, hasMatrices: true)
        let plain = AVIFQuantization(quality: 63, hasMatrices: false)
        #expect((matrices.quantizer, matrices.matrix) == (19, 7) && (plain.quantizer, plain.matrix) == (23, nil))
        #expect(matrices.alphaQuantizer == plain.alphaQuantizer, "alpha has no matrix")
        #expect(AVIFQuantization(quality: 90, hasMatrices: true).matrix == nil)
    }

    @Test func `a higher quality never has a coarser quantizer`() {
        for hasMatrices in [false, true] {
            let steps = (0..<90).map { AVIFQuantization(quality: $0, hasMatrices: hasMatrices).quantizer }
            #expect(steps == steps.sorted(by: >) && steps.allSatisfy { (0...63).contains($0) })
        }
    }

    @Test func `libaom here knows the options, and writes fewer bytes at the same quantizer`() throws {
        #expect(AVIFQuantization.hasMatrices)
        let photo = SamplePhotos.bitmap(width: 320, height: 240)
        let canvas = try AVIFCanvas(photo, keepsColors: false)
        // 63 with matrices has the quantizer of 70 without.
        let (matrices, plain) = (
            AVIFQuantization(quality: 63, hasMatrices: true), AVIFQuantization(quality: 70, hasMatrices: false)
        )
        #expect(matrices.quantizer == plain.quantizer)
        let smaller = try #require(try canvas.encoded(matrices, speed: 9))
        #expect(try smaller.count < #require(try canvas.encoded(plain, speed: 9)).count)
        #expect(try photo.encoded(as: .avif(quality: 63, speed: 9)) == smaller, "the same bytes each time")
    }

    @Test func `all small sizes, with and without alpha, are written and read`() throws {
        for side in [1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 63, 64, 65, 70] {
            for image in [try Pictures.noise(side, 71 - side), try Pictures.veil(71 - side, side)] {
                #expect(try image.encoded(as: .avif(quality: 60, speed: 10)).decoded().size == image.size)
            }
        }
    }
}
