import Testing

@testable import CalotypeCodecs

/// The window of an image in the samples of its map.
@Suite struct GainMapPlanTests {
    private typealias Area = GainMapPlan.Area

    /// A map of 100 × 50 samples, whose image has 400 × 200 pixels.
    private static let plan = GainMapPlan(
        ImageExtent(PixelSize(width: 100, height: 50)), of: PixelSize(width: 100, height: 50),
        base: PixelSize(width: 400, height: 200))
    private static let image = PixelSize(width: 400, height: 200)

    @Test func `a part of the image is a part of the map, which may cut through samples`() {
        let part = Self.plan.cropped(to: PixelRect(x: 10, y: 20, width: 102, height: 50), of: Self.image)
        #expect(part.window == Area(x: 2.5, y: 5, width: 25.5, height: 12.5) && part.content == part.window)
        // The part in another size is the same one.
        let scaled = Self.plan.cropped(
            to: PixelRect(x: 5, y: 10, width: 51, height: 25), of: PixelSize(width: 200, height: 100))
        #expect(scaled.window == part.window)
    }

    @Test func `a part of a part counts from the first`() {
        let part = Self.plan.cropped(to: PixelRect(x: 200, y: 100, width: 200, height: 100), of: Self.image)
            .cropped(to: PixelRect(x: 10, y: 0, width: 10, height: 100), of: PixelSize(width: 200, height: 100))
        #expect(part.window == Area(x: 52.5, y: 25, width: 2.5, height: 25))
    }

    @Test func `a canvas reaches beyond the content`() {
        let placed = Self.plan.placed(
            at: PixelRect(x: 20, y: 40, width: 400, height: 200), on: PixelSize(width: 480, height: 300))
        #expect(placed.window == Area(x: -5, y: -10, width: 120, height: 75))
        #expect(placed.content == Area(x: 0, y: 0, width: 100, height: 50))
        // A part of the canvas without the image has no content.
        let empty = placed.cropped(
            to: PixelRect(x: 0, y: 0, width: 10, height: 300), of: PixelSize(width: 480, height: 300))
        #expect(empty.content.width == 0)
    }

    @Test func `a canvas does not bring back the parts that were cut off`() {
        let part = Self.plan.cropped(to: PixelRect(x: 0, y: 0, width: 200, height: 200), of: Self.image)
            .placed(at: PixelRect(x: 0, y: 0, width: 200, height: 200), on: Self.image)
        #expect(part.window == Area(x: 0, y: 0, width: 100, height: 50))
        #expect(part.content == Area(x: 0, y: 0, width: 50, height: 50))
    }

    @Test(
        arguments: [
            (2, 70, 5, 20, 10), (3, 70, 35, 20, 10), (4, 10, 35, 20, 10), (5, 5, 10, 10, 20), (6, 35, 10, 10, 20),
            (7, 35, 70, 10, 20), (8, 5, 70, 10, 20),
        ] as [(Int, Double, Double, Double, Double)])
    func `the window turns with the map`(exif: Int, x: Double, y: Double, width: Double, height: Double) {
        let part = Self.plan.cropped(to: PixelRect(x: 40, y: 20, width: 80, height: 40), of: Self.image).turned(exif)
        #expect(part.window == Area(x: x, y: y, width: width, height: height))
    }

    @Test(
        arguments: [
            // Sizes of the map and the base at first, and of a result and its map.
            ((1000, 750), (4000, 3000), (800, 600), (200, 150)), ((2000, 1500), (4000, 3000), (800, 600), (400, 300)),
            ((4000, 3000), (4000, 3000), (800, 600), (800, 600)),
            // 1:8 becomes 1:4, as long as there are so many samples.
            ((500, 375), (4000, 3000), (800, 600), (200, 150)), ((500, 375), (4000, 3000), (4000, 3000), (500, 375)),
            // In the proportions of the result, as readers expect.
            ((200, 150), (800, 600), (1400, 1000), (210, 150)), ((200, 150), (800, 600), (200, 3000), (50, 750)),
            ((1, 1), (4000, 3000), (800, 600), (1, 1)), ((1000, 750), (4000, 3000), (1, 1), (1, 1)),
        ] as [((Int, Int), (Int, Int), (Int, Int), (Int, Int))])
    func `the map keeps its ratio to the base`(
        map: (Int, Int), base: (Int, Int), result: (Int, Int), expected: (Int, Int)
    ) {
        let size = PixelSize(width: map.0, height: map.1)
        let plan = GainMapPlan(ImageExtent(size), of: size, base: PixelSize(width: base.0, height: base.1))
        #expect(
            plan.size(for: PixelSize(width: result.0, height: result.1))
                == PixelSize(width: expected.0, height: expected.1))
    }
}
