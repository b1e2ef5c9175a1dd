import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing

@testable import calotype_command

/// `calotype show`: by the bytes that a terminal receives.
struct ShowTests {
    private let calotype: Calotype
    private let escape = "\u{1B}"

    init() throws { calotype = try Calotype() }

    @Test func `without a terminal an image is text, two pixels a character, and nothing is asked`() async throws {
        try calotype.write(Pictures.png(), to: "a.png")
        let ending = try await calotype("show", "a.png", environment: ["COLORTERM": "truecolor"])
        #expect(ending.status == 0, "\(ending.errors)")
        // 120 × 80 pixels in 80 columns, and in 24 rows of two.
        #expect(ending.lines.count == 24)
        #expect(ending.lines.allSatisfy { $0.count(where: { $0 == "▀" }) == 72 })
        let text = String(decoding: ending.output, as: UTF8.self)
        #expect(text.contains("\(escape)[0;38;2;") && !text.contains("\(escape)_G") && !text.contains("\(escape)[c"))
    }

    @Test func `--columns and --rows bound it, and nothing is enlarged`() async throws {
        try calotype.write(Pictures.png(), to: "a.png")
        let narrow = try await calotype("show", "--columns", "12", "a.png")
        #expect(narrow.lines.count == 4 && narrow.lines[0].count(where: { $0 == "▀" }) == 12)
        let low = try await calotype("show", "--rows", "2", "a.png")
        #expect(low.lines.count == 2 && low.lines[0].count(where: { $0 == "▀" }) == 6)
        let small = try Bitmap(width: 3, height: 3, hasAlpha: false) { pixels, _ in
            for index in pixels.indices { pixels[index] = 255 }
        }
        try calotype.write(try small.encoded(as: .png), to: "b.png")
        #expect(try await calotype("show", "b.png").lines.count == 2)
    }

    @Test func `kitty's protocol carries a PNG of the image at the terminal's size`() async throws {
        try calotype.write(SamplePhotos.png(width: 1200, height: 800), to: "a.png")
        let ending = try await calotype("show", "--protocol", "kitty", "--columns", "40", "--rows", "30", "a.png")
        #expect(ending.status == 0, "\(ending.errors)")
        let png = try kittyPNG(in: String(decoding: ending.output, as: UTF8.self))
        // 40 columns of 10 pixels.
        #expect(try Pictures.size(png) == PixelSize(400, 267))
    }

    private func kittyPNG(in text: String) throws -> Data {
        let pieces = text.components(separatedBy: "\(escape)_G").dropFirst().map { piece in
            piece.components(separatedBy: "\(escape)\\")[0].split(separator: ";", maxSplits: 1)
        }
        #expect(pieces.first?[0] == "a=T,f=100,q=2,C=1,m=\(pieces.count > 1 ? 1 : 0)")
        #expect(pieces.last?[0].hasSuffix("m=0") == true && pieces.allSatisfy { $0[1].utf8.count <= 4096 })
        return try #require(Data(base64Encoded: pieces.map { String($0[1]) }.joined()))
    }

    @Test func `sixel graphics carry the image, as a terminal would read them`() async throws {
        try calotype.write(SamplePhotos.png(width: 300, height: 200), to: "a.png")
        let ending = try await calotype("show", "--protocol", "sixel", "a.png")
        #expect(ending.status == 0, "\(ending.errors)")
        let drawn = try SixelReader.image(in: String(decoding: ending.output, as: UTF8.self))
        let image = try DecoderRegistry.standard.decode(try calotype.contents("a.png"))
        #expect(drawn.size == image.size)
        // At most 255 colors, with the errors diffused: similar from a distance.
        let far = Resize(ResizeTarget(width: 75))
        let comparison = try #require(ImageComparison(drawn.applying(far), image.applying(far)))
        #expect(comparison.signalToNoise > 28, "\(comparison)")
    }

    @Test(arguments: [
        ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c", "\u{1B}_Ga=T"), ("\u{1B}[?62;4;6c", "\u{1B}P0;1;0q"),
        ("\u{1B}[?62;6c", "\u{1B}[0;38;5;"),
    ])
    func `a terminal is asked what it has, and gets the best of it`(_ answer: String, _ start: String) async throws {
        try calotype.write(Pictures.png(), to: "a.png")
        let terminal = try Terminal(["show", "a.png"], in: calotype) { text in
            text.contains(TerminalQuery.question) ? answer : nil
        }
        let (status, text) = await terminal.ending()
        #expect(status == 0)
        #expect(text.contains(start), "\(text.debugDescription.prefix(300))")
    }

    @Test func `a terminal that keeps silent gets half blocks`() async throws {
        try calotype.write(Pictures.png(), to: "a.png")
        let (status, text) = try await Terminal(["show", "a.png"], in: calotype, columns: 30, rows: 10).ending()
        #expect(status == 0 && text.contains("▀"))
    }

    @Test(
        arguments: [
            (["TERM": "xterm-kitty"], GraphicsProtocol.kitty), (["TERM": "xterm", "KITTY_WINDOW_ID": "1"], .kitty),
            (["TERM": "xterm", "TERM_PROGRAM": "WezTerm"], .kitty), (["TERM": "foot"], .sixel),
            (["TERM": "linux"], .blocks), (["TERM": "dumb"], .blocks), ([:], .blocks),
            (["TERM": "xterm-256color"], nil),
            // The variables of the terminal around a multiplexer do not describe the multiplexer.
            (["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1", "TMUX": "/tmp/x"], nil),
        ] as [([String: String], GraphicsProtocol?)])
    func `the environment names a terminal's protocol`(
        _ environment: [String: String], _ expected: GraphicsProtocol?
    ) {
        #expect(GraphicsProtocol.named(by: environment) == expected)
    }

    @Test func `transparency shows the terminal's own background`() throws {
        // A red pixel above a transparent one.
        let bitmap = try Bitmap(width: 1, height: 2, hasAlpha: true) { pixels, _ in
            pixels.copyBytes(from: [0, 0, 255, 255, 0, 0, 0, 0] as [UInt8])
        }
        #expect(HalfBlocks.text(of: bitmap, .full) == "\(escape)[0;38;2;255;0;0m▀\(escape)[0m\n")
        let upsideDown = try bitmap.applying(Flip.vertical)
        #expect(HalfBlocks.text(of: upsideDown, .full) == "\(escape)[0;38;2;255;0;0m▄\(escape)[0m\n")
        #expect(try SixelReader.alpha(in: String(decoding: SixelImage.bytes(of: bitmap), as: UTF8.self)) == [255, 0])
    }

    @Test(arguments: [((255, 0, 0), 196), ((0, 0, 0), 16), ((255, 255, 255), 231), ((118, 118, 118), 243)])
    func `the palette of 256 colors is used where there are no others`(_ color: (Int, Int, Int), _ index: Int) {
        #expect(HalfBlocks.palette(color.0, color.1, color.2) == index)
    }

    @Test func `an image is drawn over its preview`() throws {
        let bitmap = try DecoderRegistry.standard.decode(Pictures.png())
        let cells = TerminalCells(columns: 80, rows: 24)
        for graphics in GraphicsProtocol.allCases {
            let bytes = try TerminalImage.drawing(bitmap, graphics, cells, colors: .full, over: 4)
            #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("\(escape)[4A"), "\(graphics)")
            #expect(String(decoding: bytes, as: UTF8.self).contains("\(escape)[J"), "\(graphics)")
        }
        // The rows are reserved before an image, so that the terminal scrolls before it draws.
        let kitty = try TerminalImage.drawing(bitmap, .kitty, cells, colors: .full)
        #expect(String(decoding: kitty, as: UTF8.self).hasPrefix("\n\n\n\n\(escape)[4A\(escape)7\(escape)_G"))
        #expect(String(decoding: kitty, as: UTF8.self).hasSuffix("\(escape)8\(escape)[4B"))
    }

    @Test func `an image that arrives slowly is drawn as far as it is there`() async throws {
        let file = try SamplePhotos.bitmap(width: 640, height: 480)
            .encoded(as: .jpeg(quality: 80, isProgressive: true))
        let origin = try OriginServer()
        let gate = Gate()
        origin.on("/a.jpg", .ok(file).dripping(bytes: file.count / 2, gate: gate))
        let terminal = try Terminal(
            ["show", "--protocol", "blocks", origin.url("/a.jpg").absoluteString], in: calotype)
        gate.open(count: 1)
        await terminal.waitFor("▀")
        gate.open()
        let (status, text) = await terminal.ending()
        #expect(status == 0)
        let drawings = text.components(separatedBy: "\(escape)[23A\(escape)[J")
        #expect(drawings.count >= 2 && drawings.allSatisfy { $0.count(where: { $0 == "▀" }) == 23 * 61 })
    }

    @Test func `what cannot be shown fails with its reason, and the rest is drawn`() async throws {
        try calotype.write("text", to: "a.png")
        try calotype.write(Pictures.png(), to: "b.png")
        let ending = try await calotype("show", "a.png", "missing.png", "b.png")
        #expect(ending.status == 1)
        #expect(ending.errorLines.count == 2 && ending.errorLines[0].hasPrefix("calotype: a.png: "))
        #expect(ending.lines.count == 24)
        let pipe = try await calotype("show", "-", input: Pictures.png())
        #expect(pipe.status == 0 && pipe.lines.count == 24)
    }
}

/// Reads sixel graphics as a terminal does.
enum SixelReader {
    struct NoImage: Error {}

    static func image(in text: String) throws -> Bitmap {
        let pixels = try pixels(in: text)
        return try Bitmap(width: pixels.width, height: pixels.height, hasAlpha: false) { bytes, _ in
            for (index, pixel) in pixels.pixels.enumerated() {
                let color = pixel ?? [0, 0, 0]
                for channel in 0..<3 { bytes[4 * index + channel] = color[2 - channel] }
                bytes[4 * index + 3] = 255
            }
        }
    }

    static func alpha(in text: String) throws -> [UInt8] { try pixels(in: text).pixels.map { $0 == nil ? 0 : 255 } }

    private static func pixels(in text: String) throws -> (width: Int, height: Int, pixels: [[UInt8]?]) {
        guard let start = text.range(of: "\u{1B}P0;1;0q\"1;1;"),
            let end = text.range(of: "\u{1B}\\", range: start.upperBound..<text.endIndex)
        else { throw NoImage() }
        var rest = Array(text[start.upperBound..<end.lowerBound].utf8)[...]
        func number() -> Int {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(digits.count)
            return Int(String(decoding: digits, as: UTF8.self)) ?? 0
        }
        func take(_ letter: Character) -> Bool {
            guard rest.first == letter.asciiValue else { return false }
            rest = rest.dropFirst()
            return true
        }
        let width = number()
        guard take(";") else { throw NoImage() }
        let height = number()
        var pixels = [[UInt8]?](repeating: nil, count: width * height)
        var colors: [Int: [UInt8]] = [:]
        var (x, top, color) = (0, 0, 0)
        while !rest.isEmpty {
            if take("#") {
                color = number()
                if take(";") {
                    _ = number()
                    colors[color] = try (0..<3).map { _ in
                        guard take(";") else { throw NoImage() }
                        return UInt8(number() * 255 / 100)
                    }
                }
            } else if take("$") {
                x = 0
            } else if take("-") {
                (x, top) = (0, top + 6)
            } else {
                let count = take("!") ? number() : 1
                let bits = rest.removeFirst() - 0x3F
                for _ in 0..<count {
                    for row in 0..<6 where bits >> UInt8(row) & 1 == 1 {
                        guard x < width, top + row < height else { throw NoImage() }
                        pixels[(top + row) * width + x] = colors[color]
                    }
                    x += 1
                }
            }
        }
        return (width, height, pixels)
    }
}
