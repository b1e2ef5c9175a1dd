import CalotypeCodecs
import Requirements
import Testing

@Suite struct StepTests {
    private struct Broken: Error, CustomStringConvertible {
        var description: String { "the ink has run out" }
    }

    @Test(.requirement("D4.12")) func `keys keep every digit, so that 3.2 and 3.9 differ`() {
        #expect(ImageSteps.RoundedCorners(radius: 3.2).key != ImageSteps.RoundedCorners(radius: 3.9).key)
        #expect(ImageSteps.RoundedCorners(radius: 0.1 + 0.2).key != ImageSteps.RoundedCorners(radius: 0.3).key)
        #expect(ImageSteps.Resize(shortSide: 100.2).key != ImageSteps.Resize(shortSide: 100.9).key)
    }

    @Test(.requirement("B65")) func `equal keys compare equal`() {
        #expect(ImageSteps.RoundedCorners(radius: -1) == ImageSteps.RoundedCorners(radius: .nan))
        #expect(ImageSteps.RoundedCorners(radius: -1).key == ImageSteps.RoundedCorners(radius: 0).key)
        #expect(ImageSteps.CustomStep(key: "a") { _ in nil } == ImageSteps.CustomStep(key: "a") { $0 })
        #expect(ImageSteps.CustomStep(key: "a") { _ in nil } != ImageSteps.CustomStep(key: "b") { _ in nil })
        #expect(ImageSteps.Crop(PixelSize(width: 0, height: 5)) == ImageSteps.Crop(PixelSize(width: 1, height: 5)))
    }

    @Test func `no two steps share a key, whatever a user calls his own`() throws {
        let (dot, otherDot) = try (Bitmap.drawn(1, 1) { _, _ in .white }, Bitmap.drawn(1, 1) { _, _ in .gray(254) })
        let steps: [any ImageStep] = [
            .resize(width: 3), .resize(height: 3), .resize(width: 3, filter: .box), .resize(shortSide: 3),
            ImageSteps.Resize(shortSide: 3, filter: .box), .fill(width: 3, height: 3),
            .crop(to: PixelSize(width: 3, height: 3)), .crop(to: PixelSize(width: 3, height: 3), gravity: .top),
            .round(radius: 3), .circle,
            .circle(keepsSize: true), .square, .square(gravity: .left),
            ImageSteps.CustomStep(key: "square") { _ in nil },
            .rotate(quarterTurns: 1), .rotate(quarterTurns: 2), .flip(.horizontal), .flip(.vertical), .pad(1), .pad(2),
            .pad(1, color: .white), .pad(1, color: ImageColor(red: 255, green: 255, blue: 255, alpha: 254)),
            .extend(width: 1, height: 2), .extend(width: 2, height: 1), .extend(width: 1, height: 2, gravity: .top),
            .blur(sigma: 1), .blur(sigma: 1.5), .sharpen(), .sharpen(amount: 1), .sharpen(sigma: 2), .brightness(2),
            .contrast(2), .saturation(2), .saturation(0), .grayscale, .tint(.white), .tint(.black),
            .tint(.black, amount: 0.5), .trim, ImageSteps.Trim(.white), ImageSteps.Trim(tolerance: 3),
            .background(.white),
            .background(.black),
            .border(width: 1, color: .white), .border(width: 2, color: .white), .border(width: 1, color: .black),
            .border(width: 1, color: .white, radius: 1), .pixelate(2), .pixelate(3),
            .crop(to: PixelSize(width: 3, height: 3), gravity: .attention), .overlay(dot), .overlay(otherDot),
            .overlay(dot, gravity: .top), .overlay(dot, opacity: 0.5), .overlay(dot, scale: 0.5),
        ]
        #expect(Set(steps.map(\.key)).count == steps.count)
    }

    @Test func `the key of a list tells where one step ends`() {
        let two: [any ImageStep] = [ImageSteps.CustomStep(key: "a") { $0 }, ImageSteps.CustomStep(key: "b") { $0 }]
        let one: [any ImageStep] = [ImageSteps.CustomStep(key: "a)|custom(b") { $0 }]
        let escaped: [any ImageStep] = [ImageSteps.CustomStep(key: "a)%7Ccustom(b") { $0 }]
        #expect(Set([two.key, one.key, escaped.key]).count == 3)
        #expect([any ImageStep]().key == "")
    }

    @Test(.requirement("B65")) func `a failure names the step and the reason`() throws {
        let bitmap = try Bitmap.numbered(4, 4)
        let engrave = ImageSteps.CustomStep(key: "engrave") { _ in throw Broken() }
        let error = #expect(throws: CodecError.self) { try bitmap.applying([.square, engrave]) }
        #expect(error?.code == .stepFailed)
        #expect(error?.message.contains("engrave") == true)
        #expect(error?.message.contains("the ink has run out") == true)
        #expect(error?.underlying is Broken)

        let huge = #expect(throws: CodecError.self) { try bitmap.applying(.fill(width: .max, height: .max)) }
        #expect(huge?.code == .stepFailed)
        #expect(huge?.message.contains("resize(") == true)
        #expect((huge?.underlying as? CodecError)?.code == .tooLarge)
    }

    @Test func `cancellation inside a step is cancellation, not failure`() throws {
        let cancelled = ImageSteps.CustomStep(key: "slow") { _ in throw CancellationError() }
        let error = #expect(throws: CodecError.self) { try Bitmap.numbered(4, 4).applying(cancelled) }
        #expect(error?.code == .cancelled)
    }

    @Test(.requirement("S4.27")) func `a step that answers nil keeps the original`() throws {
        let bitmap = try Bitmap.numbered(4, 4)
        #expect(try bitmap.applying(ImageSteps.CustomStep(key: "none") { _ in nil }).isIdentical(to: bitmap))
    }

    @Test(.requirement("S4.26")) func `steps of the user's own run between the others, in order`() throws {
        struct Invert: ImageStep {
            let key = "invert"
            func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
                try .drawn(bitmap.width, bitmap.height) { x, y in .gray(255 - bitmap[x, y].red) }
            }
        }
        let ramp = try Bitmap.drawn(6, 2) { x, _ in .gray(UInt8(x)) }
        let result = try ramp.applying([
            .square, Invert(), .crop(to: PixelSize(width: 1, height: 1), gravity: .topLeft),
        ])
        #expect(result.pixels == [[.gray(253)]])
        #expect(try ramp.applying([any ImageStep]()).isIdentical(to: ramp))
    }
}
