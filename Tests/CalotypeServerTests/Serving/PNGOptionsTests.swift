import CalotypeBase
import CalotypeCodecs
import CalotypeTesting
@testable import CalotypeURLs
import Foundation
import Testing

@testable import CalotypeServer

/// The options `pngo` of PNG results.
struct PNGOptionsTests {
    /// The color type and the interlace method in IHDR.
    private func header(_ options: ByteString, of bitmap: Bitmap) throws -> (color: UInt8, interlace: UInt8) {
        let request = try RenditionRequest(path: "/\(options)/f:png/plain/a")
        let encoding = RenditionEncoding(options: request.options, accepted: nil)
        let file = try encoding.encoded(bitmap, as: .png) { true }
        return (file[25], file[28])
    }

    /// Stripes of 18 colors, each pixel lighter by up to 3 steps in each channel: some 1,000 colors.
    private func grain() throws -> Bitmap {
        var random = SplitMix(seed: 1)
        return try Bitmap(width: 120, height: 90, hasAlpha: false) { bytes, stride in
            for y in 0..<90 {
                for x in 0..<120 {
                    let grain = random.next()
                    let (red, green, blue) = (grain % 4, (grain >> 8) % 4, (grain >> 16) % 4)
                    let color = UInt32(red << 16 | green << 8 | blue) &+ UInt32(y / 5 * 10) &* 0x01_0101 | 0xFF00_0000
                    bytes.storeBytes(of: color, toByteOffset: y * stride + 4 * x, as: UInt32.self)
                }
            }
        }
    }

    @Test func `a PNG is interlaced or has a palette on request`() throws {
        let grain = try grain()
        #expect(try header("pngo:0", of: grain) == (2, 0))
        #expect(try header("pngo:1", of: grain) == (2, 1))
        #expect(try header("pngo:1:1", of: grain) == (3, 1))
        #expect(try header("pngo::1:256", of: grain) == (3, 0))
    }

    @Test func `a palette counts in the memory of the result`() throws {
        func peak(_ options: ByteString) throws -> Int {
            let request = try RenditionRequest(path: "/\(options)/f:png/plain/a")
            let encoding = RenditionEncoding(options: request.options, accepted: nil)
            return encoding.peakBytes(of: PixelSize(width: 1000, height: 1000), hasAlpha: false)
        }
        #expect(try peak("pngo:0:1") >= peak("pngo:1") + 4_000_000)
    }
}
