import CalotypeTesting
import TestSupport
import Foundation
import Testing

@testable import calotype_command

/// The log of `calotype serve` on standard error.
struct ServeLogTests {
    private let calotype: Calotype

    init() throws {
        calotype = try Calotype()
        try calotype.write(SamplePhotos.jpeg(width: 64, height: 48), to: "photos/cat.jpg")
    }

    /// Returns the lines on standard error of a server that answers a good request and three bad ones.
    private func log(_ options: String...) async throws -> [String] {
        try await log(of: Self.paths, options)
    }

    private static let paths = [
        "w:10/plain/local:///cat.jpg", "w:10/plain/local:///none.jpg", "x:1/plain/local:///cat.jpg",
        "w:10/plain/http://127.0.0.1:1@jpg",
    ]

    private func log(of paths: [String], _ options: [String] = []) async throws -> [String] {
        let file = calotype.place.appending(path: "errors")
        try Data().write(to: file)
        let server = try ServerChild(
            [
                "serve", "--root", calotype.directory.appending(path: "photos").path, "--insecure", "--listen",
                "127.0.0.1:0",
            ] + options, errors: try FileHandle(forWritingTo: file))
        for path in paths {
            let client = try RawClient(port: server.port)
            try client.get("/secret/\(path)", lines: ["Connection: close", "X-Request-ID: id-1"])
            _ = await client.receive()
        }
        server.send(SIGTERM)
        #expect(await server.status == 0)
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private struct Line: Decodable {
        let time: String
        let id: String
        let status: Int
        let rendition: String
        let source: String
        let reason: String
    }

    @Test func `each failing answer is a line of JSON`() async throws {
        let lines = try await log()
        let records = try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(records.map(\.status) == [404, 400, 403])
        // The last one has a port and a format, and no user.
        let renditions = [
            "w:10/plain/local:///none.jpg", "x:1/plain/local:///cat.jpg", "w:10/plain/http://127.0.0.1:1@jpeg",
        ]
        #expect(records.map(\.rendition) == renditions)
        #expect(records.map(\.source) == ["local:///none.jpg", "local:///cat.jpg", "http://127.0.0.1:1"])
        #expect(records.allSatisfy { $0.id == "id-1" && !$0.reason.isEmpty })
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for record in records { _ = try style.parse(record.time) }
        #expect(!lines.contains { $0.contains("secret") })
    }

    @Test func `a URL that cannot be parsed is logged without the URL of its fallback image`() async throws {
        let fallback = Data("https://user:password@a.example/a.jpg".utf8).base64EncodedString()
            .replacing("=", with: "")
        let names = ["fiu", "fallback_image_url"]
        let paths = names.map { "x:1/\($0):\(fallback)/w:10/plain/local:///cat.jpg" }
        let lines = try await log(of: paths)
        let records = try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(records.map(\.status) == [400, 400])
        #expect(records.map(\.rendition) == names.map { "x:1/\($0):…/w:10/plain/local:///cat.jpg" })
        #expect(lines.count == 2 && !lines.joined().contains(fallback))
    }

    @Test func `fields by option name the client behind a proxy, its agent and the source`() async throws {
        let file = calotype.place.appending(path: "errors")
        try Data().write(to: file)
        let server = try ServerChild(
            [
                "serve", "--root", calotype.directory.appending(path: "photos").path, "--insecure", "--listen",
                "127.0.0.1:0", "--log", "all", "--log-fields",
                "method,client,user-agent,trace,source-format,source-bytes",
                "--trust-proxy", "127.0.0.1", "--client-field", "forwarded",
            ], errors: try FileHandle(forWritingTo: file))
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        let client = try RawClient(port: server.port)
        try client.get(
            "/_/w:10/plain/local:///cat.jpg", method: "HEAD",
            lines: [
                "Connection: close", "Forwarded: for=\"[2001:db8::7]:80\"", "User-Agent: robot",
                "traceparent: \(trace)",
            ])
        #expect(await client.receive().hasPrefix("HTTP/1.1 200 "))
        server.send(SIGTERM)
        #expect(await server.status == 0)
        struct Line: Decodable {
            let method, client, userAgent, trace, sourceFormat: String
            let sourceBytes: Int
        }
        let line = try JSONDecoder().decode(Line.self, from: Data(contentsOf: file))
        #expect(
            line.method == "HEAD" && line.client == "2001:db8::7" && line.userAgent == "robot" && line.trace == trace)
        #expect(line.sourceFormat == "jpeg")
        #expect(line.sourceBytes == (try calotype.contents("photos/cat.jpg")).count)
    }

    @Test func `none turns the log off`() async throws {
        #expect(try await log("--log", "none") == [])
    }
}
