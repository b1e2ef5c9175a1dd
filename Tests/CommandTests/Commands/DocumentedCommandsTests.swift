import CalotypeTesting
import Foundation
import Testing

@testable import calotype_command

/// The command lines in the documents, run as they are written.
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

    /// The lines of the blocks marked as `sh` that have to do with the command.
    private func blocks(of document: String) throws -> [String] {
        let text = try String(contentsOf: Self.repository.appending(path: document), encoding: .utf8)
        let fenced = text.components(separatedBy: "```sh\n").dropFirst()
        return fenced.map { $0.components(separatedBy: "\n```")[0] }.filter { $0.contains("calotype ") }
    }

    @Test func `every command line of the guide runs as it is written`() async throws {
        origin.on("/cat.jpg", .ok(Pictures.jpeg()))
        try calotype.write(SamplePhotos.jpeg(width: 240, height: 160), to: "photo.jpg")
        for index in 0..<3 { try calotype.write(Pictures.jpeg(seed: index), to: "photos/\(index).jpg") }
        try calotype.write(SampleAnimations.gif(width: 40, height: 30, colors: [0xFF0000, 0x0000FF]), to: "dance.gif")
        let blocks = try blocks(of: "Documentation/Command.md")
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

    @Test func `the guide names every command and every key of the configuration`() throws {
        let guide = try String(
            contentsOf: Self.repository.appending(path: "Documentation/Command.md"), encoding: .utf8)
        for name in Commands.syntaxes.map({ $0.secondWord ?? $0.name }) + Settings.options.map(\.name) {
            #expect(guide.contains("`\(name)`") || guide.contains("`cache \(name)`"), "\(name)")
        }
    }
}
