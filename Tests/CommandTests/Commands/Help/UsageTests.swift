import CalotypeBase
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
        _ = try ArgumentParser.parse(
            words.split(separator: " ").map { ByteString($0) }[...], for: withFreeOperands(syntax))
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

    #if JPEGXL
        private static let writable = ".jpg, .png, .webp, .avif or .jxl"
        private static let (lossy, losslessFormats) = ("jpeg, webp, avif and jxl", "webp and jxl")
        private static let further = ", jxl"
    #else
        private static let writable = ".jpg, .png, .webp or .avif"
        private static let (lossy, losslessFormats) = ("jpeg, webp and avif", "webp")
        private static let further = ""
    #endif

    private static let wrongLines: [([String], String)] = [
        ([], "name a command"),
        (["fecth"], "unknown command 'fecth'; did you mean fetch?"),
        (["--verbose", "fetch"], "name a command before option --verbose"),
        (["--helpp"], "unknown option --helpp; did you mean --help?"),
        (["--versoin"], "unknown option --versoin; did you mean --version?"),
        (["cache"], "cache requires one of: stats, list, verify, trim, clear"),
        (["cache", "stat"], "unknown command 'stat'; did you mean stats?"),
        (["fetch"], "a URL is missing; name one, or a list with --from FILE"),
        (["fetch", "--siez", "3", "x:y"], "unknown option --siez; did you mean --size?"),
        (
            ["fetch", "--size", "big", "x:y"],
            "--size big: expected a size in pixels (each side at most 65535), such as 400x300, 400 or x300"
        ),
        (["fetch", "--mode", "fill", "x:y"], "--mode, --upscale and --filter require --size"),
        (["fetch", "--step", "blurr=4", "x:y"], "--step blurr=4: unknown step; did you mean blur?"),
        (["fetch", "--step", "blur=x", "x:y"], "--step blur=x: expected blur=SIGMA"),
        (["fetch", "--step", "blur=4,5", "x:y"], "--step blur=4,5: expected blur=SIGMA"),
        (["fetch", "--step", "blur=1001", "x:y"], "--step blur=1001: expected blur=SIGMA"),
        (["fetch", "--step", "sharpen=-1", "x:y"], "--step sharpen=-1: expected sharpen[=SIGMA[,AMOUNT]]"),
        (["fetch", "--step", "sharpen=1,-1", "x:y"], "--step sharpen=1,-1: expected sharpen[=SIGMA[,AMOUNT]]"),
        (["fetch", "--step", "tint=#fff,2", "x:y"], "--step tint=#fff,2: expected tint=COLOR[,AMOUNT]"),
        (["fetch", "--step", "brightness=-1", "x:y"], "--step brightness=-1: expected brightness=FACTOR"),
        (["fetch", "--step", "contrast=101", "x:y"], "--step contrast=101: expected contrast=FACTOR"),
        (["fetch", "--step", "saturation=nan", "x:y"], "--step saturation=nan: expected saturation=FACTOR"),
        (["fetch", "--step", "round=1e9", "x:y"], "--step round=1e9: expected round=RADIUS"),
        (
            ["fetch", "--step", "border=1e9,#000", "x:y"],
            "--step border=1e9,#000: expected border=WIDTH,COLOR[,RADIUS]"
        ),
        (
            ["fetch", "--step", "border=4,#000,-1", "x:y"],
            "--step border=4,#000,-1: expected border=WIDTH,COLOR[,RADIUS]"
        ),
        (["fetch", "--step", "overlay=/nowhere", "x:y"], "--step overlay: /nowhere cannot be read"),
        (["fetch", "--size", "4", "--gravity", "top", "x:y"], "--gravity requires --mode fill or --crop"),
        (["fetch", "--filter", "box", "x:y"], "--mode, --upscale and --filter require --size"),
        (
            ["fetch", "--size", "4", "--filter", "lanczos", "x:y"],
            "--filter lanczos: expected one of automatic, box, bilinear, catmull-rom, lanczos3; did you mean lanczos3?"
        ),
        (
            ["fetch", "--size", "4", "--mode", "fil", "x:y"],
            "--mode fil: expected one of fit, fill, exact; did you mean fill?"
        ),
        (["fetch", "--format", "bmp", "x:y"], "--format bmp: expected one of jpeg, jpg, png, webp, avif\(further)"),
        (["fetch", "--quality", "101", "x:y"], "--quality 101: expected a whole number from 1 to 100"),
        (["fetch", "--parallel", "0", "x:y"], "--parallel 0: expected a whole number from 1 to 256"),
        (
            ["fetch", "-H", "nonsense", "x:y"],
            "--header nonsense: expected a header field such as 'Accept: image/webp'"
        ),
        (["fetch", "--timeout", "-1", "x:y"], "--timeout -1: expected a number of seconds"),
        (["fetch", "--from", "nowhere.txt"], "--from nowhere.txt: cannot read it: No such file or directory"),
        (
            ["fetch", "--cacert", "nowhere.pem", "x:y"],
            "--cacert nowhere.pem: expected a readable file"
        ),
        (["fetch", "--output", "-", "a:b", "c:d"], "--output - takes one image, not 2"),
        (["fetch", "--output", "-", "--json", "a:b"], "--output - and --json exclude each other"),
        (
            ["fetch", "--no-cache", "--policy", "cache-only", "a:b"],
            "--policy cache-only needs the cache, which --no-cache turns off"
        ),
        (
            ["fetch", "-o", "cat.jpg", "a:b", "c:d"],
            "--output cat.jpg: one file cannot hold 2 images; name a directory"
        ),
        (
            ["fetch", "-o", "cat.gif", "--size", "4", "a:b"],
            "--output cat.gif: .gif files cannot be written; name it \(writable), or add --format"
        ),
        (["fetch", "--output=", "a:b"], "--output: name a directory or a file"),
        (["fetch", "-o", "out", "-j", "0", "a:b"], "--parallel 0: expected a whole number from 1 to 256"),
        (["resize", "a.jpg", "b.jpg", "--max-decode", "0"], "--max-decode 0: expected a size such as 2GB"),
        (["resize"], "IN and OUT are missing"),
        (["resize", "in.jpg"], "OUT is missing; name a file, or a folder with --output DIR"),
        (["resize", "a", "b", "c"], "3 operands require a folder for the results: --output DIR"),
        (["resize", "a", "-o", "out", "--name", "{name"], "--name {name: a closing brace is missing"),
        (
            ["resize", "a", "-o", "out", "--name", "{nam}"],
            "--name {nam}: unknown placeholder {nam}; expected one of {name}, {width}, {height}, {ext}, {source-ext}, {number}"
        ),
        (
            ["resize", "a", "-o", "out", "--name", "../{name}"],
            "--name ../{name}: expected a file name; name folders with --output"
        ),
        (["resize", "a", "b.png", "--name", "x"], "--name requires a folder: --output DIR"),
        (["resize", "--from", "list"], "--from requires --output DIR"),
        (["resize", "--from", "list", "-o", "x"], "--from list: cannot read it: No such file or directory"),
        (
            ["resize", "a", "b.webp", "--quality-target", "ssim=1.5"],
            "--quality-target ssim=1.5: expected a target such as ssimulacra2=75 (10 to 95), ssim=0.98 (0.1 to 0.9999) or psnr=40 (10 to 80)"
        ),
        (
            ["resize", "a", "b.webp", "--quality", "3", "--quality-target", "ssim=0.9"],
            "--quality-target chooses the quality; leave out --quality and --lossless"
        ),
        (
            ["resize", "a", "b.png", "--crop", "40"],
            "--crop 40: expected a size in pixels (each side at most 65535), such as 400x300"
        ),
        (
            ["compare", "a.png", "b.png", "--output", "both.txt"],
            "--output both.txt: .txt files cannot be written; name it \(writable)"
        ),
        (["cache", "list", "--limit", "0"], "--limit 0: expected a whole number from 1 up"),
        (
            ["fetch", "--size", "99999999", "x:y"],
            "--size 99999999: expected a size in pixels (each side at most 65535), such as 400x300, 400 or x300"
        ),
        (
            ["resize", "a.png", "b.jpg", "--lossless"], "--lossless applies to \(losslessFormats) only, not to jpeg"
        ),
        (
            ["resize", "a.png", "-o", "b.jpg", "--lossless"],
            "--lossless applies to \(losslessFormats) only, not to jpeg"
        ),
        (
            ["resize", "a.png", "-o", "out", "--name", "{name}.png", "--lossless"],
            "--lossless applies to \(losslessFormats) only, not to png"
        ),
        (
            ["resize", "a.png", "b.webp", "--progressive"],
            "--progressive applies to jpeg only, not to webp"
        ),
        (
            ["resize", "a.jpg", "b.webp", "--gain-maps", "keep"],
            "--gain-maps applies to jpeg and avif only, not to webp"
        ),
        (["resize", "a.jpg", "b.jpg", "--gain-maps", "yes"], "--gain-maps yes: expected one of keep, drop"),
        (["resize", "a.jpg", "b.jpg", "--gamut", "p3"], "--gamut p3: expected one of keep, srgb"),
        (["compare", "a.jpg", "b.jpg", "--headroom", "2"], "--headroom requires --hdr"),
        (
            ["compare", "a.jpg", "b.jpg", "--hdr", "--headroom", "17"],
            "--headroom 17: expected stops from 0 to 16, such as 2 or 2.3"
        ),
        (
            ["resize", "a.jpg", "b.png", "--quality-target", "ssim=0.98"],
            "--quality-target applies to \(lossy) only, not to png"
        ),
        (["resize", "a.jpg", "b.png", "--quality", "50"], "--quality applies to \(lossy) only, not to png"),
        (
            ["resize", "a.jpg", "b", "-f", "png", "-q", "50"],
            "--quality applies to \(lossy) only, not to png"
        ),
        (["fetch", "-o", "b.png", "-q", "50", "x:y"], "--quality applies to \(lossy) only, not to png"),
        (["fetch", "-q", "50", "http://h/a.png"], "--quality applies to \(lossy) only, not to png"),
        (["resize", "a.png", "-", "-q", "50"], "--quality applies to \(lossy) only, not to png"),
        (
            ["resize", "a.png", "b.png", "-o", "out", "-q", "50"],
            "--quality applies to \(lossy) only, not to png"
        ),
        (
            ["resize", "a.png", "b.jpg", "-o", "out", "--lossless"],
            "--lossless applies to \(losslessFormats) only, not to jpeg and png"
        ),
        (["resize", "a.jpg", "b.webp", "--lossless", "-q", "9"], "--lossless keeps all pixels; leave out --quality"),
        (["fetch", "-o", "b.jpg", "--lossless", "x:y"], "--lossless applies to \(losslessFormats) only, not to jpeg"),
        (["man", "cache"], "'cache' is a group of commands; name one of them"),
        (
            ["man", "cache", "statz"],
            "'cache statz' is neither a command nor a directory; did you mean cache stats?"
        ),
        (["man", "resise"], "'resise' is neither a command nor a directory; did you mean resize?"),
        (["man", "man1"], "'man1' is neither a command nor a directory; did you mean man?"),
        (["man", ""], "'' is neither a command nor a directory"),
        (["fetch", "--no-overwrite", "x:y"], "unknown option --no-overwrite"),
        (["resize", "-dash.png", "out.png"], "unknown option -d; for the file -dash.png, write ./-dash.png"),
        (
            ["resize", "--dash.png", "out.png"],
            "unknown option --dash.png; for the file --dash.png, write ./--dash.png"
        ),
        (["show", "-help.png"], "option -h takes no value; for the file -help.png, write ./-help.png"),
        (
            ["show", "-tea.png", "a"],
            "--timeout ea.png: expected a number of seconds; for the file -tea.png, write ./-tea.png"
        ),
        (["show", "-tea.png"], "FILE|URL... is missing; for the file -tea.png, write ./-tea.png"),
        (["fetch", "--ouput=cat.png", "x:y"], "unknown option --ouput; did you mean --output?"),
        (["fetch", "--print0", "--json", "x:y"], "--json and --print0 exclude each other"),
        (["fetch", "--print0", "-o", "-", "x:y"], "--output - and --print0 exclude each other"),
        (["resize", "a.png", "-", "--print0"], "--output - and --print0 exclude each other"),
        (["compare", "a.jpg"], "B is missing"), (["compare"], "A and B are missing"),
        (["show"], "FILE|URL... is missing"),
        (
            ["show", "--protocol", "kity", "a"],
            "--protocol kity: expected one of kitty, sixel, blocks; did you mean kitty?"
        ),
        (["completion", "ksh"], "unknown shell 'ksh'; expected bash, zsh or fish"),
        (
            ["resize", "in.jpg", "o.heic"],
            "o.heic: .heic files cannot be written; name it \(writable), or add --format"
        ),
        (
            ["resize", "in.jpg", "a.jpg/o"],
            "a.jpg/o: the name has no extension; name it \(writable), or add --format"
        ),
        (
            ["resize", "in.jpg", ""],
            "\"\": the name has no extension; name it \(writable), or add --format"
        ),
        (["demo", "--sheet", "o.jpg"], "--sheet o.jpg: the contact sheet is a PNG; name it .png"),
        (["info"], "an input is missing; name one, or a list with --from FILE"),
        (["info", "--facts", "bh:4:3", "a.jpg"], "--facts needs --json"),
        (
            ["info", "--json", "--facts", "bh:10:3", "a.jpg"],
            "--facts bh:10:3: option \"blurhash\": 10 is not from 0 to 9"
        ),
        (["cache", "trim", "--bytes", "lots"], "--bytes lots: expected an amount such as 500000, 50MB or 1GiB"),
        (["demo", "now"], "unexpected argument 'now'"),
    ]

    @Test(arguments: wrongLines)
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
