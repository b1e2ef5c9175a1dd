import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing

/// The names of files on standard output: for programs in a pipe, for people on a terminal.
struct PrintedNamesTests {
    private let calotype: Calotype
    private static let name = "a\u{1B}[31m\nb.png"
    private static let shown = "a\\x1B[31m\\x0Ab.png"

    init() throws {
        calotype = try Calotype()
        try calotype.write(Pictures.png(), to: Self.name)
    }

    static let uses = [
        ["resize", name, "-o", "out"], ["resize", name, "-o", "out", "-v"], ["info", name], ["info", "--table", name],
        ["compare", name, name], ["man", "\(name)/man"],
    ]

    @Test(arguments: uses) func `a pipe gets the bytes of a name`(_ words: [String]) async throws {
        try FileManager.default.removeItem(atPath: calotype.directory.path + "/" + Self.name)
        if words[0] != "man" { try calotype.write(Pictures.png(), to: Self.name) }
        let ending = try await calotype.start(words).ending()
        #expect(ending.status == 0, "\(ending.errors)")
        let output = String(decoding: ending.output, as: UTF8.self)
        #expect(output.contains(Self.name) && !output.contains("\\x1B"), "\(output.debugDescription)")
    }

    @Test(arguments: uses) func `a terminal shows control characters in a name and does not obey them`(
        _ words: [String]
    ) async throws {
        try FileManager.default.removeItem(atPath: calotype.directory.path + "/" + Self.name)
        if words[0] != "man" { try calotype.write(Pictures.png(), to: Self.name) }
        let (status, text) = try await Terminal(words, in: calotype, columns: 200).ending()
        #expect(status == 0, "\(text)")
        #expect(text.contains(Self.shown) && !text.contains("\u{1B}[31m"), "\(text.debugDescription)")
    }

    @Test func `--print0 ends each path with a NUL byte, and prints nothing else`() async throws {
        try calotype.write(Pictures.png(), to: "c.png")
        for more in [[], ["-v"]] {
            let words = ["resize", Self.name, "c.png", "-o", "out", "-j", "1", "--overwrite", "--print0"] + more
            let ending = try await calotype.start(words).ending()
            #expect(ending.status == 0)
            #expect(ending.output == Data("out/\(Self.name)\0out/c.png\0".utf8))
            #expect(ending.errorLines.count == (more.isEmpty ? 0 : 2))
        }
        let piped = try await calotype.shell("calotype resize c.png -o two --print0 | xargs -0 cat")
        #expect(try Pictures.header(piped.output).format == .png)
    }

    @Test func `fetch has --print0, too`() async throws {
        let origin = try OriginServer()
        origin.on("/a.jpg", .ok(Pictures.jpeg()))
        let ending = try await calotype("fetch", "--print0", origin.url("/a.jpg").absoluteString)
        #expect(ending.output == Data("a.jpg\0".utf8), "\(ending.errors)")
    }

    @Test func `what an image contains is never obeyed, in a pipe either`() async throws {
        let origin = try OriginServer()
        origin.onAny { _ in .status(404) }
        let ending = try await calotype("fetch", origin.url("/a.jpg").absoluteString + "?\u{1B}[31m")
        #expect(ending.status == 1 && !ending.errors.contains("\u{1B}"))
    }
}
