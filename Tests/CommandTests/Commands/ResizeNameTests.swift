import CalotypeBase
import CalotypeCodecs
import Foundation
import Testing

@testable import calotype_command

/// `calotype resize` with inputs whose outputs have one name.
struct ResizeNameTests {
    private let calotype: Calotype

    init() throws { calotype = try Calotype() }

    private func outputs(_ folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: calotype.directory.appending(path: folder).path)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    @Test(arguments: [
        (["a/x.jpg", "b/x.jpg", "-o", "out"], "a/x.jpg: b/x.jpg would be written to out/x.jpg, too; put {number}"),
        (["a/x.jpg", "a/X.jpg", "-o", "out"], "a/x.jpg: a/X.jpg would be written to out/x.jpg, too; put {number}"),
        (
            ["a/x.jpg", "b/x.jpg", "-o", "out", "--name", "{name}-{width}.{ext}"],
            "a/x.jpg: b/x.jpg would be written to out/x-{width}.jpg, too; put {number}"
        ),
        (
            ["a/x.jpg", "b/y.jpg", "-o", "out", "--name", "all.png"],
            "a/x.jpg: b/y.jpg would be written to out/all.png, too; put {number}"
        ),
        (
            ["a/x.jpg", "a/x.png", "-o", "out", "-f", "webp"],
            "a/x.jpg: a/x.png would be written to out/x.webp, too; put {source-ext}"
        ),
    ])
    func `inputs of which none has an output of its own are an error before anything is written`(
        _ words: [String], _ message: String
    ) async throws {
        for name in ["a/x.jpg", "a/X.jpg", "b/x.jpg", "b/y.jpg"] { try calotype.write(Pictures.jpeg(), to: name) }
        try calotype.write(Pictures.png(), to: "a/x.png")
        let ending = try await calotype.start(["resize"] + words).ending()
        #expect(ending.status == 2)
        #expect(ending.errors.hasPrefix("calotype: \(message) into --name"), "\(ending.errors)")
        #expect(calotype.files == ["a", "b"])
    }

    @Test func `two inputs of one stem fail, and the others are written`() async throws {
        try calotype.write(Pictures.jpeg(), to: "in/x.jpg")
        try calotype.write(Pictures.png(), to: "in/x.png")
        try calotype.write(Pictures.jpeg(), to: "in/y.jpg")
        let ending = try await calotype("resize", "in", "-o", "out", "-f", "webp", "--size", "20")
        #expect(ending.status == 1)
        #expect(ending.lines == ["out/y.webp"])
        #expect(
            Set(ending.errorLines) == [
                "calotype: in/x.jpg: in/x.png would be written to out/x.webp, too; put {source-ext} into --name",
                "calotype: in/x.png: in/x.jpg would be written to out/x.webp, too; put {source-ext} into --name",
            ])
        #expect(outputs("out") == ["y.webp"])
    }

    @Test func `{source-ext} tells inputs of one stem apart, and keeps --if-changed`() async throws {
        try calotype.write(Pictures.jpeg(), to: "in/x.JPG")
        try calotype.write(Pictures.png(), to: "in/x.png")
        func made() async throws -> [String] {
            let ending = try await calotype(
                "resize", "in", "-o", "out", "-f", "webp", "--size", "20", "--name", "{name}-{source-ext}.{ext}",
                "--if-changed")
            #expect(ending.status == 0, "\(ending.errors)")
            return ending.lines.sorted()
        }
        #expect(try await made() == ["out/x-jpg.webp", "out/x-png.webp"])
        // Its position in the run would be another, now.
        try calotype.write(Pictures.jpeg(), to: "in/a.jpg")
        #expect(try await made() == ["out/a-jpg.webp"])
    }

    @Test func `an image in a format that the build lacks competes for no name`() throws {
        let words = ["x.heic", "x.jpg", "-o", "out", "-f", "webp"]
        let arguments = try ArgumentParser.parse(words.map { ByteString($0) }[...], for: ResizeCommand.syntax)
        func problems(_ reads: (ImageFormat) -> Bool) throws -> [Bool] {
            let jobs = ImageJob.jobs([ImageInput(name: "x.heic"), ImageInput(name: "x.jpg")])
            let checked = try ImageJob.withCheckedNames(
                jobs, in: "out", NameTemplate(arguments), format: .webp, arguments, reads: reads)
            return checked.map { $0.input.problem != nil }
        }
        #expect(try problems { $0 != .heic } == [false, false])
        #expect(throws: UsageError.self) { try problems { _ in true } }
    }

    @Test func `{number} tells inputs of one name apart, in the order of the command line`() async throws {
        for name in ["a/x.jpg", "b/x.jpg"] { try calotype.write(Pictures.jpeg(), to: name) }
        let ending = try await calotype("resize", "a/x.jpg", "b/x.jpg", "-o", "out", "--name", "{number}-{name}.webp")
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(outputs("out") == ["1-x.webp", "2-x.webp"])
        #expect(try Pictures.header(calotype.contents("out/1-x.webp")).format == .webp)
    }
}
