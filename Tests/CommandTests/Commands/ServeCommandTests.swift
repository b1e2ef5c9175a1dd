import CalotypeTesting
import Foundation
import Testing

@testable import calotype_command

/// The real command in a separate process.
struct ServeCommandTests {
    private let calotype: Calotype

    init() throws {
        calotype = try Calotype()
        try calotype.write(SamplePhotos.jpeg(width: 640, height: 480), to: "photos/cat.jpg")
    }

    @Test func `it serves a thumbnail`() async throws {
        let photos = calotype.directory.appending(path: "photos").path
        let server = try ServerChild(["serve", "--root", photos, "--insecure", "--listen", "127.0.0.1:0"])
        let client = try RawClient(port: server.port)
        try client.get("/_/w:64/plain/local:///cat.jpg@webp", lines: ["Connection: close"])
        let answer = await client.receive()
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(answer.contains("Content-Type: image/webp\r\n"))
        server.send(SIGTERM)
        #expect(await server.status == 0)
    }

    @Test func `without a key it starts only if told so`() async throws {
        let end = try await calotype("serve", "--root", "photos")
        #expect(end.status == 2)
        #expect(end.errors.contains("--insecure"))
        let wrong = try await calotype(
            "serve", "--root", "photos", environment: ["IMGPROXY_KEY": "xy", "IMGPROXY_SALT": "00"])
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("hexadecimal"))
    }

    @Test func `it listens on this machine only`() async throws {
        let end = try await calotype("serve", "--root", "photos", "--insecure", "--listen", "0.0.0.0:8080")
        #expect(end.status == 2)
        #expect(end.errors.contains("this machine only"))
    }

    @Test func `check groups the URLs that would fail by option`() async throws {
        let log = """
            127.0.0.1 - - [01/Jan/2026:00:00:00 +0000] "GET /s/w:1/plain/local:///a.jpg HTTP/1.1" 200 1
            127.0.0.1 - - [01/Jan/2026:00:00:00 +0000] "GET /s/dd:1/plain/local:///a.jpg HTTP/1.1" 200 1
            http://images.example.com/s/dd:1/w:5/plain/local:///b.jpg
            /s/f:gif/plain/local:///a.jpg
            """
        try calotype.write(log, to: "access.log")
        let end = try await calotype("serve", "--check", "access.log")
        #expect(end.status == 1)
        #expect(end.lines.first?.hasPrefix("2\toption dd\t") == true)
        #expect(end.lines.dropFirst().first?.hasPrefix("1\toption format\t") == true)
        #expect(end.lines.last == "3 of 4 URLs would fail")
        try calotype.write("/s/w:1/plain/local:///a.jpg\n", to: "good")
        #expect(try await calotype("serve", "--check", "good").status == 0)
    }

    @Test func `explain prints the canonical text`() async throws {
        let end = try await calotype(
            "serve", "--explain", "/s/h:50/width:100/plain/local:///a.jpg@png")
        #expect(end.status == 0)
        #expect(end.lines.first == "canonical text  w:100/h:50/plain/local:///a.jpg@png")
        let wrong = try await calotype(
            "serve", "--explain", "/s/x:1/plain/local:///a")
        #expect(wrong.status == 1)
    }

    @Test func `sign prints a path that the server accepts`() async throws {
        let keys = ["IMGPROXY_KEY": "736563726574", "IMGPROXY_SALT": "68656C6C6F"]
        let end = try await calotype("sign", "local:///cat.jpg@png", "rs:fill:30:40", environment: keys)
        #expect(end.status == 0)
        #expect(end.lines.first?.hasSuffix("/rs:fill:30:40/plain/local:///cat.jpg@png") == true)
        #expect(end.lines.first?.split(separator: "/").first?.count == 43)
        let unsigned = try await calotype("sign", "local:///cat.jpg")
        #expect(unsigned.lines == ["/_/plain/local:///cat.jpg"])
        #expect(try await calotype("sign", "local:///cat.jpg", "nonsense:1").status == 2)
    }
}
