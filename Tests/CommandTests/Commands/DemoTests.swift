import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Requirements
import Testing

/// Section 8: `calotype demo`.
struct DemoTests {
    private let calotype: Calotype

    init() throws { calotype = try Calotype() }

    @Test(.requirement("C17"))
    func `the demo loads cold, from memory, from disk, at three sizes and offline, and ends by itself`() async throws {
        for seed in 1...3 { try calotype.write(Pictures.jpeg(seed: seed), to: "photos/\(seed).jpg") }
        try calotype.write(Pictures.png(hasAlpha: true), to: "photos/deep er/ü.png")
        try calotype.write("no image", to: "photos/fake.jpg")
        let ending = try await calotype("demo", "--photos", "photos")
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.errors == "")

        let rows = ending.lines.map { $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init) }
        func numbers(_ act: String) -> [String]? {
            let words = act.split(separator: " ").map(String.init)
            return rows.first { $0.starts(with: words) }.map { Array($0.dropFirst(words.count).prefix(2)) }
        }
        #expect(numbers("cold") == ["4", "4"])
        #expect(numbers("from memory") == ["4", "0"])
        #expect(numbers("from disk, in a new loader") == ["4", "0"])
        #expect(numbers("at three sizes, cold") == ["12", "4"])
        #expect(numbers("with the server stopped") == ["4", "0"])

        let sheet = try calotype.contents("calotype-contact-sheet.png")
        #expect(try Pictures.header(sheet).format == .png)
        #expect(ending.lines.last?.hasPrefix("Contact sheet: /") == true)
        #expect(calotype.temporaryFiles.isEmpty)
        #expect(calotype.files == ["calotype-contact-sheet.png", "photos"])
    }

    @Test func `without photographs it says how to get some`() async throws {
        let missing = try await calotype("demo", "--photos", "nowhere")
        #expect(missing.status == 1)
        #expect(missing.errors == "calotype: demo: nowhere is not a directory\n")
        try calotype.write("text", to: "empty/a.txt")
        let empty = try await calotype("demo", "--photos", "empty")
        #expect(empty.errors == "calotype: demo: empty has no images\n")
    }

    @Test func `the contact sheet goes where it was asked for`() async throws {
        try calotype.write(Pictures.jpeg(), to: "photos/a.jpg")
        #expect(try await calotype("demo", "--photos", "photos", "--sheet", "my.png").status == 0)
        #expect(calotype.files == ["my.png", "photos"])
    }

    @Test(arguments: ["", "nonsense", "127.0.0.1:", "127.0.0.1:99999", ":80", "99999"])
    func `a place that is none is a usage error`(_ place: String) async throws {
        let ending = try await calotype("demo", "--serve", place)
        #expect(ending.status == 2)
        #expect(ending.errors.contains("--serve"))
    }

    @Test(.requirement("S4.24"), .timeLimit(.minutes(1)))
    func `with --serve it answers with pages of photos until it is interrupted`() async throws {
        try calotype.write(Pictures.jpeg(), to: "photos/a.jpg")
        let free = try OriginServer()
        let url = free.url("/photos")
        free.stop()
        let child = try calotype.start(["demo", "--photos", "photos", "--serve", "127.0.0.1:\(url.port ?? 0)"])
        var page: Data?
        // The connection is refused until the server listens.
        while page == nil, !Task.isCancelled {
            page = try? await CurlTransport().send(HTTPRequest(url)).body.collect()
        }
        let text = String(decoding: try #require(page), as: UTF8.self)
        #expect(text.contains(#""image_url":"/images/1/medium""#))
        #expect(text.contains(#""total_items":1"#))
        child.send(SIGINT)
        let ending = try await child.ending()
        let image = free.url("/images/1/large").absoluteString
        #expect(ending.lines == ["1 photograph at \(url.absoluteString)", "the first one: \(image)"])
        #expect(ending.errors == "")
    }
}
