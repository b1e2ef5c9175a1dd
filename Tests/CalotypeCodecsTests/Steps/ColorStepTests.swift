import CalotypeCodecs
import Foundation
import Requirements
import Testing

@Suite struct ColorStepTests {
    private func changed(_ pixel: Pixel, by step: some ImageStep) throws -> Pixel {
        try Bitmap.drawn(1, 1, hasAlpha: pixel.alpha < 255) { _, _ in pixel }.applying(step)[0, 0]
    }

    @Test func `brightness multiplies and ends at white`() throws {
        #expect(try changed(Pixel(10, 100, 200), by: .brightness(0.5)) == Pixel(5, 50, 100))
        #expect(try changed(Pixel(10, 100, 200), by: .brightness(2)) == Pixel(20, 200, 255))
        #expect(try changed(.white, by: .brightness(0)) == .black)
    }

    @Test func `contrast moves away from middle gray or towards it`() throws {
        #expect(try changed(Pixel(28, 128, 228), by: .contrast(0.5)).isClose(to: Pixel(78, 128, 178), within: 1))
        #expect(try changed(Pixel(100, 128, 160), by: .contrast(2)).isClose(to: Pixel(72, 128, 192), within: 1))
        #expect(try changed(.white, by: .contrast(0)).isClose(to: .gray(128), within: 1))
        #expect(try changed(.black, by: .contrast(100)) == .black)
    }

    @Test func `saturation and grayscale keep gray and weigh colors as eyes do`() throws {
        #expect(try changed(.gray(77), by: .saturation(3)) == .gray(77))
        #expect(try changed(.red, by: .grayscale).isClose(to: .gray(54), within: 1))
        #expect(try changed(.green, by: .grayscale).isClose(to: .gray(182), within: 1))
        #expect(try changed(.blue, by: .saturation(0)).isClose(to: .gray(18), within: 1))
        let strong = try changed(Pixel(100, 110, 150), by: .saturation(2))
        #expect(strong.red > 175 && strong.blue < 90)
    }

    @Test func `transparent pixels change as opaque ones seen through the same veil`() throws {
        let color = Pixel(40, 120, 220)
        for step in [.brightness(1.4), .contrast(1.5), .saturation(0.3), .grayscale] as [any ImageStep] {
            let opaque = try changed(color, by: ImageSteps.CustomStep(key: "") { try $0.applying([step]) })
            let veil = try changed(
                color.premultiplied(100), by: ImageSteps.CustomStep(key: "") { try $0.applying([step]) })
            #expect(veil.isClose(to: opaque.premultiplied(100), within: 2), "\(step.key)")
            #expect(veil.alpha == 100 && max(veil.red, veil.green, veil.blue) <= 100)
        }
    }

    @Test(.requirement("B65")) func `a factor of one changes nothing, nor does one that is not a number`() throws {
        let picture = try Pictures.noise(5, 5)
        for step in [.brightness(1), .contrast(.nan), .saturation(1), .brightness(.nan)] as [any ImageStep] {
            #expect(try picture.applying([step]).isIdentical(to: picture))
        }
        for factor in [-1, .infinity, -.infinity, 1e300] {
            _ = try picture.applying([.brightness(factor), .contrast(factor), .saturation(factor)])
        }
    }
}

@Suite struct BlurTests {
    private func dot(_ side: Int) throws -> Bitmap {
        try Bitmap.drawn(side, side) { x, y in x == side / 2 && y == side / 2 ? .white : .black }
    }

    @Test(arguments: [0.5, 1, 2, 3.9, 4.1, 7, 20])
    func `an edge becomes the sum of a Gaussian of that deviation`(sigma: Double) throws {
        let width = max(64, Int(12 * sigma) / 2 * 2)
        let weights = (-2 * width...2 * width).map { exp(-pow(Double($0) / sigma, 2) / 2) }
        let sum = weights.reduce(0, +)
        let edge = try Bitmap.drawn(width, 5) { x, _ in x < width / 2 ? .black : .white }
        let blurred = try edge.applying(.blur(sigma: sigma))
        for x in 0..<width {
            let lit = weights.suffix(2 * width + 1 + x - width / 2).reduce(0, +)
            #expect(abs(Double(blurred[x, 2].green) - 255 * lit / sum) < 3, "\(x)")
        }
    }

    @Test func `a blur keeps plain areas to the edge, and alpha above colors`() throws {
        let white = try Bitmap.drawn(50, 40) { _, _ in .white }
        #expect(try white.applying(.blur(sigma: 13)).distinctPixels == [.white])
        let veil = try Pictures.veil(60, 40).applying(.blur(sigma: 5))
        #expect(veil.hasAlpha && veil.distinctPixels.allSatisfy { max($0.red, $0.green, $0.blue) <= $0.alpha })
        for size in [PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 90), PixelSize(width: 3, height: 2)] {
            let red = try Bitmap.drawn(size.width, size.height) { _, _ in .red }
            #expect(try red.applying(.blur(sigma: .infinity)).distinctPixels == [.red])
        }
    }

    @Test func `no blur and no sharpening leave the image as it is`() throws {
        let picture = try dot(9)
        for step in [
            ImageSteps.Blur(sigma: 0), ImageSteps.Blur(sigma: -3), ImageSteps.Blur(sigma: .nan),
            ImageSteps.Sharpen(sigma: 0), ImageSteps.Sharpen(amount: -1),
        ]
            as [any ImageStep]
        {
            #expect(try picture.applying([step]).isIdentical(to: picture))
        }
    }

    @Test func `sharpening lifts edges on both sides, and keeps plain areas and alpha`() throws {
        let edge = try Bitmap.drawn(40, 3) { x, _ in .gray(x < 20 ? 80 : 160) }
        let sharp = try edge.applying(.sharpen(sigma: 2, amount: 1))
        #expect(sharp[19, 1].green < 60 && sharp[20, 1].green > 180)
        #expect(sharp[2, 1] == .gray(80) && sharp[37, 1] == .gray(160))
        let veil = try Pictures.veil(60, 40)
        let sharpVeil = try veil.applying(.sharpen(sigma: 1, amount: 10))
        #expect(zip(veil.pixels.joined(), sharpVeil.pixels.joined()).allSatisfy { $0.alpha == $1.alpha })
        #expect(sharpVeil.distinctPixels.allSatisfy { max($0.red, $0.green, $0.blue) <= $0.alpha })
    }

    @Test func `sharpening keeps a plain color beside transparent pixels`() throws {
        let color = Pixel(40, 20, 230)
        let logo = try ScalingTests.logo(60, 40, color)
        for amount in [0.5, 10] {
            let sharp = try logo.applying(.sharpen(sigma: 2, amount: amount))
            #expect(Set(sharp.pixels.joined().filter { $0.alpha == 255 }) == [color])
        }
    }
}
