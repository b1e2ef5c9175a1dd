import CalotypeCodecs
import CalotypeComparison
import CalotypeTesting
import Foundation
import Testing

@testable import calotype_command

/// `calotype show`: by the bytes that a terminal receives.
struct ShowTests {
    private let calotype: Calotype
    private let escape = "\u{1B}"

    init() throws { calotype = try Calotype() }

    @Test func `without a terminal an image is text, and nothing is asked`() async throws {
        try calotype.write(Pictures.png(), to: "a.png")
        let ending = try await calotype("show", "a.png", environment: ["COLORTERM": "truecolor"])
        #expect(ending.status == 0, "\(ending.errors)")
        // 120 × 80 pixels in 80 columns, and in 24 rows of two.
        let cells = BlockReader.cells(in: ending.output)
        #expect(cells.count == 24 && cells.allSatisfy { $0.count == 72 })
        let text = String(decoding: ending.output, as: UTF8.self)
        #expect(text.contains("38;2;") && !text.contains("\(escape)_G") && !text.contains("\(escape)[c"))

        let translucent = try Bitmap(width: 8, height: 8, hasAlpha: true) { pixels, _ in
            for index in pixels.indices { pixels[index] = [20, 50, 100, 128][index % 4] }
        }
        try calotype.write(try translucent.encoded(as: .png), to: "b.png")
        let other = try await calotype("show", "b.png", environment: ["COLORTERM": "truecolor"])
        let drawn = String(decoding: other.output, as: UTF8.self)
        // Over black, because the terminal's own background is not asked for.
        #expect(other.status == 0 && drawn.contains("2;100;50;20") && !drawn.contains("\(escape)]11"))
    }

    @Test func `a folder is refused by its name`() async throws {
        try calotype.write(Pictures.png(), to: "photos/a.png")
        let ending = try await calotype("show", "photos")
        #expect(ending.status == 1)
        #expect(ending.errors == "calotype: photos: it is a folder; name the images in it\n")
    }

    @Test func `--columns and --rows bound it, and nothing is enlarged`() async throws {
        try calotype.write(Pictures.png(), to: "a.png")
        let narrow = try await BlockReader.cells(in: calotype("show", "--columns", "12", "a.png").output)
        #expect(narrow.map(\.count) == [12, 12, 12, 12])
        let low = try await BlockReader.cells(in: calotype("show", "--rows", "2", "a.png").output)
        #expect(low.map(\.count) == [6, 6])
        try calotype.write(try solid(.white, 3, 3).encoded(as: .png), to: "b.png")
        #expect(try await BlockReader.cells(in: calotype("show", "b.png").output).map(\.count) == [3, 3])
    }

    private func solid(_ color: ImageColor, _ width: Int, _ height: Int) throws -> Bitmap {
        let clear = try Bitmap(width: width, height: height, hasAlpha: true) { pixels, _ in
            for index in pixels.indices { pixels[index] = 0 }
        }
        return try clear.applying(ImageSteps.Background(color))
    }

    @Test(arguments: [(["COLORTERM": "truecolor"], ["2;255;0;0", "2;0;0;255"]), ([:], ["5;196", "5;21"])])
    func `block characters have the image's colors, in 24 bits or of a palette`(
        _ environment: [String: String], _ colors: [String]
    ) async throws {
        let halves = try solid(ImageColor(red: 255, green: 0, blue: 0), 20, 40).applying(
            ImageSteps.Overlay(solid(ImageColor(red: 0, green: 0, blue: 255), 10, 40), gravity: .right))
        try calotype.write(try halves.encoded(as: .png), to: "a.png")
        let ending = try await calotype("show", "a.png", environment: environment)
        let cells = BlockReader.cells(in: ending.output)
        #expect(cells.count == 20)
        for row in cells {
            #expect(row.prefix(9).allSatisfy { $0 == [colors[0]] } && row.suffix(9).allSatisfy { $0 == [colors[1]] })
        }
    }

    @Test func `kitty's protocol carries the image at the terminal's size`() async throws {
        let photo = SamplePhotos.png(width: 1200, height: 800)
        try calotype.write(photo, to: "a.png")
        let ending = try await calotype("show", "--protocol", "kitty", "--columns", "40", "--rows", "30", "a.png")
        #expect(ending.status == 0, "\(ending.errors)")
        // 40 columns of 10 pixels.
        let drawn = try KittyReader.image(in: ending.output)
        let image = try DecoderRegistry.standard.decode(photo).applying(ImageSteps.Resize(ResizeTarget(width: 400)))
        #expect(drawn.size == PixelSize(400, 267))
        let comparison = try #require(ImageComparison(drawn, image))
        #expect(comparison.signalToNoise > 35, "\(comparison)")
    }

    @Test func `sixel graphics carry the image, as a terminal would read them`() async throws {
        try calotype.write(SamplePhotos.png(width: 300, height: 200), to: "a.png")
        let ending = try await calotype("show", "--protocol", "sixel", "a.png")
        #expect(ending.status == 0, "\(ending.errors)")
        let image = try DecoderRegistry.standard.decode(try calotype.contents("a.png"))
        let drawn = try SixelReader.image(in: String(decoding: ending.output, as: UTF8.self))
            .applying(ImageSteps.Crop(image.size, gravity: .top))
        // At most 255 colors, with the errors diffused: similar from a distance.
        let far = ImageSteps.Resize(ResizeTarget(width: 75))
        let comparison = try #require(ImageComparison(drawn.applying(far), image.applying(far)))
        #expect(comparison.signalToNoise > 28, "\(comparison)")
    }

    @Test(arguments: [
        ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c", "\u{1B}_Ga=T"), ("\u{1B}[?62;4;6c", "\u{1B}P0;1;0q"),
        ("\u{1B}[?62;6c", "\u{1B}[38;5;"),
    ])
    func `a terminal is asked what it has, and gets the best of it`(_ answer: String, _ start: String) async throws {
        try calotype.write(Pictures.png(), to: "a.png")
        let terminal = try Terminal(["show", "a.png"], in: calotype) { text in
            text.contains(TerminalQuery.graphics.text) ? answer : nil
        }
        let (status, text) = await terminal.ending()
        #expect(status == 0)
        #expect(text.contains(start), "\(text.debugDescription.prefix(300))")
    }

    @Test func `a terminal that keeps silent gets block characters`() async throws {
        try calotype.write(Pictures.png(), to: "a.png")
        let (status, text) = try await Terminal(["show", "a.png"], in: calotype, columns: 30, rows: 10).ending()
        #expect(status == 0 && BlockReader.cells(in: Data(text.utf8)).count == 9 && text.contains("\(escape)[38;5;"))
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

    @Test func `clear pixels stay unpainted, and show the terminal's own background`() throws {
        // Red pixels above transparent ones.
        let bitmap = try solid(ImageColor(red: 255, green: 0, blue: 0), 8, 8).applying(ImageSteps.Pad(bottom: 8))
        let above = try BlockReader.cells(
            in: Chafa.symbols(of: bitmap, columns: 1, rows: 2, fullColor: true, over: .white))
        #expect(above == [[["2;255;0;0"]], [[]]])
        let sixels = String(decoding: try Chafa.sixels(of: bitmap, over: .white), as: UTF8.self)
        let alpha = try SixelReader.alpha(in: sixels)
        // Of the third band of six rows, the image has four.
        #expect(alpha.prefix(64).allSatisfy { $0 == 255 } && alpha.dropFirst(64).allSatisfy { $0 == 0 })
        #expect(alpha.count == 8 * 18)
    }

    @Test func `a palette of 256 colors leaves the user's own 16 alone`() throws {
        for (color, index) in [((255, 0, 0), 196), ((0, 0, 0), 16), ((255, 255, 255), 231), ((118, 118, 118), 243)] {
            let bitmap = try solid(ImageColor(red: UInt8(color.0), green: UInt8(color.1), blue: UInt8(color.2)), 8, 8)
            let cells = try BlockReader.cells(
                in: Chafa.symbols(of: bitmap, columns: 1, rows: 1, fullColor: false, over: .black))
            #expect(cells == [[["5;\(index)"]]])
        }
    }

    @Test func `an image is drawn over its preview`() throws {
        let bitmap = try DecoderRegistry.standard.decode(Pictures.png())
        let cells = TerminalCells(columns: 80, rows: 24)
        for graphics in GraphicsProtocol.allCases {
            let bytes = try TerminalImage(graphics: graphics, cells: cells, fullColor: true).drawing(bitmap, over: 4)
            #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("\(escape)[4A"), "\(graphics)")
            #expect(String(decoding: bytes, as: UTF8.self).contains("\(escape)[J"), "\(graphics)")
        }
        // The rows are reserved before an image, so that the terminal scrolls before it draws.
        let kitty = try TerminalImage(graphics: .kitty, cells: cells, fullColor: true).drawing(bitmap)
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
        await terminal.waitFor("\(escape)[38;5;")
        gate.open()
        let (status, text) = await terminal.ending()
        #expect(status == 0)
        let drawings = text.components(separatedBy: "\(escape)[23A\(escape)[J")
        #expect(drawings.count >= 2)
        for drawing in drawings {
            let cells = BlockReader.cells(in: Data(drawing.utf8))
            #expect(cells.count == 23 && cells.allSatisfy { $0.count == 61 })
        }
    }

    @Test func `what cannot be shown fails with its reason, and the rest is drawn`() async throws {
        try calotype.write("text", to: "a.png")
        try calotype.write(Pictures.png(), to: "b.png")
        let ending = try await calotype("show", "a.png", "missing.png", "b.png")
        #expect(ending.status == 1)
        #expect(ending.errorLines.count == 2 && ending.errorLines[0].hasPrefix("calotype: a.png: "))
        #expect(ending.errorLines[1] == "calotype: missing.png: cannot read the file: No such file or directory")
        #expect(ending.lines.count == 24)
        let pipe = try await calotype("show", "-", input: Pictures.png())
        #expect(pipe.status == 0 && pipe.lines.count == 24)
    }
}
