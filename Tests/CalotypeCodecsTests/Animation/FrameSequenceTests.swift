import CalotypeTesting
@testable import CalotypeCodecs
import Testing

@Suite struct FrameSequenceTests {
    private let canvas = PixelSize(width: 7, height: 5)

    @Test func `every frame is what drawing all frames from the first on makes, in whatever order they are asked for`()
        throws
    {
        for seed in 1...40 as ClosedRange<UInt64> {
            var random = SplitMix(seed: seed)
            let frames = try (0..<20).map { _ in try frame(&random) }
            var plain = PlainCanvas(canvas)
            let expected = frames.map { plain.show($0.0, $0.1) }
            let bytes = Int.random(in: 0...600, using: &random)
            var sequence = FrameSequence(DrawnFrames(canvas, frames), snapshotBytes: bytes)
            for number in Array(0..<20) + (0..<40).map({ _ in Int.random(in: 0..<20, using: &random) }) {
                let shown = try sequence.frame(at: number)
                #expect(shown.pixels == expected[number], "frame \(number), seed \(seed)")
                let isOpaque = expected[number].joined().allSatisfy { $0.alpha == 255 }
                #expect(shown.hasAlpha || isOpaque, "frame \(number), seed \(seed)")
            }
        }
    }

    @Test func `frames in order are decoded once each`() throws {
        let frames = DrawnFrames(canvas, try patches(20))
        var sequence = FrameSequence(frames, snapshotBytes: 0)
        for number in 0..<20 { _ = try sequence.frame(at: number) }
        #expect(frames.decoded == Array(0..<20))
    }

    @Test func `a frame that covers everything and is opaque needs none before it`() throws {
        var list = try patches(20)
        list[10] = try cover()
        let frames = DrawnFrames(canvas, list)
        var sequence = FrameSequence(frames, snapshotBytes: 0)
        _ = try sequence.frame(at: 12)
        #expect(frames.decoded == [10, 11, 12])
    }

    @Test func `a cleared canvas is a beginning`() throws {
        var list = try patches(6)
        list[3] = try cover(disposal: .clear)
        let frames = DrawnFrames(canvas, list)
        var sequence = FrameSequence(frames, snapshotBytes: 0)
        _ = try sequence.frame(at: 5)
        #expect(frames.decoded == [4, 5])
    }

    @Test func `going back starts at a snapshot, of which there are no more than the budget allows`() throws {
        let frames = DrawnFrames(canvas, try patches(40))
        var sequence = FrameSequence(frames, snapshotBytes: 3 * canvas.bitmapBytes)
        for number in 0..<40 { _ = try sequence.frame(at: number) }
        _ = try sequence.frame(at: 25)
        #expect(sequence.snapshotLimit == 3)
        #expect(frames.decoded.count - 40 <= 10)
        let steps = frames.decoded.count
        _ = try sequence.frame(at: 2)
        #expect(frames.decoded[steps...] == [0, 1, 2])
    }

    @Test func `without a budget, going back starts at the first frame`() throws {
        let frames = DrawnFrames(canvas, try patches(4))
        var sequence = FrameSequence(frames, snapshotBytes: 0)
        _ = try sequence.frame(at: 3)
        _ = try sequence.frame(at: 1)
        #expect(frames.decoded == [0, 1, 2, 3, 0, 1])
    }

    @Test func `a frame that was returned does not change when the next one is drawn`() throws {
        let list = try patches(3)
        var sequence = FrameSequence(DrawnFrames(canvas, list), snapshotBytes: 0)
        let first = try sequence.frame(at: 0)
        let pixels = first.pixels
        _ = try sequence.frame(at: 2)
        #expect(first.pixels == pixels)
    }

    // MARK: - Frames

    private func patches(_ count: Int) throws -> [(AnimationFrame, Bitmap)] {
        try (0..<count).map { number in
            let rect = PixelRect(x: number % 5, y: number % 3, width: 2, height: 2)
            return (
                AnimationFrame(rect: rect, duration: .zero, hasAlpha: false),
                try Bitmap.drawn(2, 2) { x, y in .gray(UInt8(number * 4 + x + y)) }
            )
        }
    }

    private func cover(disposal: AnimationFrame.Disposal = .keep) throws -> (AnimationFrame, Bitmap) {
        let rect = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
        return (
            AnimationFrame(rect: rect, duration: .zero, disposal: disposal, hasAlpha: false),
            try Bitmap.drawn(canvas.width, canvas.height) { x, y in .gray(UInt8(x + y)) }
        )
    }

    private func frame(_ random: inout SplitMix) throws -> (AnimationFrame, Bitmap) {
        var rect = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
        if Bool.random(using: &random) {
            rect.x = Int.random(in: 0..<canvas.width, using: &random)
            rect.y = Int.random(in: 0..<canvas.height, using: &random)
            rect.width = Int.random(in: 1...canvas.width - rect.x, using: &random)
            rect.height = Int.random(in: 1...canvas.height - rect.y, using: &random)
        }
        let hasAlpha = Bool.random(using: &random)
        let bits = random.next()
        var noise = SplitMix(seed: bits)
        let bitmap = try Bitmap.drawn(rect.width, rect.height, hasAlpha: hasAlpha) { _, _ in
            let bits = noise.next()
            let pixel = Pixel(UInt8(bits & 255), UInt8(bits >> 8 & 255), UInt8(bits >> 16 & 255))
            return hasAlpha ? pixel.premultiplied([0, 255, UInt8(bits >> 24 & 255)][Int(bits >> 32 % 3)]) : pixel
        }
        let frame = AnimationFrame(
            rect: rect, duration: .zero, disposal: [.keep, .clear, .restore][Int(bits % 3)],
            blends: bits & 4 == 0, hasAlpha: hasAlpha)
        return (frame, bitmap)
    }
}
