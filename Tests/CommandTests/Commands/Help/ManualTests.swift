import Foundation
import Testing

@testable import calotype_command

/// `calotype man`: pages generated from the text of `--help`.
struct ManualTests {
    private let calotype: Calotype
    private static let mandoc = "/usr/bin/mandoc"

    init() throws { calotype = try Calotype() }

    @Test func `there is a page for the command and one for each of its commands`() async throws {
        let ending = try await calotype("man", "share/man1")
        #expect(ending.status == 0 && ending.errors == "")
        #expect(ending.lines == ["\(Commands.syntaxes.count + 1) pages written to share/man1"])
        let names = try FileManager.default.contentsOfDirectory(
            atPath: calotype.directory.appending(path: "share/man1").path)
        #expect(Set(names) == Set(["calotype.1"] + Commands.syntaxes.map { "\(ManualPage.name(of: $0)).1" }))
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: mandoc), "mandoc is not installed"))
    func `mandoc finds nothing to complain of`() async throws {
        _ = try await calotype("man", "./man1")
        let folder = calotype.directory.appending(path: "man1").path
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }
        let lint = try Child(
            ["-Tlint"] + files, in: calotype, input: Data(), environment: [:], program: Self.mandoc)
        let complaints = try await lint.ending().lines
        #expect(complaints == [], "\(complaints.prefix(20))")
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: mandoc), "mandoc is not installed"),
        arguments: Commands.syntaxes.map(\.name))
    func `a page shows every option with its text, and the examples as they are typed`(_ name: String) async throws {
        let syntax = try #require(Commands.syntaxes.first { $0.name == name })
        let file = try calotype.write(ManualPage(syntax).text + "\n", to: "page.1")
        let format = try Child(
            ["-Tascii", "-O", "width=300", file], in: calotype, input: Data(), environment: [:], program: Self.mandoc)
        // Bold and underlined letters are overstruck.
        let text = String(decoding: try await format.ending().output, as: UTF8.self)
            .replacing(try Regex(".\u{8}"), with: "")
        for option in syntax.allOptions { #expect(text.contains("--\(option.name)"), "\(option.name)") }
        for example in syntax.examples where example.line.utf8.count < 200 {
            #expect(text.contains("calotype \(example.line)"), "\(example.line)")
        }
    }

    @Test(arguments: [["fetch"], ["cache stats"], ["cache-stats"], ["cache", "stats"]])
    func `the name of a command prints its page`(_ words: [String]) async throws {
        let ending = try await calotype.start(["man"] + words).ending()
        let name = "CALOTYPE-\(words.joined(separator: "-").replacing(" ", with: "-").uppercased())"
        #expect(ending.status == 0)
        #expect(ending.lines.first?.hasPrefix(".TH \(name) 1 ") == true)
        #expect(calotype.files.isEmpty)
    }

    @Test(arguments: ["pages", "./resise", "resise/"])
    func `a new directory is made unless its name is nearly that of a command`(_ name: String) async throws {
        let ending = try await calotype("man", name)
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(calotype.files.count == 1)
    }

    @Test func `a directory that exists may be called nearly as a command`() async throws {
        try calotype.write("", to: "resise/a")
        #expect(try await calotype("man", "resise").lines.last?.hasSuffix("pages written to resise") == true)
    }

    @Test func `without a directory the page goes to standard output`() async throws {
        let ending = try await calotype("man")
        #expect(ending.lines.first?.hasPrefix(".TH CALOTYPE 1 ") == true)
        for syntax in Commands.syntaxes {
            let name = ManualPage.name(of: syntax).replacing("-", with: "\\-")
            #expect(ending.lines.contains("\\fB\(name)(1)\\fP"))
        }
    }
}
