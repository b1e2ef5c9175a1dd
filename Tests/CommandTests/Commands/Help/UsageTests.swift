import Foundation
import Testing

@testable import calotype_command

/// Section 8: help with examples on every command, and status 2 for an invalid command line.
struct UsageTests {
    @Test(arguments: Commands.syntaxes.map(\.name))
    func `every command explains itself, with examples that it understands`(_ name: String) async throws {
        let calotype = try Calotype()
        let words = name.split(separator: " ").map(String.init)
        let ending = try await calotype.start(words + ["--help"]).ending()
        #expect(ending.status == 0)
        #expect(ending.errors == "")
        #expect(ending.lines.contains { $0.hasPrefix("usage: calotype \(name)") })
        #expect(ending.lines.contains("examples:"))
        for option in try #require(Commands.syntaxes.first { $0.name == name }).options {
            #expect(ending.lines.contains { $0.contains("--\(option.name)") })
        }
    }

    @Test(arguments: Commands.syntaxes.flatMap { syntax in syntax.examples.map { (syntax.name, $0.line) } })
    func `the options in the examples exist`(_ name: String, _ line: String) throws {
        let syntax = try #require(Commands.syntaxes.first { $0.name == name })
        #expect(line.hasPrefix(name))
        let words = line.dropFirst(name.count).prefix { !"<>|".contains($0) }.replacing("'", with: "")
        _ = try ArgumentParser.parse(words.split(separator: " ").map(String.init)[...], for: withFreeOperands(syntax))
    }

    /// Allows any number of operands, because the examples' quoted words are split without a shell.
    private func withFreeOperands(_ syntax: CommandSyntax) -> CommandSyntax {
        var syntax = syntax
        syntax.operandCount = 0...Int.max
        return syntax
    }

    @Test func `the list of commands has all of them, and the version is told`() async throws {
        let calotype = try Calotype()
        for words in [["--help"], ["-h"], ["help"]] {
            let ending = try await calotype.start(words).ending()
            #expect(ending.status == 0)
            let text = String(decoding: ending.output, as: UTF8.self)
            for syntax in Commands.syntaxes { #expect(text.contains("  \(syntax.name) ")) }
        }
        #expect(try await calotype("--version").output == Data("calotype \(Dispatcher.version)\n".utf8))
        #expect(try await calotype("cache", "--help").lines.contains { $0.contains("cache verify") })
        #expect(try await calotype("help", "fetch").lines.contains { $0.hasPrefix("usage: calotype fetch") })
    }

    @Test(arguments: [
        ([], "say what to do"),
        (["fecth"], "unknown command 'fecth'; did you mean fetch?"),
        (["--verbose", "fetch"], "name a command before option --verbose"),
        (["cache"], "cache requires one of: stats, list, verify, trim, clear"),
        (["cache", "stat"], "unknown command 'stat'; did you mean stats?"),
        (["fetch"], "a URL is missing, or --from FILE"),
        (["fetch", "--siez", "3", "x:y"], "unknown option --siez; did you mean --size?"),
        (["fetch", "--size", "big", "x:y"], "--size big: that is not a size in pixels such as 400x300, 400 or x300"),
        (["fetch", "--mode", "fill", "x:y"], "--mode, --upscale and --filter require --size"),
        (["fetch", "--step", "blurr=4", "x:y"], "--step blurr=4: unknown step; did you mean blur?"),
        (["fetch", "--step", "blur=x", "x:y"], "--step blur=x: that is not blur=SIGMA"),
        (["fetch", "--step", "blur=4,5", "x:y"], "--step blur=4,5: that is not blur=SIGMA"),
        (["fetch", "--step", "blur=1001", "x:y"], "--step blur=1001: that is not blur=SIGMA"),
        (["fetch", "--step", "sharpen=-1", "x:y"], "--step sharpen=-1: that is not sharpen[=SIGMA[,AMOUNT]]"),
        (["fetch", "--step", "sharpen=1,-1", "x:y"], "--step sharpen=1,-1: that is not sharpen[=SIGMA[,AMOUNT]]"),
        (["fetch", "--step", "tint=#fff,2", "x:y"], "--step tint=#fff,2: that is not tint=COLOR[,AMOUNT]"),
        (["fetch", "--step", "brightness=-1", "x:y"], "--step brightness=-1: that is not brightness=FACTOR"),
        (["fetch", "--step", "contrast=101", "x:y"], "--step contrast=101: that is not contrast=FACTOR"),
        (["fetch", "--step", "saturation=nan", "x:y"], "--step saturation=nan: that is not saturation=FACTOR"),
        (["fetch", "--step", "round=1e9", "x:y"], "--step round=1e9: that is not round=RADIUS"),
        (
            ["fetch", "--step", "border=1e9,#000", "x:y"],
            "--step border=1e9,#000: that is not border=WIDTH,COLOR[,RADIUS]"
        ),
        (
            ["fetch", "--step", "border=4,#000,-1", "x:y"],
            "--step border=4,#000,-1: that is not border=WIDTH,COLOR[,RADIUS]"
        ),
        (["fetch", "--step", "overlay=/nowhere", "x:y"], "--step overlay: /nowhere cannot be read"),
        (["fetch", "--size", "4", "--gravity", "top", "x:y"], "--gravity requires --mode fill or --crop"),
        (["fetch", "--filter", "box", "x:y"], "--mode, --upscale and --filter require --size"),
        (
            ["fetch", "--size", "4", "--filter", "lanczos", "x:y"],
            "--filter lanczos: known are automatic, box, bilinear, catmull-rom, lanczos3; did you mean lanczos3?"
        ),
        (
            ["fetch", "--size", "4", "--mode", "fil", "x:y"],
            "--mode fil: known are fit, fill, exact; did you mean fill?"
        ),
        (["fetch", "--format", "bmp", "x:y"], "--format bmp: known are jpeg, jpg, png, webp, avif"),
        (["fetch", "--quality", "101", "x:y"], "--quality 101: that is not a whole number from 1 to 100"),
        (["fetch", "--parallel", "0", "x:y"], "--parallel 0: that is not a whole number from 1 to 256"),
        (
            ["fetch", "-H", "nonsense", "x:y"],
            "--header nonsense: that is not a header field such as 'Accept: image/webp'"
        ),
        (["fetch", "--timeout", "-1", "x:y"], "--timeout -1: that is not a number of seconds"),
        (["fetch", "--from", "nowhere.txt"], "--from nowhere.txt: cannot read it: No such file or directory"),
        (
            ["fetch", "--cacert", "nowhere.pem", "x:y"],
            "--cacert nowhere.pem: there is no such file, or it cannot be read"
        ),
        (["fetch", "--output", "-", "a:b", "c:d"], "--output - takes one image, not 2"),
        (["fetch", "--output", "-", "--json", "a:b"], "--output - leaves no room for --json"),
        (
            ["fetch", "--no-cache", "--policy", "cache-only", "a:b"],
            "--policy cache-only and --no-cache leave nowhere to look"
        ),
        (
            ["fetch", "-o", "cat.jpg", "a:b", "c:d"],
            "--output cat.jpg: that is one file for 2 images; name a directory"
        ),
        (
            ["fetch", "-o", "cat.gif", "--size", "4", "a:b"],
            "--output cat.gif: .gif files cannot be written; name it .jpg, .png, .webp or .avif, or add --format"
        ),
        (["fetch", "--output=", "a:b"], "--output: name a directory or a file"),
        (["fetch", "-o", "out", "-j", "0", "a:b"], "--parallel 0: that is not a whole number from 1 to 256"),
        (["resize"], "IN and OUT are missing"),
        (["resize", "in.jpg"], "OUT is missing: name a file, or a folder with --output DIR"),
        (["resize", "a", "b", "c"], "3 operands: name a folder for the results with --output DIR"),
        (["resize", "a", "-o", "out", "--name", "{name"], "--name {name: a brace is not closed"),
        (
            ["resize", "a", "-o", "out", "--name", "{nam}"],
            "--name {nam}: {nam} is unknown; known are {name}, {width}, {height}, {ext}, {number}"
        ),
        (
            ["resize", "a", "-o", "out", "--name", "../{name}"],
            "--name ../{name}: that is not the name of a file; folders go to --output"
        ),
        (["resize", "a", "b.png", "--name", "x"], "--name requires a folder: --output DIR"),
        (["resize", "--from", "list"], "--from requires --output DIR"),
        (["resize", "--from", "list", "-o", "x"], "--from list: cannot read it: No such file or directory"),
        (
            ["resize", "a", "b.webp", "--quality-target", "ssim=1.5"],
            "--quality-target ssim=1.5: that is not a target such as ssim=0.98 (0.1 to 0.9999) or psnr=40 (10 to 80)"
        ),
        (
            ["resize", "a", "b.webp", "--quality", "3", "--quality-target", "ssim=0.9"],
            "--quality-target searches the quality; leave out --quality and --lossless"
        ),
        (["resize", "a", "b.png", "--crop", "40"], "--crop 40: that is not a size in pixels such as 400x300"),
        (["compare", "a.jpg"], "B is missing"), (["compare"], "A and B are missing"),
        (["show"], "FILE|URL... is missing"),
        (["show", "--protocol", "kity", "a"], "--protocol kity: known are kitty, sixel, blocks; did you mean kitty?"),
        (["completion", "ksh"], "'ksh' is no shell that is known here: bash, zsh or fish"),
        (
            ["resize", "in.jpg", "o.heic"],
            "o.heic: .heic files cannot be written; name it .jpg, .png, .webp or .avif, or add --format"
        ),
        (
            ["resize", "in.jpg", "a.jpg/o"],
            "a.jpg/o: its name has no extension; name it .jpg, .png, .webp or .avif, or add --format"
        ),
        (
            ["resize", "in.jpg", ""],
            "\"\": its name has no extension; name it .jpg, .png, .webp or .avif, or add --format"
        ),
        (["demo", "--sheet", "o.jpg"], "--sheet o.jpg: the contact sheet is a PNG; name it .png"),
        (["info"], "FILE|FOLDER|URL... is missing"),
        (["cache", "trim", "--bytes", "lots"], "--bytes lots: that is not an amount such as 500000, 50MB or 1GiB"),
        (["demo", "now"], "'now' is not expected here"),
    ])
    func `a wrong command line ends with 2, says what is wrong and does nothing`(
        _ words: [String], _ message: String
    ) async throws {
        let calotype = try Calotype()
        let ending = try await calotype.start(words).ending()
        #expect(ending.status == 2)
        #expect(ending.output.isEmpty)
        #expect(ending.errorLines.count == 1)
        #expect(ending.errors.hasPrefix("calotype: \(message) (see calotype"), "\(ending.errors)")
        #expect(calotype.files.isEmpty)
    }
}
