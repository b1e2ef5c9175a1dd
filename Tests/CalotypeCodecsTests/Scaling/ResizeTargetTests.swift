import CalotypeCodecs
import Requirements
import Testing

@Suite struct ResizeTargetTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let target: ResizeTarget
        let source: PixelSize
        let scaled: PixelSize
        let cropped: PixelSize

        init(
            _ source: (Int, Int), _ target: ResizeTarget, scaled: (Int, Int), cropped: (Int, Int)? = nil
        ) {
            self.target = target
            self.source = PixelSize(width: source.0, height: source.1)
            self.scaled = PixelSize(width: scaled.0, height: scaled.1)
            self.cropped = cropped.map { PixelSize(width: $0.0, height: $0.1) } ?? self.scaled
        }

        var testDescription: String { "\(source.width)x\(source.height) to \(target.key)" }
    }

    private static func target(
        _ width: Int?, _ height: Int?, _ mode: ResizeTarget.Mode, up: Bool = false
    ) -> ResizeTarget {
        ResizeTarget(width: width, height: height, mode: mode, upscales: up)
    }

    @Test(arguments: [
        // Fit: inside the box, with the same aspect ratio.
        Case((4000, 3000), target(400, 400, .fit), scaled: (400, 300)),
        Case((3000, 4000), target(400, 400, .fit), scaled: (300, 400)),
        Case((4000, 3000), target(400, nil, .fit), scaled: (400, 300)),
        Case((4000, 3000), target(nil, 600, .fit), scaled: (800, 600)),
        Case((4000, 3000), target(nil, nil, .fit), scaled: (4000, 3000)),
        Case((100, 50), target(400, 400, .fit), scaled: (100, 50)),
        Case((100, 50), target(400, 400, .fit, up: true), scaled: (400, 200)),
        // Fill: covers the box and is cropped to it.
        Case((4000, 3000), target(400, 400, .fill), scaled: (533, 400), cropped: (400, 400)),
        Case((3000, 4000), target(400, 200, .fill), scaled: (400, 533), cropped: (400, 200)),
        Case((4000, 3000), target(400, nil, .fill), scaled: (400, 300)),
        Case((100, 1000), target(200, 200, .fill), scaled: (100, 1000), cropped: (100, 200)),
        Case((100, 50), target(200, 200, .fill, up: true), scaled: (400, 200), cropped: (200, 200)),
        // Exact: stretched.
        Case((4000, 3000), target(100, 100, .exact), scaled: (100, 100)),
        Case((4000, 3000), target(100, nil, .exact), scaled: (100, 75)),
        Case((50, 3000), target(100, 100, .exact), scaled: (50, 100)),
        Case((50, 50), target(100, 200, .exact, up: true), scaled: (100, 200)),
        // Extreme shapes keep a pixel.
        Case((10_000, 1), target(100, 100, .fit), scaled: (100, 1)),
        Case((1, 10_000), target(100, 100, .fit), scaled: (1, 100)),
        Case((10_000, 1), target(100, 100, .fill), scaled: (10_000, 1), cropped: (100, 1)),
    ])
    func `the size follows from the mode`(_ example: Case) {
        #expect(example.target.scaledSize(for: example.source) == example.scaled)
        #expect(example.target.croppedSize(for: example.source) == example.cropped)
    }

    @Test(.requirement("B65")) func `targets of zero, below it or without end never crash`() throws {
        let bitmap = try Bitmap.numbered(9, 4)
        for side in [0, -1, Int.min, 1, Int.max] {
            for mode in [ResizeTarget.Mode.fit, .fill, .exact, ResizeTarget.Mode(rawValue: "unheard of")] {
                for upscales in [false, true] {
                    for (width, height) in [(side, side), (side, nil), (nil, side), (side, 3)] as [(Int?, Int?)] {
                        let target = Self.target(width, height, mode, up: upscales)
                        let size = target.croppedSize(for: bitmap.size)
                        #expect(size.width >= 1 && size.height >= 1)
                        do {
                            #expect(try bitmap.applying(ImageSteps.Resize(target)).size == size)
                        } catch {
                            #expect(error.code == .stepFailed)
                            #expect(error.message.contains(target.key))
                        }
                    }
                }
            }
        }
    }

    @Test(.requirement("D4.13")) func `a size without pixels passes through`() {
        for mode in [ResizeTarget.Mode.fit, .fill, .exact] {
            let nothing = PixelSize(width: 0, height: 0)
            #expect(Self.target(100, 100, mode, up: true).scaledSize(for: nothing) == nothing)
            #expect(Self.target(100, 100, mode, up: true).croppedSize(for: nothing) == nothing)
        }
    }

    @Test func `everything that matters is in the key`() {
        let targets: [ResizeTarget] = [
            ResizeTarget(width: 40, height: 30), ResizeTarget(width: 30, height: 40), ResizeTarget(width: 40),
            ResizeTarget(height: 40), ResizeTarget(), ResizeTarget(width: 40, height: 30, mode: .fill),
            ResizeTarget(width: 40, height: 30, mode: .exact), ResizeTarget(width: 40, height: 30, upscales: true),
            ResizeTarget(width: 40, height: 30, mode: .fill, gravity: .top),
            ResizeTarget(width: 40, height: 30, mode: .fill, gravity: Gravity(x: 0.3, y: 0.1)),
            ResizeTarget(width: 40, height: 30, filter: .box), ResizeTarget(width: 40, height: 30, filter: .lanczos3),
            ResizeTarget(width: 40, height: 30, filter: ResizeFilter(rawValue: "a filter to come")),
        ]
        #expect(Set(targets.map(\.key)).count == targets.count)
        #expect(
            ResizeTarget(width: 40, gravity: Gravity(x: 0.5, y: -0.0)).key == ResizeTarget(width: 40, gravity: .top).key
        )
    }
}
