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
                "source", "ok", "format", "width", "height", "orientation", "alpha", "frames", "progressive", "bytes",
            ])
        #expect(facts["format"] as? String == "jpeg")
        #expect(facts["orientation"] as? Int == 1)
        #expect(facts["frames"] as? Int == 1)
        #expect(facts["bytes"] as? Int == Pictures.jpeg().count)
    }

    @Test func `what is no picture gives status 1, and the rest is described`() async throws {
        try calotype.write("plain text", to: "a.jpg")
        try calotype.write(Pictures.png(), to: "b.png")
        let ending = try await calotype("info", "a.jpg", "missing.jpg", "b.png")
        #expect(ending.status == 1)
        #expect(ending.lines.count == 1)
        #expect(ending.errorLines.count == 2)
        #expect(ending.errorLines.first?.hasPrefix("calotype: a.jpg: not a picture") == true)
        #expect(ending.errorLines.last == "calotype: missing.jpg: cannot read it: No such file or directory")
    }
}
