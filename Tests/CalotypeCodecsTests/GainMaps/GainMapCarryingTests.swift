import CTurboJPEG
import CalotypeBase
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

/// Gain maps through layouts and steps: they stay where their base is.
@Suite struct GainMapCarryingTests {
    /// A file whose map has the light of its base: then it is neutral where the base is black, and both must look the same
    /// whatever is done to them.
    private static func twins(_ width: Int, _ height: Int, ratio: Int) throws -> GainMapFile {
        func light(_ x: Double, _ y: Double) -> Pixel {
            .gray(UInt8(60 + 150 * x * (1 - y) + 40 * sin(9 * x + 5 * y * y) * sin(7 * y)))
        }
        func drawn(_ width: Int, _ height: Int) throws -> Data {
            let image = try Bitmap.drawn(width, height) { x, y in
                light((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
            }
            return try JPEGFiles.make(image, sampling: TJSAMP_GRAY, quality: 98)
        }
        return GainMapFile(base: try drawn(width, height), map: try drawn(width / ratio, height / ratio))
    }

    struct Change: Sendable, CustomStringConvertible {
        let description: String
        var target: ResizeTarget?
        let steps: [any ImageStep]

        init(_ description: String, _ target: ResizeTarget? = nil, _ steps: [any ImageStep] = []) {
            (self.description, self.target, self.steps) = (description, target, steps)
        }
    }

    private static let changes: [Change] = [
        Change("none"), Change("smaller", ResizeTarget(width: 150)),
        Change("cut", ResizeTarget(width: 100, height: 120, mode: .fill)),
        Change("cut at a corner", ResizeTarget(width: 77, height: 120, mode: .fill, gravity: .bottomRight)),
        Change("stretched", ResizeTarget(width: 211, height: 80, mode: .exact)),
        Change("cropped", nil, [.crop(to: PixelSize(width: 97, height: 101), gravity: Gravity(x: 0.3, y: 0.9))]),
        Change("cropped twice", nil, [.crop(to: PixelSize(width: 97, height: 101)), .square(gravity: .bottom)]),
        Change("turned", ResizeTarget(width: 150), [.rotate(quarterTurns: 1)]),
        Change("turned back", ResizeTarget(width: 150), [.rotate(quarterTurns: 3), .resize(width: 90)]),
        Change("upside down", nil, [.rotate(quarterTurns: 2), .flip(.horizontal)]),
        Change("mirrored", nil, [.flip(.vertical), .crop(to: PixelSize(width: 90, height: 90), gravity: .topLeft)]),
        Change("larger", nil, [.resize(width: 400, upscales: true)]),
        Change("blurred", ResizeTarget(width: 150), [.blur(sigma: 9)]),
        Change("on a canvas", ResizeTarget(width: 150), [ImageSteps.Pad(top: 13, left: 30, bottom: 7, color: .black)]),
        Change("on a canvas, then smaller", nil, [.pad(30, color: .black), .resize(width: 130), .flip(.horizontal)]),
        Change("on a canvas, then blurred", nil, [.extend(width: 300, height: 300, color: .black), .blur(sigma: 6)]),
    ]

    @Test(arguments: changes, [1, 2, 4])
    func `the map stays in place`(change: Change, ratio: Int) throws {
        let file = try Self.twins(240, 180, ratio: ratio)
        let bitmap = try file.data.decodedKeepingMap(change.target, steps: change.steps)
        let map = try #require(bitmap.gainMap).drawn(for: bitmap.size).samples
        // An enlarged map would have no further detail.
        #expect(abs(map.width * ratio - bitmap.width) <= ratio || bitmap.width > 240)
        let base = try bitmap.scaled(to: map.size, filter: .box)
        let errors = zip(base.pixels.joined(), map.pixels.joined()).map { abs(Int($0.green) - Int($1.green)) }
        #expect(Double(errors.reduce(0, +)) / Double(errors.count) <= 1.5, "\(change)")
        #expect(errors.max() ?? 0 <= 24, "\(change)")
    }

    @Test(arguments: 1...8)
    func `the map has the orientation of its base`(exif: Int) throws {
        var file = try Self.twins(240, 180, ratio: 4)
        file.base = file.base.addingEXIF(exif)
        // A map's own orientation does not count.
        file.map = file.map.addingEXIF(3)
        let bitmap = try file.data.decodedKeepingMap(ResizeTarget(width: 120, height: 120))
        let map = try #require(bitmap.gainMap).samples
        let base = try bitmap.scaled(to: map.size, filter: .box)
        let errors = zip(base.pixels.joined(), map.pixels.joined()).map { abs(Int($0.green) - Int($1.green)) }
        #expect(Double(errors.reduce(0, +)) / Double(errors.count) <= 1.5)
    }

    @Test func `the map is neutral where a watermark covers the base`() throws {
        let file = try Self.twins(240, 180, ratio: 4)
        let mark = try Bitmap.drawn(80, 60, hasAlpha: true) { x, _ in x < 40 ? .black : Pixel(0, 0, 0, 128) }
        let bitmap = try file.data.decodedKeepingMap(steps: [.overlay(mark, gravity: .topLeft)])
        let map = try #require(bitmap.gainMap).samples
        let bare = try #require(file.data.decodedKeepingMap().gainMap).samples
        #expect(map[5, 10].green == 0)
        #expect(abs(Int(map[15, 10].green) - Int(bare[15, 10].green) * 127 / 255) <= 1)
        #expect(map[25, 10] == bare[25, 10] && map[5, 20] == bare[5, 20])
    }

    @Test(
        arguments: [
            [.brightness(1.2)], [.contrast(0.8)], [.saturation(0.5)], [.saturation(0)], [.sharpen(sigma: 2)],
            [.background(.white)], [.pad(8), .background(.white)],
        ] as [[any ImageStep]])
    func `steps that change light leave the map as it is`(steps: [any ImageStep]) throws {
        let file = try Self.twins(240, 180, ratio: 4)
        let bitmap = try file.data.decodedKeepingMap(steps: steps)
        let bare = try #require(file.data.decodedKeepingMap().gainMap).samples
        let map = try #require(bitmap.gainMap).drawn(for: bitmap.size).samples
        #expect(map[map.width / 2, map.height / 2].distance(to: bare[bare.width / 2, bare.height / 2]) <= 1)
    }

    @Test func `a step of one's own drops the map`() throws {
        let file = try Self.twins(240, 180, ratio: 4)
        let step = ImageSteps.CustomStep(key: "own") { try $0.mirrored() }
        #expect(try file.data.decodedKeepingMap(steps: [step]).gainMap == nil)
    }

    @Test(arguments: [1, 2, 4], [3, 8, 40, 1000])
    func `the map is pixelated in the squares of its base`(ratio: Int, side: Int) throws {
        let file = try Self.twins(240, 180, ratio: ratio)
        let bitmap = try file.data.decodedKeepingMap(steps: [.pixelate(side)])
        let map = try #require(bitmap.gainMap).samples
        #expect(map.size == PixelSize(width: 240 / ratio, height: 180 / ratio))
        // Samples whose pixels are all in one square look like it.
        func isWhole(_ sample: Int) -> Bool { sample * ratio / side == (sample * ratio + ratio - 1) / side }
        var worst = 0
        for y in (0..<map.height).filter(isWhole) {
            for x in (0..<map.width).filter(isWhole) {
                let (own, base) = (Int(map[x, y].green), Int(bitmap[x * ratio, y * ratio].green))
                worst = max(worst, abs(own - base))
            }
        }
        #expect(worst <= 4)
    }

    struct Shape: Sendable {
        let step: any ImageStep
        let neutral: [PixelSize]
        let kept: [PixelSize]

        /// - Parameters: The places of samples outside and inside of what remains of the base.
        init(_ step: any ImageStep, neutral: [(Int, Int)], kept: [(Int, Int)]) {
            self.step = step
            self.neutral = neutral.map { PixelSize(width: $0.0, height: $0.1) }
            self.kept = kept.map { PixelSize(width: $0.0, height: $0.1) }
        }
    }

    private static let shapes = [
        Shape(.round(radius: 60), neutral: [(1, 1), (118, 88)], kept: [(30, 20), (3, 45), (60, 2)]),
        Shape(.circle(keepsSize: true), neutral: [(1, 45), (118, 45)], kept: [(60, 45), (60, 6), (25, 45)]),
        Shape(
            .border(width: 20, color: .white), neutral: [(60, 4), (4, 45), (114, 45)],
            kept: [(60, 45), (12, 12), (107, 77)]),
        Shape(.border(width: 200, color: .white), neutral: [(60, 45), (1, 1)], kept: []),
    ]

    @Test(arguments: shapes)
    func `the map is neutral below a frame and outside a shape`(shape: Shape) throws {
        let file = try Self.twins(240, 180, ratio: 2)
        let bare = try #require(file.data.decodedKeepingMap().gainMap).samples
        let map = try #require(file.data.decodedKeepingMap(steps: [shape.step]).gainMap).samples
        #expect(map.size == bare.size)
        for place in shape.neutral { #expect(map[place.width, place.height].green == 0) }
        for place in shape.kept { #expect(map[place.width, place.height] == bare[place.width, place.height]) }
    }

    @Test func `a circle is cut out of the map's center, with smooth edges`() throws {
        let file = try Self.twins(240, 180, ratio: 4)
        let bitmap = try file.data.decodedKeepingMap(steps: [.circle])
        let map = try #require(bitmap.gainMap).samples
        let bare = try #require(file.data.decodedKeepingMap().gainMap).samples
        #expect(bitmap.size == PixelSize(width: 180, height: 180) && map.size == PixelSize(width: 45, height: 45))
        #expect(map[0, 0].green == 0 && map[44, 44].green == 0)
        #expect(abs(Int(map[22, 22].green) - Int(bare[29, 22].green)) <= 4)
        let edge = (0..<45).map { map[$0, 3].green }
        #expect(edge.contains { $0 > 4 && $0 < 50 })
    }

    @Test(arguments: [[.grayscale], [.tint(.white)], [.saturation(0)]] as [[any ImageStep]])
    func `a map in color is dropped with the colors of its base`(steps: [any ImageStep]) throws {
        let file = try GainMapFile.make(inColor: true)
        #expect(try file.data.decodedKeepingMap(steps: steps).gainMap == nil)
        #expect(try file.data.decodedKeepingMap(steps: [.saturation(0.5)]).gainMap != nil)
    }

    @Test func `a map that always gains is dropped on a canvas and below a watermark`() throws {
        var file = try Self.twins(240, 180, ratio: 4)
        file.iso = GainMapFile.ISO.plain.replacing(2, 1, 2).bytes
        #expect(try file.data.decodedKeepingMap().gainMap != nil)
        #expect(try file.data.decodedKeepingMap(steps: [.pad(8)]).gainMap == nil)
        let mark = try Bitmap.drawn(8, 8) { _, _ in .black }
        #expect(try file.data.decodedKeepingMap(steps: [.overlay(mark)]).gainMap == nil)
    }

    @Test func `a layout without maps, and a smaller result, have none`() throws {
        let data = try Self.twins(240, 180, ratio: 4).data
        #expect(try data.decoded().gainMap == nil)
        func decoded(_ width: Int) throws -> Bitmap {
            let layout = KeepingLayout(target: ResizeTarget(width: width), side: 100)
            return try DecoderRegistry.standard.plan(for: data, target: layout).decode()
        }
        #expect(try decoded(100).gainMap != nil)
        #expect(try decoded(99).gainMap == nil)
    }

    @Test func `the plan counts the memory of the map`() throws {
        let data = try Self.twins(1200, 900, ratio: 1).data
        let plain = try DecoderRegistry.standard.plan(for: data)
        let plan = try DecoderRegistry.standard.plan(for: data, target: KeepingLayout())
        let map = PixelSize(width: 1200, height: 900).bitmapBytes
        #expect(plan.gainMapBytes >= 2 * map && plan.cost >= plain.cost + 2 * map && plain.gainMapBytes == 0)
        #expect(try plan.decode().heldBytes == 2 * map)
    }
}

extension Bitmap {
    /// Draws every pixel anew, as a program may.
    fileprivate func mirrored() throws(CodecError) -> Bitmap {
        try Bitmap.drawn(width, height) { x, y in self[width - 1 - x, y] }
    }
}
