import CalotypeCodecs
import CalotypeComparison
import Foundation
import Requirements
import Testing

/// Scores of SSIMULACRA2, beside those of an independent program in double precision.
struct PerceptualSimilarityTests {
    /// A drawing with slopes, stripes and spots of color.
    private func drawing(_ width: Int, _ height: Int, alpha: UInt8 = 255, _ change: (Int, Int, Int) -> Int = { $2 })
        throws -> Bitmap
    {
        try Bitmap(width: width, height: height, hasAlpha: alpha < 255) { pixels, stride in
            for y in 0..<height {
                for x in 0..<width {
                    let color = [
                        (x * 3 + y) % 256, (x * x / 16 + y * 5) % 256, x / 8 % 2 == y / 8 % 2 ? 200 : 40,
                    ]
                    for (channel, value) in color.enumerated() {
                        let changed = min(max(change(x, y, value), 0), 255)
                        pixels[y * stride + 4 * x + channel] = UInt8(changed * Int(alpha) / 255)
                    }
                    pixels[y * stride + 4 * x + 3] = alpha
                }
            }
        }
    }

    private static let changes: [@Sendable (Int, Int, Int) -> Int] = [
        { $2 + (($0 + $1) % 3 - 1) * 12 }, { $2 / 32 * 32 + 16 }, { $0 % 16 == 0 ? $2 + 40 : $2 }, { $2 + 3 },
    ]

    @Test(.requirement("C3")) func `an image has 100 points beside itself`() throws {
        let image = try drawing(40, 30)
        #expect(PerceptualSimilarity.score(image, image) == 100)
    }

    @Test(.requirement("C3"), arguments: [(270, 258), (64, 40), (1, 1)])
    func `scores are those of the reference`(width: Int, height: Int) throws {
        let image = try drawing(width, height)
        // A debug build is slow: the large image has all changes, the reflected ones have one.
        for (index, change) in Self.changes.enumerated().prefix(width > 256 ? 4 : 1) {
            let expected = try #require(Self.expected["\(width)x\(height)"])[index]
            let score = try #require(PerceptualSimilarity.score(image, try drawing(width, height, change)))
            #expect(abs(score - expected) < 0.02, "\(index)")
        }
    }

    /// Each computed with FIR windows, cube roots and sums in double precision, and all 108 weights.
    private static let expected: [String: [Double]] = [
        "270x258": [78.032, 72.042, 58.546, 92.009],
        "64x40": [74.218, 69.660, 55.245, 91.926],
        "1x1": [87.096, 87.725, 38.952, 95.421],
    ]

    @Test(.requirement("C3"), arguments: [255, 128]) func `an original has the same scores each time`(alpha: UInt8)
        throws
    {
        let image = try drawing(40, 30, alpha: alpha)
        let reference = PerceptualSimilarity.Reference(image)
        for change in Self.changes + Self.changes {
            let other = try drawing(40, 30, alpha: alpha, change)
            #expect(reference.score(of: other) == PerceptualSimilarity.score(image, other))
        }
        #expect(reference.score(of: image) == 100)
        #expect(reference.score(of: try drawing(40, 30)) == PerceptualSimilarity.score(image, try drawing(40, 30)))
    }

    @Test(.requirement("C3")) func `the memory of a comparison grows with both sides`() {
        let sides = [1, 256, 257, 1000, 8192].map {
            PerceptualSimilarity.memory(of: PixelSize(width: $0, height: $0), hasAlpha: false)
        }
        #expect(sides[0] == sides[1] && sides.dropFirst() == sides.dropFirst().sorted()[...])
        let area = 8192 * 8192
        #expect(sides[4] > 13 * area && sides[4] < 16 * area)
    }

    @Test(.requirement("C3")) func `images of different sizes have no score`() throws {
        #expect(PerceptualSimilarity.score(try drawing(20, 30), try drawing(30, 20)) == nil)
    }

    @Test(.requirement("C3")) func `transparent images are compared over dark and light`() throws {
        let image = try drawing(40, 30, alpha: 128)
        #expect(PerceptualSimilarity.score(image, image) == 100)
        let changed = try drawing(40, 30, alpha: 128, Self.changes[0])
        let solid = try #require(
            PerceptualSimilarity.score(try drawing(40, 30), try drawing(40, 30, Self.changes[0])))
        // Half of the change is seen.
        #expect(try #require(PerceptualSimilarity.score(image, changed)) > solid)
    }

    @Test(.requirement("C3")) func `an opaque file of a transparent image is compared over white`() throws {
        let image = try drawing(40, 30, alpha: 128)
        let flat = try image.applying(.background(.white))
        #expect(try #require(PerceptualSimilarity.score(image, flat)) > 99)
    }
}
