import CalotypeHTTP
import CalotypeTesting
import Foundation
import TestSupport
import Testing

@testable import calotype_command

/// `calotype warm` beside a server that counts requests.
struct WarmTests {
    private let calotype: Calotype
    private let origin: OriginServer

    init() throws {
        calotype = try Calotype()
        origin = try OriginServer()
        origin.onAny { _ in .ok(Data("image".utf8)) }
    }

    private var server: String {
        origin.url.absoluteString.hasSuffix("/")
            ? String(origin.url.absoluteString.dropLast()) : origin.url.absoluteString
    }

    @Test func `the sizes of one source are asked for one after the other`() async throws {
        let paths = [
            "/_/w:1/plain/local:///a.jpg", "/_/w:1/plain/local:///b.jpg@webp", "/_/w:2/bG9jYWw6Ly8vYS5qcGc.png",
        ]
        try calotype.write((["# a list", ""] + paths.map { server + $0 }).joined(separator: "\n"), to: "list")
        let ending = try await calotype("warm", "-j", "1", "list")
        #expect(ending.status == 0 && ending.errors == "")
        #expect(ending.lines == ["3 made, 0 stored before, 0 failed"])
        #expect(origin.requests.map { "\($0.target)" } == [paths[0], paths[2], paths[1]])
    }

    @Test func `paths below --server come from standard input, and stored results are counted`() async throws {
        origin.onAny { request in
            var reply = OriginReply.ok(Data("image".utf8))
            if "\(request.target)".contains("w:1") { reply.fields["Cache-Status"] = "Calotype; hit; ttl=9" }
            if request.fields["Accept"] != "image/webp" { reply.status = 400 }
            return reply
        }
        let ending = try await calotype(
            "warm", "--server", server, "--accept", "image/webp", "-v", "-",
            input: Data("/_/w:1/plain/local:///a.jpg\n/_/w:2/plain/local:///a.jpg\n".utf8))
        #expect(ending.status == 0 && ending.lines.last == "1 made, 1 stored before, 0 failed")
        #expect(Set(ending.lines.dropLast().map { $0.prefix(6) }) == ["stored", "made\t5"])
    }

    @Test func `a 503 is asked for again after its pause`() async throws {
        var busy = OriginReply.status(503)
        busy.fields["Retry-After"] = "0"
        origin.on("/_/w:1/plain/local:///a.jpg", replies: [busy, busy, .ok(Data("image".utf8))])
        try calotype.write("\(server)/_/w:1/plain/local:///a.jpg", to: "list")
        let ending = try await calotype("warm", "list")
        #expect(ending.status == 0 && ending.lines == ["1 made, 0 stored before, 0 failed"])
        #expect(origin.requestCount() == 3)
    }

    @Test func `a failure is a line, and leaves the others`() async throws {
        origin.on("/_/w:1/plain/local:///none.jpg", .status(404))
        try calotype.write("\(server)/_/w:1/plain/local:///none.jpg\n\(server)/_/w:1/plain/local:///a.jpg", to: "list")
        let ending = try await calotype("warm", "list")
        #expect(ending.status == 1 && ending.lines == ["1 made, 0 stored before, 1 failed"])
        #expect(ending.errorLines == ["calotype: warm: \(server)/_/w:1/plain/local:///none.jpg: 404"])
    }

    @Test func `a server that cannot be reached ends the run`() async throws {
        let gone = "http://127.0.0.1:\(try freePort())"
        try calotype.write(
            (1...20).map { "\(gone)/_/w:\($0)/plain/local:///a.jpg" }.joined(separator: "\n"), to: "list")
        let ending = try await calotype("warm", "-j", "1", "list")
        #expect(ending.status == 1 && ending.errorLines.count == 1)
        #expect(ending.lines == ["0 made, 0 stored before, 1 failed, 19 not asked for"])
    }

    @Test(arguments: ["/_/w:1/plain/local:///a.jpg", "ftp://127.0.0.1/a", "a.jpg", "http://"])
    func `a line that is no URL of a server is a mistake, and nothing is asked for`(line: String) async throws {
        try calotype.write("\(server)/_/w:1/plain/local:///a.jpg\n\(line)", to: "list")
        let ending = try await calotype("warm", "list")
        #expect(ending.status == 2 && ending.errorLines.count == 1 && ending.output.isEmpty)
        #expect(origin.requestCount() == 0)
    }

    @Test func `an empty list is no error, and a missing one is`() async throws {
        #expect(try await calotype("warm", "-").status == 0)
        #expect(try await calotype("warm", "none").status == 2)
    }
}
