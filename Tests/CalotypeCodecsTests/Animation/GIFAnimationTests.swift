@testable import CalotypeCodecs
import Foundation
import Testing

@Suite struct GIFAnimationTests {
    private let palette: [(red: UInt8, green: UInt8, blue: UInt8)] = [
        (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255),
    ]

    private func file(_ frames: [GIFFile.Frame], repetitions: Int? = nil, size: Int = 3) throws -> Data {
        try GIFFile(width: size, height: size, palette: palette, frames: frames, repetitions: repetitions).encoded()
    }

    private func open(
        _ data: Data, target: ResizeTarget? = nil, steps: [any ImageStep] = [], limits: DecodeLimits = DecodeLimits()
    ) throws -> AnimatedImage {
        try #require(try DecoderRegistry.standard.animation(for: data, target: target, steps: steps, limits: limits))
    }

    private func cover(
        _ index: UInt8, transparent: UInt8? = nil, delay: Int = 0, disposal: UInt8 = 0
    ) -> GIFFile.Frame {
        GIFFile.Frame(
            width: 3, height: 3, transparentIndex: transparent, delay: delay, disposal: disposal,
            indices: [UInt8](repeating: index, count: 9))
    }

    private func dot(
        _ index: UInt8, at place: Int, delay: Int = 0, disposal: UInt8 = 0
    ) -> GIFFile.Frame {
        GIFFile.Frame(x: place, y: place, width: 1, height: 1, delay: delay, disposal: disposal, indices: [index])
    }

    @Test func `frames are drawn over each other`() throws {
        let animation = try open(file([cover(0), dot(1, at: 1), dot(2, at: 2)]))
        #expect(animation.frameCount == 3 && animation.size == PixelSize(width: 3, height: 3))
        let last = try animation.frame(at: 2)
        #expect(last[0, 0] == .red && last[1, 1] == .green && last[2, 2] == .blue)
        #expect(!last.hasAlpha)
        #expect(try animation.frame(at: 0)[1, 1] == .red)
    }

    @Test func `what is disposed to the background becomes transparent, whatever color the file names`() throws {
        let animation = try open(file([cover(0), dot(1, at: 1, disposal: 2), dot(2, at: 2)]))
        let last = try animation.frame(at: 2)
        #expect(last[0, 0] == .red && last[1, 1] == .clear && last[2, 2] == .blue)
        #expect(last.hasAlpha)
    }

    @Test func `what is disposed to the previous frame is that again`() throws {
        let animation = try open(file([cover(0), dot(1, at: 1, disposal: 3), dot(2, at: 2)]))
        #expect(try animation.frame(at: 1)[1, 1] == .green)
        let last = try animation.frame(at: 2)
        #expect(last[1, 1] == .red && last[2, 2] == .blue)
    }

    @Test func `the canvas starts out transparent`() throws {
        let animation = try open(file([dot(1, at: 1), dot(2, at: 2)]))
        #expect(try animation.frame(at: 0)[0, 0] == .clear)
        #expect(try animation.frame(at: 1)[1, 1] == .green)
    }

    @Test func `the first frame is the still image of the same file`() throws {
        let data = try file([cover(0, transparent: 0), dot(1, at: 1)])
        #expect(try open(data).frame(at: 0).worstDistance(to: data.decoded()) == 0)
    }

    @Test func `durations of 10 ms or less are 100 ms`() throws {
        let animation = try open(file([cover(0), dot(1, at: 0, delay: 1), dot(1, at: 0, delay: 2)]))
        #expect(animation.durations == [.milliseconds(100), .milliseconds(100), .milliseconds(20)])
    }

    @Test(arguments: [(nil, 1), (0, nil), (1, 2), (65_535, 65_536)] as [(Int?, Int?)])
    func `a number of repetitions comes after the first time, 0 is without end, none is once`(
        repetitions: Int?, loopCount: Int?
    ) throws {
        #expect(try open(file([cover(0), cover(1)], repetitions: repetitions)).loopCount == loopCount)
    }

    @Test func `of two numbers of repetitions the first counts`() throws {
        var data = try file([cover(0), cover(1)], repetitions: 2)
        let block = Data([0x21, 0xFF, 11]) + Data("NETSCAPE2.0".utf8) + [3, 1, 2, 0, 0]
        let first = try #require(data.range(of: block))
        data.insert(contentsOf: block.dropLast(3) + [9, 0, 0], at: first.upperBound)
        #expect(try open(data).loopCount == 3)
    }

    @Test func `what encoding an animation takes is bounded by its frames and their pixels`() throws {
        let data = try file([cover(0), cover(1), cover(2)])
        var limits = DecodeLimits()
        limits.maxAnimationPixels = 3 * 16_384
        #expect(try open(data, limits: limits).encoded(as: .webp()).count > 0)
        limits.maxAnimationPixels -= 1
        let large = ResizeTarget(width: 256, height: 256, upscales: true)
        for (target, most) in [(nil, limits.maxAnimationPixels), (large, 3 * 256 * 256 - 1)] {
            limits.maxAnimationPixels = most
            let error = #expect(throws: CodecError.self) {
                try open(data, target: target, limits: limits).encoded(as: .webp())
            }
            #expect(error?.code == .tooLarge)
            // An animation that the target enlarges is named by its result.
            #expect(
                error?.message.contains("3 frames of 256 × 256 pixels") == (target != nil), "\(error?.message ?? "")")
        }
    }

    @Test func `a still GIF is no animation`() throws {
        #expect(try DecoderRegistry.standard.animation(for: file([cover(0)])) == nil)
        #expect(try DecoderRegistry.standard.animation(for: Pictures.gradient(4, 4).encoded(as: .png)) == nil)
    }

    @Test func `every frame comes at the size asked for, and with the steps`() throws {
        let data = try file([cover(0), cover(1), dot(2, at: 0)])
        let animation = try open(
            data, target: ResizeTarget(width: 6, height: 6, upscales: true, filter: .box), steps: [.grayscale])
        #expect(animation.size == PixelSize(width: 6, height: 6))
        for number in 0..<3 {
            let frame = try animation.frame(at: number)
            #expect(frame.size == PixelSize(width: 6, height: 6))
            #expect(frame[5, 5].red == frame[5, 5].blue && frame[5, 5].red == frame[5, 5].green)
        }
    }

    // MARK: - Bad input

    @Test func `a frame outside of the screen shows nothing, and one that reaches over it is cut`() throws {
        let animation = try open(
            file([
                cover(0), GIFFile.Frame(x: 9, y: 9, width: 2, height: 2, delay: 5, indices: [1, 1, 1, 1]),
                GIFFile.Frame(x: 2, y: 2, width: 2, height: 2, indices: [2, 1, 1, 1]),
            ]))
        #expect(try animation.frame(at: 1).pixels.joined().allSatisfy { $0 == .red })
        #expect(try animation.frame(at: 2)[2, 2] == .blue)
        #expect(animation.durations[1] == .milliseconds(50))
    }

    @Test func `a frame of 0 × 0 pixels shows nothing and takes its time`() throws {
        var data = try file([cover(0), dot(1, at: 1, delay: 7), dot(2, at: 2)])
        let place = try #require(data.firstRange(of: [0x2C, 1, 0, 1, 0, 1, 0, 1, 0]))
        data.replaceSubrange(place, with: [0x2C, 1, 0, 1, 0, 0, 0, 0, 0])
        let animation = try open(data)
        #expect(try animation.frame(at: 1)[1, 1] == .red)
        #expect(try animation.frame(at: 2)[2, 2] == .blue)
        #expect(animation.durations[1] == .milliseconds(70))
    }

    @Test func `65,535 frames of 1 × 1 play; more than the limit are an error, and the first frame is there`() throws {
        let one = try file([cover(0)])
        let dot: [UInt8] = [0x2C, 1, 0, 1, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 0x01, 0]
        let data = Data(one.dropLast()) + Data((0..<65_534).flatMap { _ in dot }) + [0x3B]
        let animation = try open(data)
        #expect(animation.frameCount == 65_535)
        #expect(try animation.frame(at: 65_534)[1, 1] == .green)
        let encoding = #expect(throws: CodecError.self) { try animation.encoded(as: .webp()) }
        #expect(encoding?.code == .tooLarge)
        var limits = DecodeLimits()
        limits.maxFrames = 1000
        let error = #expect(throws: CodecError.self) { try open(data, limits: limits) }
        #expect(error?.code == .tooLarge && error?.message.contains("1000 frames") == true)
        #expect(try data.decoded(limits: limits)[0, 0] == .red)
    }

    @Test func `a small file of frames on a huge canvas is too large before a pixel is decoded`() throws {
        var data = try file([dot(0, at: 0)] + (0..<25).map { _ in dot(1, at: 1) })
        data.replaceSubrange(6..<10, with: [0x10, 0x27, 0x10, 0x27])  // 10,000 × 10,000: 400 MB a frame
        #expect(data.count < 1024)
        let error = #expect(throws: CodecError.self) { try open(data) }
        #expect(error?.code == .tooLarge)
    }

    @Test func `of a file that is cut short the whole frames play`() throws {
        let data = try file([cover(0), cover(1), cover(2), cover(3)])
        let third = try #require(data.lastRange(of: [0x2C, 0, 0, 0, 0, 3, 0, 3, 0]))
        let animation = try open(data.prefix(third.lowerBound + 12))
        #expect(animation.frameCount == 3)
        #expect(try animation.frame(at: 2)[0, 0] == .blue)
    }

    @Test func `a broken frame is an error, those before it are not, and asking again is as before`() throws {
        var data = try file([cover(0), cover(1), cover(2)])
        let last = try #require(data.lastRange(of: [0x2C, 0, 0, 0, 0, 3, 0, 3, 0]))
        for place in last.upperBound + 3..<data.count - 2 { data[place] = 0xFF }
        let animation = try open(data)
        for _ in 0..<2 {
            #expect(throws: CodecError.self) { try animation.frame(at: 2) }
            #expect(try animation.frame(at: 1)[0, 0] == .green)
        }
    }
}

extension Data {
    fileprivate func lastRange(of bytes: [UInt8]) -> Range<Int>? { range(of: Data(bytes), options: .backwards) }
}
