import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing

/// Scales by a factor and keeps a window.
private struct Part: ImageLayout {
    var factor = 1.0
    var window: PixelRect
    var followsContent = false
    var turnsUpright = true

    var key: String { "part(\(factor),\(window),\(followsContent),\(turnsUpright))" }

    func placement(of size: PixelSize, isScalable: Bool) -> ImagePlacement {
        ImagePlacement(
            PixelSize(width: Int(Double(size.width) * factor), height: Int(Double(size.height) * factor)),
            window: window, followsContent: followsContent)
    }
}

@Suite struct ImageLayoutTests {
    private let registry = DecoderRegistry.standard

    private static let formats: [EncodingFormat] = [.jpeg(quality: 90), .png, .webp(quality: 90), .webpLossless]

    @Test(arguments: [
        ResizeTarget(width: 40, height: 40), ResizeTarget(width: 40, height: 40, mode: .fill),
        ResizeTarget(width: 50, height: 20, mode: .fill, gravity: .bottomRight),
        ResizeTarget(width: 30, height: 60, mode: .fill, gravity: Gravity(x: 0.3, y: 0.8), filter: .box),
        ResizeTarget(width: 30, height: 60, mode: .fill, gravity: .attention),
        ResizeTarget(width: 500, height: 100, mode: .fill), ResizeTarget(width: 300, height: 90, mode: .exact),
        ResizeTarget(width: 400, height: 700, mode: .fill, upscales: true, gravity: .top),
        ResizeTarget(width: 400, height: 700, mode: .fill, upscales: true, gravity: .attention),
        ResizeTarget(width: 700, height: 20, mode: .exact, upscales: true), ResizeTarget(),
    ])
    func `a target has the pixels of scaling all and then cutting`(_ target: ResizeTarget) throws {
        let picture = try Pictures.quarters(240, 160)
        for format in Self.formats {
            let file = try picture.encoded(as: format)
            let size = target.scaledSize(for: picture.size)
            let whole = try registry.decode(
                file,
                target: ResizeTarget(
                    width: size.width, height: size.height, mode: .exact, upscales: true, filter: target.filter))
            let expected = try whole.applying(.crop(to: target.croppedSize(for: picture.size), gravity: target.gravity))
            #expect(try registry.decode(file, target: target).pixels == expected.pixels)
        }
    }

    @Test func `shrinking scales and then cuts`() throws {
        let file = try Pictures.gradient(240, 160).encoded(as: .png)
        let window = PixelRect(x: 7, y: 3, width: 50, height: 40)
        let bitmap = try registry.plan(for: file, target: Part(factor: 0.5, window: window)).decode()
        #expect(try bitmap.pixels == registry.decode(file, target: ResizeTarget(width: 120)).cropped(to: window).pixels)
    }

    @Test func `enlarging makes the window alone`() throws {
        let picture = try Pictures.noise(240, 160)
        let window = PixelRect(x: 1000, y: 900, width: 90, height: 50)
        let plan = try registry.plan(for: picture.encoded(as: .png), target: Part(factor: 8, window: window))
        #expect(plan.cost < 8 * 8 * picture.byteCount / 4)
        let whole = try picture.scaled(to: PixelSize(width: 1920, height: 1280))
        #expect(try plan.decode().pixels == whole.cropped(to: window).pixels)
    }

    @Test func `a cut without scaling keeps the pixels`() throws {
        let picture = try Pictures.noise(240, 160)
        let window = PixelRect(x: 100, y: 90, width: 90, height: 50)
        let bitmap = try registry.plan(for: picture.encoded(as: .png), target: Part(window: window)).decode()
        #expect(try bitmap.pixels == picture.cropped(to: window).pixels)
        #expect(try picture.laidOut(by: Part(window: window)).pixels == bitmap.pixels)
    }

    @Test(arguments: [1, 3, 6, 8]) func `an image may stay as stored`(orientation: Int) throws {
        let file = try JPEGFiles.make(Pictures.quarters(240, 160))
        let layout = Part(
            factor: 0.5, window: PixelRect(x: 0, y: 0, width: 120, height: 80), turnsUpright: false)
        let plan = try registry.plan(for: file.addingEXIF(orientation), target: layout)
        #expect(try plan.decode().pixels == registry.decode(file, target: ResizeTarget(width: 120)).pixels)
    }

    @Test func `a layout receives the upright size`() throws {
        let file = try JPEGFiles.make(Pictures.quarters(240, 160)).addingEXIF(6)
        let window = PixelRect(x: 0, y: 0, width: 80, height: 120)
        let plan = try registry.plan(for: file, target: Part(factor: 0.5, window: window))
        #expect(try plan.decode().pixels == registry.decode(file, target: ResizeTarget(width: 80)).pixels)
    }

    @Test func `a target without sides decodes whole, whatever the default limit`() throws {
        let file = try Pictures.gradient(240, 160).encoded(as: .png)
        var limits = DecodeLimits()
        limits.maxBitmapBytes = 10_000
        #expect(try registry.plan(for: file, limits: limits).outputSize.width < 100)
        #expect(try registry.plan(for: file, target: ResizeTarget(), limits: limits).outputSize.width == 240)
    }

    @Test func `a window outside of the image is refused, and one across its edge clipped`() throws {
        let file = try Pictures.gradient(240, 160).encoded(as: .png)
        let outside = Part(window: PixelRect(x: 240, y: 0, width: 1, height: 1))
        #expect(throws: CodecError.self) { try registry.plan(for: file, target: outside) }
        let across = Part(window: PixelRect(x: 230, y: -5, width: 20, height: 20))
        #expect(try registry.plan(for: file, target: across).outputSize == PixelSize(width: 10, height: 15))
    }

    @Test func `the frames of an animation have the layout of the still image`() throws {
        let window = PixelRect(x: 2, y: 1, width: 5, height: 4)
        let frame = try Pictures.quarters(16, 16)
        let file = try WebPFiles.animation(width: 16, height: 16, [(0, 0, frame), (0, 0, frame)])
        let still = try registry.plan(for: file, target: Part(window: window)).decode()
        let animation = try registry.animation(
            for: file, layout: Part(window: window), gamut: .sRGB, steps: [], limits: DecodeLimits())
        #expect(try animation?.frame(at: 0).pixels == still.pixels)
    }
}
