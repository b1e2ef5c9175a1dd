import CalotypeTesting
import Foundation
import Testing

@testable import calotype_command

/// The command lines in the documents, run verbatim.
struct DocumentedCommandsTests {
    private let calotype: Calotype
    private let origin: OriginServer

    init() throws {
        calotype = try Calotype()
        origin = try OriginServer()
    }

    private static var repository: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    }

    private func guide() throws -> String {
        let file = Self.repository.appending(path: "Sources/Calotype/Calotype.docc/Command.md")
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// Returns the guide's blocks marked as `sh` that contain the command.
    private func blocks() throws -> [String] {
        let fenced = try guide().components(separatedBy: "```sh\n").dropFirst()
        return fenced.map { $0.components(separatedBy: "\n```")[0] }.filter { $0.contains("calotype ") }
    }

    @Test func `every command line of the guide runs as it is written`() async throws {
        origin.on("/cat.jpg", .ok(Pictures.jpeg()))
        try calotype.write(SamplePhotos.jpeg(width: 240, height: 160), to: "photo.jpg")
        for index in 0..<3 { try calotype.write(Pictures.jpeg(seed: index), to: "photos/\(index).jpg") }
        try calotype.write(SampleAnimations.gif(width: 40, height: 30, colors: [0xFF0000, 0x0000FF]), to: "dance.gif")
        let blocks = try blocks()
        #expect(blocks.count >= 7)
        let origin = origin.url("").absoluteString.trimmingCharacters(in: ["/"])
        for block in blocks {
            let folder = Child.executable.deletingLastPathComponent().path
            let script = "set -eu; PATH='\(folder)':$PATH\n" + block.replacing("https://example.org", with: origin)
            let ending = try await Child(
                ["-c", script], in: calotype, input: Data(), environment: [:], program: "/bin/bash"
            ).ending()
            #expect(ending.status == 0, "\(block)\n\(ending.errors)")
            #expect(ending.errors == "", "\(block)")
        }
    }

    @Test func `the guide's table has every command, and no other`() throws {
        // Rows such as "| `cache stats`, `list` | looks after the cache |".
        let rows = try guide().split(separator: "\n").filter { $0.hasPrefix("| `") }
        let names = rows.flatMap { row in
            row.split(separator: "|")[0].split(separator: "`").map(String.init).filter { $0.first?.isLetter == true }
        }
        let documented = names.map { $0.replacing("cache ", with: "") }.sorted()
        #expect(documented == Commands.syntaxes.map(\.lastWord).sorted())
    }

    @Test func `the guide names every key of the configuration, apart from those of the servers`() throws {
        let guide = try guide()
        let options = Commands.syntaxes.filter { !$0.isService }.flatMap(\.settings)
        for option in options { #expect(guide.contains("`\(option.name)`"), "\(option.name)") }
    }
}

extension CommandSyntax {
    fileprivate var lastWord: String { secondWord ?? name }
}
