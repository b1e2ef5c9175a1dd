import CalotypeBase
import Testing

@testable import calotype_command

/// Section 8: the conventions of command lines.
struct ArgumentParserTests {
    private static let name = Option("name", "n", "TEXT", help: "")
    private static let header = Option("header", "H", "FIELD", help: "")
    private static let pair = Option("pair", "p", "KEY VALUE", words: 2, help: "")
    private static let quick = Option("quick", "q", help: "")
    private let syntax = CommandSyntax(
        name: "try", summary: "", operands: "FILE...", operandCount: 0...2,
        options: [Self.name, Self.header, Self.pair, Self.quick])

    private func parse(_ words: String...) throws -> Arguments {
        try ArgumentParser.parse(words.map { ByteString($0) }[...], for: syntax)
    }

    private func refusal(_ words: String...) -> String? {
        do throws(UsageError) {
            _ = try ArgumentParser.parse(words.map { ByteString($0) }[...], for: syntax)
            return nil
        } catch {
            return error.message
        }
    }

    @Test(arguments: [["--name", "a b"], ["--name=a b"], ["-n", "a b"], ["-na b"]])
    func `a value may follow its option in four ways`(_ words: [String]) throws {
        #expect(try ArgumentParser.parse(words.map { ByteString($0) }[...], for: syntax)[Self.name] == "a b")
    }

    @Test func `options and operands may be mixed`() throws {
        let arguments = try parse("one", "-q", "two", "--name", "x")
        #expect(arguments.operands == ["one", "two"])
        #expect(arguments.has(Self.quick))
    }

    @Test func `after two dashes everything is an operand`() throws {
        #expect(try parse("--", "--name", "-q").operands == ["--name", "-q"])
    }

    @Test func `a single dash is an operand, and a value`() throws {
        #expect(try parse("-").operands == ["-"])
        #expect(try parse("--name", "-")[Self.name] == "-")
    }

    @Test func `a repeated option keeps all its values, and the last one counts`() throws {
        let arguments = try parse("-H", "a", "-H", "b")
        #expect(arguments.all(Self.header) == ["a", "b"])
        #expect(arguments[Self.header] == "b")
    }

    @Test func `a value may be empty, or contain equals signs`() throws {
        #expect(try parse("--name=")[Self.name] == "")
        #expect(try parse("--name=a=b=c")[Self.name] == "a=b=c")
    }

    @Test(arguments: [
        ["--pair", "a", "b c"], ["--pair=a", "b c"], ["-pa", "b c"], ["--pair", "a b c"], ["--pair=a b c"],
    ])
    func `a value of two words may be two, or one with a space`(_ words: [String]) throws {
        let arguments = try ArgumentParser.parse((words + ["--quick", "one"]).map { ByteString($0) }[...], for: syntax)
        #expect(arguments[Self.pair] == "a b c")
        #expect(arguments.operands == ["one"] && arguments.has(Self.quick))
    }

    @Test func `a forgotten second word is noticed`() {
        #expect(refusal("--pair", "a") == "option --pair requires 2 words: --pair KEY VALUE")
        #expect(refusal("--pair", "a", "--quick") == "option --pair requires 2 words: --pair KEY VALUE")
    }

    @Test func `an unknown option names the nearest one`() {
        #expect(refusal("--nmae", "x") == "unknown option --nmae; did you mean --name?")
        #expect(refusal("--heade=x") == "unknown option --heade; did you mean --header?")
        #expect(refusal("--zzz") == "unknown option --zzz")
        #expect(refusal("-x") == "unknown option -x")
    }

    @Test func `a forgotten value is noticed, also before another option`() {
        #expect(refusal("--name") == "option --name requires a value: --name TEXT")
        #expect(refusal("-n") == "option -n requires a value: -n TEXT")
        #expect(refusal("--name", "--quick") == "option --name requires a value: --name TEXT")
    }

    @Test func `a switch takes no value`() {
        #expect(refusal("--quick=yes") == "option --quick takes no value")
        #expect(refusal("-qyes") == "option -q takes no value")
    }

    @Test func `one operand too many is named`() {
        #expect(refusal("a", "b", "c") == "unexpected argument 'c' after FILE...")
    }

    @Test func `help is understood even where operands are missing`() throws {
        let needy = CommandSyntax(name: "try", summary: "", operands: "FILE", operandCount: 1...1)
        #expect(try ArgumentParser.parse(["--help"], for: needy).has(.help))
        #expect(throws: UsageError("FILE is missing", command: "try")) {
            try ArgumentParser.parse([], for: needy)
        }
    }

    @Test func `a word is likened to the one that takes fewest changes`() {
        #expect(Suggestion.distance("kitten", "sitting") == 3)
        #expect(Suggestion.distance("size", "siez") == 1)
        #expect(Suggestion.nearest(to: "fecth", among: ["fetch", "info"]) == "fetch")
        #expect(Suggestion.nearest(to: "xyz", among: ["fetch", "info"]) == nil)
    }

    @Test(
        arguments: [
            ("no-overwrite", ["overwrite"], nil), ("no-overwrit", ["overwrite"], nil),
            ("no-progresive", ["progressive"], nil),
            ("isolatee", ["no-isolate"], nil), ("nocache", ["no-cache", "cache-dir"], "no-cache"),
            ("no-cahce", ["no-cache", "cache-dir"], "no-cache"), ("notes", ["no-tes"], "no-tes"),
        ] as [(String, [String], String?)])
    func `a word is never likened to its opposite`(_ word: String, _ candidates: [String], _ nearest: String?) {
        #expect(Suggestion.nearest(to: word, among: candidates) == nearest)
    }
}
