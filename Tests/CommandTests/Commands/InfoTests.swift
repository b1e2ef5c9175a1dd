import CalotypeCodecs
import CalotypeTesting
import Foundation
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

    @Test func `--json has all the facts`() async throws {
        try calotype.write(Pictures.jpeg(), to: "a.jpg")
        let ending = try await calotype("info", "--json", "a.jpg")
        let facts = try #require(try JSONSerialization.jsonObject(with: ending.output) as? [String: Any])
        #expect(
            Set(facts.keys) == [
                "source", "ok", "format", "width", "height", "orientation", "alpha", "frames", "duration",
                "progressive",
                "codec", "bits", "profile", "bytes",
            ])
        #expect(facts["format"] as? String == "jpeg")
        #expect(facts["orientation"] as? Int == 1)
        #expect(facts["frames"] as? Int == 1 && facts["codec"] as? String == "baseline" && facts["bits"] as? Int == 8)
        #expect(facts["bytes"] as? Int == Pictures.jpeg().count)
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

    @Test func `a format that is not built in is named, with its trait`() async throws {
        try calotype.write("<svg xmlns='http://www.w3.org/2000/svg'/>", to: "a.svg")
        let ending = try await calotype("info", "a.svg")
        #expect(ending.status == 1)
        #expect(ending.errorLines == ["calotype: a.svg: SVG is not supported by this build (trait SVG)"])
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
}
