import CalotypeBase
import CalotypeCodecs
import CalotypeFuzzSupport
import CalotypeHTTP
import CalotypeServer
import CalotypeTesting
import CalotypeTransport
import CalotypeURLs
import Foundation
import TestSupport
import Testing

/// Section 8: `calotype info`.
struct InfoTests {
    private let calotype: Calotype

    init() throws { calotype = try Calotype() }

    @Test func `a file, a URL and standard input are described by their bytes`() async throws {
        let origin = try OriginServer()
        origin.on("/a.gif", .ok(Pictures.png(hasAlpha: true)))
        try calotype.write(Pictures.jpeg(), to: "a.txt")
        let url = origin.url("/a.gif").absoluteString
        let ending = try await calotype("info", "a.txt", url, "-", input: SamplePhotos.webp(width: 30, height: 20))
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.lines[0].hasPrefix("a.txt: jpeg 120×80, "))
        #expect(ending.lines[1].hasPrefix("\(url): png 120×80, "))
        #expect(ending.lines[1].hasSuffix(", alpha"))
        #expect(ending.lines[2].hasPrefix("-: webp 30×20, "))
    }

    @Test func `a gain map is named by the form of its numbers`() async throws {
        let (iso, adobe, apple) = ("gain map (ISO 21496-1)", "gain map (Ultra HDR)", "gain map (Apple)")
        for (file, words) in zip(try GainMapSeeds.all, [iso, adobe, iso, iso, adobe, iso, apple]) {
            try calotype.write(file, to: "a.jpg")
            let ending = try await calotype("info", "a.jpg")
            #expect(ending.lines.first?.contains(words) == true, "\(ending.lines)")
            let facts = try await calotype("info", "--json", "a.jpg")
            #expect(facts.lines.joined().contains(#""hdr":["gain_map"]"#))
        }
    }

    @Test func `a gain map among the items of an AVIF is named, too`() async throws {
        let avif = try GainMapItemSeeds.all.filter { $0.range(of: Data("avifmif1".utf8)) != nil }
        #expect(avif.count == 4)
        for (file, form) in zip(avif, ["ISO 21496-1", "ISO 21496-1", "ISO 21496-1", "Apple"]) {
            try calotype.write(file, to: "a.avif")
            let ending = try await calotype("info", "a.avif")
            #expect(ending.lines.first?.contains("gain map (\(form))") == true, "\(ending.lines)")
        }
    }

    @Test func `--json has all the facts`() async throws {
        try calotype.write(Pictures.jpeg(), to: "a.jpg")
        let ending = try await calotype("info", "--json", "a.jpg")
        let facts = try #require(try JSONSerialization.jsonObject(with: ending.output) as? [String: Any])
        #expect(
            Set(facts.keys) == [
                "source", "ok", "size", "format", "width", "height", "orientation", "exif", "pages_number", "alpha",
                "duration", "bits", "codec", "progressive", "profile", "hdr", "c2pa", "damaged",
            ])
        #expect(facts["format"] as? String == "jpeg")
        #expect(facts["orientation"] as? Int == 1)
        #expect(
            facts["pages_number"] as? Int == 1 && facts["codec"] as? String == "baseline" && facts["bits"] as? Int == 8)
        #expect(facts["size"] as? Int == Pictures.jpeg().count)
    }

    @Test func `--json has the object of the server, byte for byte`() async throws {
        let block = SampleEXIF.place(latitude: [(48, 1), (51, 1), (0, 1)], longitude: [(2, 1), (17, 1), (0, 1)])
        try calotype.write(SampleEXIF.jpeg(Pictures.jpeg(), with: block), to: "in/a.jpg")
        try calotype.write(Pictures.png(hasAlpha: true), to: "in/b.png")
        let root = calotype.directory.appending(path: "in").path
        var options = RenditionServer.Options(root: root)
        options.serving.grammar.permitsPlaces = true
        let server = try RenditionServer(options)
        let more = "p:8/avg:1/dc:1:1/bh:4:3/th:1/chs:md5:sha256/gps:1"
        for name in ["a.jpg", "b.png"] {
            let ending = try await calotype("info", "--json", "--facts", more, "in/\(name)")
            let all = "pn:1/a:1/du:1/bi:1/cod:1/prof:1/hdr:1/c2pa:1/dmg:1/\(more)"
            let url = try #require(URL(string: "\(server.url.absoluteString)/info/_/\(all)/plain/local:///\(name)"))
            let answer = try await CurlTransport().send(HTTPRequest(url)).body.collect()
            let start = "{\"ok\":true,\"source\":\"in/\(name)\","
            #expect(ending.output == Data(start.utf8) + answer.dropFirst() + Data("\n".utf8), "\(ending.errors)")
        }
        server.stop()
    }

    @Test func `--facts removes facts, and needs --json`() async throws {
        try calotype.write(Pictures.jpeg(), to: "a.jpg")
        let none = "s:0/f:0/d:0/exif:0/pn:0/a:0/du:0/bi:0/cod:0/prof:0/hdr:0/c2pa:0/dmg:0"
        let ending = try await calotype("info", "--json", "--facts", none, "a.jpg")
        #expect(ending.lines == [#"{"ok":true,"source":"a.jpg"}"#])
        #expect(try await calotype("info", "--facts", "bh:4:3", "a.jpg").status == 2)
    }

    @Test func `content credentials are named, which results lack`() async throws {
        try calotype.write(SampleCredentials.jpeg(Pictures.jpeg()), to: "a.jpg")
        let ending = try await calotype("info", "a.jpg")
        #expect(ending.lines[0].hasSuffix(", content credentials (not kept)"), "\(ending.lines)")
        let resized = try await calotype("resize", "a.jpg", "b.jpg", "--size", "20", "--keep-metadata", "all")
        #expect(resized.status == 0, "\(resized.errors)")
        let result = try calotype.contents("b.jpg")
        #expect(result.range(of: SampleCredentials.mark) == nil)
    }

    @Test func `damage is named that the structure of a file shows`() async throws {
        var wrongSum = Pictures.png()
        wrongSum[wrongSum.endIndex - 13] ^= 1
        try calotype.write(wrongSum, to: "a.png")
        try calotype.write(Pictures.jpeg().dropLast(2), to: "b.jpg")
        try calotype.write(Pictures.png(), to: "c.png")
        let ending = try await calotype("info", "a.png", "b.jpg", "c.png")
        #expect(ending.status == 0 && ending.lines.map { $0.hasSuffix(", damaged") } == [true, true, false])
        let json = try await calotype("info", "--json", "a.png")
        #expect(json.lines.first?.contains("\"damaged\":true") == true)
    }

    @Test func `codec, bits, profile, frames and duration are named`() async throws {
        let frame = try Bitmap(width: 9, height: 9, hasAlpha: false) { pixels, _ in
            for index in pixels.indices {
                pixels[index] = index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: index &* 37)
            }
        }
        let other = try frame.applying(.rotate(quarterTurns: 2))
        let writer = try AnimatedWebPWriter(size: frame.size, loopCount: nil, compression: .lossless)
        try writer.add(frame, duration: .milliseconds(300))
        try writer.add(other, duration: .milliseconds(950))
        try calotype.write(writer.finish(), to: "a.webp")
        try calotype.write(frame.encoded(as: .webpLossless), to: "b.webp")
        try calotype.write(frame.encoded(as: .avif()), to: "c.avif")
        let ending = try await calotype("info", "a.webp", "b.webp", "c.avif")
        #expect(ending.lines[0].hasSuffix(", alpha, 2 frames in 1.25 s"), "\(ending.lines)")
        #expect(ending.lines[1].hasSuffix(", VP8L") && ending.lines[2].hasSuffix(", AV1"), "\(ending.lines)")
        let json = try await calotype("info", "--json", "c.avif")
        let facts = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
        #expect(facts["profile"] as? String == "sRGB" && facts["codec"] as? String == "AV1")
    }

    @Test func `what is no image gives status 1, and the rest is described`() async throws {
        try calotype.write("plain text", to: "a.jpg")
        try calotype.write(Pictures.png(), to: "b.png")
        let ending = try await calotype("info", "a.jpg", "missing.jpg", "b.png")
        #expect(ending.status == 1)
        #expect(ending.lines.count == 1)
        #expect(ending.errorLines.count == 2)
        #expect(ending.errorLines.first?.hasPrefix("calotype: a.jpg: not an image") == true)
        #expect(ending.errorLines.last == "calotype: missing.jpg: cannot read it: No such file or directory")
    }

    @Test func `of a folder all images are described, and of its folders`() async throws {
        try calotype.write(Pictures.jpeg(), to: "in/b.jpg")
        try calotype.write(Pictures.png(), to: "in/deep/a.png")
        try calotype.write("text", to: "in/readme.txt")
        let ending = try await calotype("info", "in")
        #expect(ending.status == 0 && ending.lines.count == 2, "\(ending.errors)")
        #expect(ending.lines[0].hasPrefix("in/b.jpg: jpeg 120×80") && ending.lines[1].hasPrefix("in/deep/a.png: png"))
        let json = try await calotype("info", "--json", "in/")
        #expect(json.lines.count == 2 && json.lines[1].contains("\"source\":\"in/deep/a.png\""))
        try calotype.write("text", to: "empty/readme.txt")
        let empty = try await calotype("info", "empty")
        #expect(empty.status == 2 && empty.errors.hasPrefix("calotype: empty: there are no images in this folder"))
    }

    @Test func `one folder without images among others is one error line`() async throws {
        try calotype.write(Pictures.jpeg(), to: "in/b.jpg")
        try calotype.write("text", to: "empty/readme.txt")
        let info = try await calotype("info", "empty", "in")
        #expect(info.status == 1 && info.lines.count == 1)
        #expect(info.errorLines == ["calotype: empty: there are no images in this folder"])
        let resized = try await calotype("resize", "in", "empty", "--output", "out", "--size", "20")
        #expect(resized.status == 1 && resized.lines == ["out/b.jpg"])
        #expect(resized.errors.contains("empty: there are no images in this folder"))
    }

    @Test(arguments: ["info", "show"]) func `a name that is empty is said to be`(_ command: String) async throws {
        let ending = try await calotype(command, "")
        #expect(ending.status == 1 && ending.errors == "calotype: \"\": the name is empty\n")
    }

    @Test func `a list may be separated by NUL bytes`() async throws {
        try calotype.write(Pictures.jpeg(), to: "# a\nb.jpg")
        let list = Data("# a\nb.jpg\0".utf8)
        let ending = try await calotype.start(["info", "-0", "--from", "-"], input: list).ending()
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(String(decoding: ending.output, as: UTF8.self).hasPrefix("# a\nb.jpg: jpeg 120×80"))
    }

    @Test func `--table puts them in columns`() async throws {
        try calotype.write(Pictures.jpeg(), to: "b.jpg")
        try calotype.write(Pictures.png(hasAlpha: true), to: "a longer name.png")
        let ending = try await calotype("info", "--table", "b.jpg", "missing.png", "a longer name.png")
        #expect(ending.status == 1 && ending.errorLines.count == 1)
        #expect(ending.lines.count == 4, "\(ending.lines)")
        let size = try #require(ending.lines[2].firstRange(of: " 120×80")).upperBound
        let column = ending.lines[2].distance(from: ending.lines[2].startIndex, to: size)
        #expect(ending.lines[0].prefix(column).hasSuffix("size"))
        #expect(ending.lines[2].hasPrefix("b.jpg             ") && ending.lines[3].contains("alpha"))
        #expect(try await calotype("info", "--table", "--json", "b.jpg").status == 2)
    }

    @Test func `a reader that leaves ends it quietly`() async throws {
        for index in 0..<200 { try calotype.write(Pictures.jpeg(), to: "in/\(index).jpg") }
        let command = "'\(Child.executable.path)' info in | head -1; echo ${PIPESTATUS[0]}"
        let shell = try Child(["-c", command], in: calotype, input: Data(), environment: [:], program: "/bin/bash")
        let ending = try await shell.ending()
        #expect(ending.errors == "" && ending.lines.count == 2 && ["0", "141"].contains(ending.lines[1]))
    }
}
