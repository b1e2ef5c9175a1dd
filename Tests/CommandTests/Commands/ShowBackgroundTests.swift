import CalotypeBase
import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing

@testable import calotype_command

/// The color behind translucent pixels in `calotype show`.
struct ShowBackgroundTests {
    private let calotype: Calotype
    private let white = "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?62;c"
    /// The color (200, 100, 40, 128) over white and over black, as block characters have it.
    private let overWhite = "2;227;177;147"
    private let overBlack = "2;100;50;20"

    init() throws {
        calotype = try Calotype()
        try calotype.write(try Self.translucent().encoded(as: .png), to: "a.png")
    }

    /// Returns 40 × 40 pixels of (200, 100, 40) with an alpha of 128.
    private static func translucent() throws -> Bitmap {
        try Bitmap(width: 40, height: 40, hasAlpha: true) { pixels, _ in
            for index in pixels.indices { pixels[index] = [20, 50, 100, 128][index % 4] }
        }
    }

    private func terminal(
        _ arguments: [String] = ["--protocol", "blocks", "a.png"], _ environment: [String: String] = [:],
        answering answer: String? = nil
    ) throws -> Terminal {
        let environment = ["COLORTERM": "truecolor"].merging(environment) { $1 }
        return try Terminal(["show"] + arguments, in: calotype, environment: environment) { text in
            text.contains(TerminalQuery.background.text) ? answer : nil
        }
    }

    @Test func `a translucent pixel has its color over the background, in each protocol`() throws {
        let bitmap = try Self.translucent()
        let cells = try BlockReader.cells(
            in: Chafa.symbols(of: bitmap, columns: 4, rows: 2, fullColor: true, over: .white))
        #expect(cells.joined().allSatisfy { $0 == [overWhite] }, "\(cells)")
        let kitty = try KittyReader.pixels(in: KittyImage.drawing(bitmap, over: .white))
        // Three bytes for each pixel: the image is opaque, so that a terminal draws it as it is.
        #expect(kitty.data == Data((0..<1600).flatMap { _ in [227, 177, 147] as [UInt8] }))
        let sixels = try SixelReader.pixels(
            in: String(decoding: Chafa.sixels(of: bitmap, over: .white), as: UTF8.self))
        for pixel in sixels.pixels.prefix(1600) {
            // Sixel colors are percentages.
            let color = try #require(pixel)
            for (channel, wanted) in zip(color, [227, 177, 147]) { #expect(abs(Int(channel) - wanted) <= 3) }
        }
    }

    @Test(arguments: [4, 32, 127] as [UInt8]) func `a faint pixel is drawn, too`(alpha: UInt8) throws {
        let faint = try Bitmap(width: 12, height: 12, hasAlpha: true) { pixels, _ in
            for index in pixels.indices { pixels[index] = index % 4 == 3 ? alpha : 0 }
        }
        let shade = Int(255 - alpha)
        let cells = try BlockReader.cells(
            in: Chafa.symbols(of: faint, columns: 1, rows: 1, fullColor: true, over: .white))
        #expect(cells == [[["2;\(shade);\(shade);\(shade)"]]])
        let sixels = String(decoding: try Chafa.sixels(of: faint, over: .white), as: UTF8.self)
        #expect(try SixelReader.alpha(in: sixels).allSatisfy { $0 == 255 })
    }

    @Test func `the terminal's own background is behind an image, and is asked for once`() async throws {
        let (status, text) = try await terminal(
            ["--protocol", "blocks", "a.png", "a.png"], answering: white
        ).ending()
        #expect(status == 0)
        #expect(text.contains(overWhite) && !text.contains(overBlack))
        #expect(text.components(separatedBy: TerminalQuery.background.text).count == 2)
    }

    @Test func `a terminal that keeps silent has a black one`() async throws {
        let (status, text) = try await terminal().ending()
        #expect(status == 0 && text.contains(overBlack))
    }

    @Test func `--background is not asked for`() async throws {
        let (status, text) = try await terminal(["--protocol", "blocks", "--background", "#ffffff", "a.png"]).ending()
        #expect(status == 0 && text.contains(overWhite) && !text.contains(TerminalQuery.background.text))
        let ending = try await calotype("show", "--background", "white", "--protocol", "kitty", "a.png")
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(try KittyReader.pixels(in: ending.output).data.prefix(3) == Data([227, 177, 147]))
    }

    @Test func `an image without transparency, or on the console, asks for no background`() async throws {
        try calotype.write(Pictures.png(), to: "b.png")
        let (_, text) = try await terminal(["--protocol", "blocks", "b.png"]).ending()
        #expect(!text.contains("\u{1B}]11"))
        // The console of Linux may print the question.
        let (_, console) = try await terminal(["--protocol", "blocks", "a.png"], ["TERM": "linux"]).ending()
        #expect(!console.contains("\u{1B}]11") && console.contains(overBlack))
    }

    @Test(arguments: ["clear", "#ffffff80", "blue", ""])
    func `a background that is no opaque color is an error`(_ color: String) async throws {
        let ending = try await calotype("show", "--background=\(color)", "a.png")
        #expect(ending.status == 2 && ending.output.isEmpty)
        #expect(ending.errors.contains("expected an opaque color: #rgb, #rrggbb, black or white"), "\(ending.errors)")
    }

    @Test(
        arguments: [
            ("rgb:1d1d/1f1f/2121", ImageColor(red: 29, green: 31, blue: 33)), ("rgb:f/0/8", ImageColor("#ff0088")),
            ("rgb:ff/80/00", ImageColor("#ff8000")), ("rgba:ffff/ffff/ffff/0000", .white),
            ("rgb:fff/000/fff", ImageColor("#f0f")),
            ("rgb:ffff/ffff", nil), ("rgb:fffff/0/0", nil), ("cmyk:0/0/0", nil), ("?", nil),
        ] as [(String, ImageColor?)])
    func `the answer to OSC 11 is read, with BEL or ST at its end`(_ text: String, _ color: ImageColor?) {
        for end in ["\u{7}", "\u{1B}\\"] {
            #expect(ImageColor(answer: "\u{1B}]11;\(text)\(end)\u{1B}[?62;c") == color)
        }
    }
}

/// The keys that the user types while `calotype show` asks the terminal.
struct TerminalQueryTests {
    private let calotype: Calotype

    init() throws {
        calotype = try Calotype()
        let bitmap = try Bitmap(width: 8, height: 8, hasAlpha: true) { pixels, _ in
            for index in pixels.indices { pixels[index] = 64 }
        }
        try calotype.write(try bitmap.encoded(as: .png), to: "a.png")
    }

    @Test(arguments: [
        ("\u{1B}]11;rgb:0/0/0\u{1B}\\\u{1B}[?62;c", "", true), ("\u{1B}]11;rgb:0/0/0\u{7}\u{1B}[?62;c", "", true),
        ("ls\n\u{1B}]11;rgb:0/0/0\u{7}q\u{1B}[?62;4c", "ls\nq", true),
        ("\u{1B}[A\u{1B}OP\u{1B}x", "\u{1B}[A\u{1B}OP\u{1B}x", false),
        ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[1;5B", "\u{1B}[1;5B", false), ("\u{1B}", "\u{1B}", false),
        ("\u{1B}]11;rgb", "", false),
    ])
    func `answers and keys are told apart`(_ bytes: String, _ keys: String, _ isWhole: Bool) {
        var input = TerminalInput()
        for byte in bytes.utf8 { input.take(byte) }
        #expect(input.keys == Array(keys.utf8))
        #expect(input.isWhole == isWhole)
        #expect(!input.text.contains("q") && !input.text.contains("ls"))
    }

    private func modes(of terminal: Int32) -> tcflag_t {
        var settings = termios()
        tcgetattr(terminal, &settings)
        return settings.c_lflag
    }

    /// Asks on a thread, which waits for the answer.
    private func answer(at terminal: Int32, _ clock: ManualClock) -> Task<String?, Never> {
        let (answers, continuation) = AsyncStream.makeStream(of: String?.self)
        Thread.detachNewThread {
            continuation.yield(TerminalQuery.background.ask(terminal, clock: clock))
            continuation.finish()
        }
        return Task { await answers.first { _ in true } ?? nil }
    }

    @Test(
        arguments: [("\u{1B}]11;rgb:ff/80/00\u{7}\u{1B}[?62;c", ImageColor("#ff8000")), ("", nil)]
            as [(String, ImageColor?)])
    func `an answer within 0.2 s counts, then the question ends, and the terminal has its old settings`(
        _ typed: String, _ color: ImageColor?
    ) async throws {
        let (master, slave) = try Terminal.openPair()
        defer {
            close(master)
            close(slave)
        }
        let before = modes(of: slave)
        let clock = ManualClock()
        let answer = answer(at: slave, clock)
        var question = [UInt8](repeating: 0, count: 64)
        let count = read(master, &question, question.count)
        #expect(String(decoding: question.prefix(max(count, 0)), as: UTF8.self) == TerminalQuery.background.text)
        #expect(modes(of: slave) & tcflag_t(ECHO | ICANON) == 0)
        clock.advance(by: .milliseconds(199))
        if typed.isEmpty { clock.advance(by: .milliseconds(1)) } else { Terminal.press(typed, at: master) }
        #expect(await answer.value.flatMap { ImageColor(answer: $0) } == color)
        #expect(modes(of: slave) == before)
    }

    private func shell(
        _ line: String, typed: String = "", answering answer: @escaping @Sendable (String) -> String? = { _ in nil }
    ) throws -> Terminal {
        try Terminal(
            ["-c", line], in: calotype, environment: ["command": Child.executable.path], typed: typed,
            program: "/bin/sh", answering: answer)
    }

    @Test func `keys typed before the question stay for the next program`() async throws {
        let terminal = try shell(
            #""$command" show --protocol blocks a.png; read -r line; echo "got $line""#, typed: "hello\n")
        let (status, text) = await terminal.ending()
        #expect(status == 0)
        #expect(text.contains("got hello") && !text.contains("\u{1B}]11"), "\(text.debugDescription)")
    }

    /// Whether this system lets a program put keys into a terminal's input: Linux from 6.2 on may not.
    private static let canGiveBack: Bool = {
        let text = try? String(contentsOfFile: "/proc/sys/dev/tty/legacy_tiocsti", encoding: .utf8)
        return text?.hasPrefix("0") != true || geteuid() == 0
    }()

    @Test(.enabled(if: canGiveBack)) func `keys typed between the answers stay for the next program`() async throws {
        let terminal = try shell(#""$command" show --protocol blocks a.png; read -r line; echo "got $line""#) { text in
            let question = TerminalQuery.background.text
            return text.contains(question) ? "hel\u{1B}]11;rgb:0/0/0\u{7}lo\n\u{1B}[?62;c" : nil
        }
        let (status, text) = await terminal.ending()
        #expect(status == 0)
        #expect(text.contains("got hello"), "\(text.debugDescription)")
    }
}
