import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

@testable import calotype_command

/// `calotype resize` with many inputs.
struct ResizeManyTests {
    private let calotype: Calotype

    init() throws { calotype = try Calotype() }

    private func run(_ words: String...) async throws -> Calotype.Ending { try await calotype.start(words).ending() }

    private func outputs(_ folder: String) -> [String] {
        let url = calotype.directory.appending(path: folder)
        let all = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
        return all.filter { !Destinations.isDirectory(url.appending(path: $0)) }.sorted()
    }

    private enum Destinations {
        static func isDirectory(_ url: URL) -> Bool {
            (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
        }
    }

    private func records(_ ending: Calotype.Ending) throws -> [[String: Any]] {
        try ending.lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
    }

    @Test func `several inputs become thumbnails named by a template`() async throws {
        for name in ["a.jpg", "b.jpg"] { try calotype.write(Pictures.jpeg(), to: name) }
        let ending = try await run(
            "resize", "a.jpg", "b.jpg", "-o", "thumbs", "--size", "60", "--name", "{name}-{width}x{height}.{ext}")
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(outputs("thumbs") == ["a-60x40.jpg", "b-60x40.jpg"])
        #expect(Set(ending.lines) == ["thumbs/a-60x40.jpg", "thumbs/b-60x40.jpg"])
        #expect(try Pictures.size(calotype.contents("thumbs/a-60x40.jpg")) == PixelSize(60, 40))
    }

    @Test func `a folder keeps its folders, and hidden files, other files and the output itself are left out`()
        async throws
    {
        try calotype.write(Pictures.jpeg(), to: "in/a.jpg")
        try calotype.write(Pictures.png(), to: "in/deep/er/b c.png")
        try calotype.write("text", to: "in/notes.txt")
        try calotype.write(Pictures.jpeg(), to: "in/.hidden.jpg")
        try calotype.write(Pictures.jpeg(), to: "in/.folder/a.jpg")
        try calotype.write("text", to: "in/.notes")
        for _ in 0..<2 {
            let ending = try await run("resize", "in", "-o", "in/out", "--size", "20", "--overwrite", "-v")
            #expect(ending.status == 0, "\(ending.errors)")
            #expect(ending.errors == "2 hidden left out\n")
            #expect(outputs("in/out") == ["a.jpg", "deep/er/b c.png"])
        }
    }

    @Test func `a list of inputs comes from a file, or from standard input`() async throws {
        for name in ["a.jpg", "b.jpg"] { try calotype.write(Pictures.jpeg(), to: name) }
        try calotype.write("# images\na.jpg\n\n", to: "list.txt")
        #expect(try await run("resize", "--from", "list.txt", "-o", "one", "--size", "20").status == 0)
        #expect(outputs("one") == ["a.jpg"])
        let ending = try await calotype(
            "resize", "--from", "-", "-o", "two", "--size", "20", input: Data("a.jpg\nb.jpg\n".utf8))
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(outputs("two") == ["a.jpg", "b.jpg"])
    }

    @Test func `a list with NUL bytes is refused without -0, before a wrong file is read`() async throws {
        for name in ["a.jpg", "b.jpg"] { try calotype.write(Pictures.jpeg(), to: name) }
        try calotype.write("a.jpg\0b.jpg\0", to: "list")
        let ending = try await run("resize", "--from", "list", "-o", "out", "--size", "20")
        #expect(ending.status == 2)
        #expect(ending.errors.hasPrefix("calotype: --from list: the list contains NUL bytes; add -0"))
        #expect(try await run("resize", "-0", "--from", "list", "-o", "out", "--size", "20").status == 0)
        #expect(outputs("out") == ["a.jpg", "b.jpg"])
    }

    @Test func `-j works on that many at once, with the same results`() async throws {
        for index in 0..<9 { try calotype.write(Pictures.jpeg(seed: index), to: "in/\(index).jpg") }
        for parallel in ["1", "8"] {
            #expect(try await run("resize", "in", "-o", parallel, "-j", parallel, "--size", "20").status == 0)
        }
        #expect(outputs("1").count == 9 && outputs("1") == outputs("8"))
        for name in outputs("1") {
            #expect(try calotype.contents("1/\(name)") == calotype.contents("8/\(name)"))
        }
    }

    @Test func `one that fails does not stop the others, and the status says so`() async throws {
        try calotype.write(Pictures.jpeg(), to: "a.jpg")
        try calotype.write("plain text", to: "b.jpg")
        try calotype.write(Pictures.jpeg(), to: "d.jpg")
        let ending = try await run("resize", "a.jpg", "b.jpg", "c.jpg", "d.jpg", "-o", "out", "--size", "20")
        #expect(ending.status == 1)
        #expect(outputs("out") == ["a.jpg", "d.jpg"])
        #expect(ending.errorLines.count == 2)
        #expect(ending.errors.contains("b.jpg: not an image"))
        #expect(ending.errors.contains("c.jpg: cannot read it: No such file or directory"))
    }

    @Test func `--json prints one object for each input, failed ones included`() async throws {
        try calotype.write(Pictures.jpeg(), to: "a.jpg")
        let ending = try await run("resize", "a.jpg", "b.jpg", "-o", "out", "--size", "60", "--json", "-j", "1")
        #expect(ending.status == 1)
        let records = try records(ending)
        #expect(records.count == 2)
        #expect(records[0]["path"] as? String == "out/a.jpg" && records[0]["ok"] as? Bool == true)
        #expect(records[0]["width"] as? Int == 60 && records[0]["format"] as? String == "jpeg")
        #expect(records[1]["ok"] as? Bool == false && records[1]["source"] as? String == "b.jpg")
    }

    @Test func `--if-changed makes again what is new, changed, or asked for by another recipe, and nothing else`()
        async throws
    {
        for name in ["a", "b", "c"] { try calotype.write(Pictures.jpeg(), to: "in/\(name).jpg") }
        func made(_ more: String...) async throws -> [String] {
            let words = ["resize", "in", "-o", "out", "--if-changed", "--json"] + more
            let ending = try await calotype.start(words).ending()
            #expect(ending.status == 0, "\(ending.errors)")
            return try records(ending).filter { $0["skipped"] as? Bool == false }
                .compactMap { $0["source"] as? String }.sorted()
        }
        #expect(try await made("--size", "20").count == 3)
        #expect(try await made("--size", "20") == [])
        try calotype.write(Pictures.jpeg(seed: 7), to: "in/b.jpg")
        try setDate(of: "in/b.jpg", secondsFromNow: 60)
        #expect(try await made("--size", "20") == ["in/b.jpg"])
        try setDate(of: "in/b.jpg", secondsFromNow: -60)
        #expect(try await made("--size", "20") == ["in/b.jpg"])
        #expect(try await made("--size", "20") == [])
        #expect(try await made("--size", "30").count == 3)
        try FileManager.default.removeItem(at: calotype.directory.appending(path: "out/c.jpg"))
        #expect(try await made("--size", "30") == ["in/c.jpg"])
    }

    @Test func `the record of --if-changed contains no password of a URL`() async throws {
        let origin = try OriginServer()
        var reply = OriginReply.ok(Pictures.jpeg())
        reply.fields["ETag"] = "\"1\""
        origin.on("/photo.jpg", reply)
        let url = origin.url("/photo.jpg").absoluteString.replacingOccurrences(of: "://", with: "://anna:secret@")
        for lines in [["out/photo.jpg"], []] {
            #expect(try await calotype("resize", url, "-o", "out", "--if-changed", "--size", "20").lines == lines)
        }
        let record = String(decoding: try calotype.contents("out/.calotype-made.json"), as: UTF8.self)
        #expect(record.contains("photo.jpg") && !record.contains("secret"))
    }

    @Test func `--if-changed never replaces an input`() async throws {
        let before = Pictures.jpeg()
        try calotype.write(before, to: "in/a.jpg")
        for words in [["in", "-o", "in"], ["in/a.jpg", "-o", "in/a.jpg"]] {
            let ending = try await calotype.start(["resize", "--if-changed", "--size", "20"] + words).ending()
            #expect(ending.status == 1)
            #expect(ending.errors.contains("--if-changed does not replace the input"), "\(ending.errors)")
            #expect(try calotype.contents("in/a.jpg") == before)
        }
    }

    private func setDate(of name: String, secondsFromNow seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: seconds)],
            ofItemAtPath: calotype.directory.appending(path: name).path)
    }

    @Test func `an interrupted run leaves no half file, and says how far it came`() async throws {
        let origin = try OriginServer()
        let gate = Gate()
        defer { gate.open() }
        origin.on("/slow.jpg", .ok(Pictures.jpeg()).bodyHeld(by: gate, after: 500))
        try calotype.write(Pictures.jpeg(), to: "a.jpg")
        let child = try calotype.start(
            ["resize", "a.jpg", origin.url("/slow.jpg").absoluteString, "-o", "out", "--size", "20", "-j", "1"])
        await origin.waitForRequests(1)
        child.send(SIGINT)
        let ending = try await child.ending()
        #expect(ending.status == 130)
        #expect(outputs("out") == ["a.jpg"])
        #expect(ending.errorLines == ["calotype: interrupted after 1 of 2 images"])
    }

    @Test func `names with spaces, line ends and leading dashes are names like others`() async throws {
        for name in ["a b.jpg", "c\nd.jpg", "-e.jpg"] { try calotype.write(Pictures.jpeg(), to: name) }
        let ending = try await run("resize", "-o", "out", "--size", "20", "--", "a b.jpg", "c\nd.jpg", "-e.jpg")
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(outputs("out") == ["-e.jpg", "a b.jpg", "c\nd.jpg"])
        #expect(String(decoding: ending.output, as: UTF8.self).contains("out/c\nd.jpg\n"))
    }

    @Test func `an output that cannot be written fails with its reason`() async throws {
        try calotype.write(Pictures.jpeg(), to: "a.jpg")
        try calotype.write("a file", to: "out/a.jpg/x")
        let ending = try await run("resize", "a.jpg", "-o", "out/", "--size", "20")
        #expect(ending.status == 1 && ending.errorLines.count == 1)
        #expect(outputs("out") == ["a.jpg/x"])
    }

    @Test func `--crop cuts where --gravity says`() async throws {
        try calotype.write(Pictures.png(), to: "a.png")
        var files: [Data] = []
        for gravity in ["left", "right"] {
            let ending = try await run("resize", "a.png", "-", "--crop", "30x20", "--gravity", gravity)
            #expect(ending.status == 0, "\(ending.errors)")
            #expect(try Pictures.size(ending.output) == PixelSize(30, 20))
            files.append(ending.output)
        }
        #expect(files[0] != files[1])
    }

    @Test func `a cancelled task ends the search for a quality before the next attempt`() async throws {
        let words = ["a.png", "b.jpg", "--quality-target", "ssim=0.9"]
        let recipe = try Recipe(ArgumentParser.parse(words.map { ByteString($0) }[...], for: ResizeCommand.syntax))
        let bitmap = try DecoderRegistry.standard.decode(Pictures.png())
        let cancellation = Cancellation()
        let search = Task {
            try await cancellation.observed { () throws(CodecError) in
                withUnsafeCurrentTask { $0?.cancel() }
                return try recipe.encoded(bitmap, as: .jpeg, with: nil, cancellation)
            }
        }
        let error = await #expect(throws: CodecError.self) { try await search.value }
        #expect(error?.code == .cancelled)
    }

    @Test(arguments: ["jpg", "webp", "avif"])
    func `--quality-target finds the lowest quality that is similar enough`(_ suffix: String) async throws {
        try calotype.write(SamplePhotos.png(width: 64, height: 48), to: "a.png")
        func made(_ target: String) async throws -> (quality: Int, measured: Double, bytes: Int) {
            let ending = try await run(
                "resize", "a.png", "\(target).\(suffix)", "--quality-target", target, "--json", "--overwrite")
            #expect(ending.status == 0, "\(ending.errors)")
            let record = try records(ending)[0]
            return (
                try #require(record["quality"] as? Int), try #require(record["measured"] as? Double),
                try #require(record["bytes"] as? Int)
            )
        }
        let rough = try await made("ssim=0.8"), fine = try await made("ssim=0.97")
        #expect(rough.measured >= 0.8 && fine.measured >= 0.97)
        #expect(rough.quality < fine.quality && rough.bytes < fine.bytes)
        let scored = try await made("ssimulacra2=60")
        #expect(scored.measured >= 60 && scored.measured < 70)
        // A quality of one less is not enough: this is the lowest.
        let below = try await run("resize", "a.png", "below.\(suffix)", "--quality", "\(fine.quality - 1)")
        #expect(below.status == 0)
        let check = try await run("compare", "a.png", "below.\(suffix)", "--at-least", "ssim=0.97")
        #expect(check.status == 1, "\(check.lines)")
        #expect(try await run("compare", "a.png", "ssim=0.97.\(suffix)", "--at-least", "ssim=0.97").status == 0)
    }
}
