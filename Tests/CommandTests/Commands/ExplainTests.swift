import CalotypeHTTP
import CalotypeTesting
import Foundation
import TestSupport
import Testing

@testable import calotype_command

/// `calotype explain`, against a server.
@Suite struct ExplainTests {
    private let calotype: Calotype
    private let origin: OriginServer

    init() throws {
        calotype = try Calotype()
        origin = try OriginServer()
    }

    private func serve(_ fields: HTTPFields, status: Int = 200, path: String = "/a") {
        origin.on(path, OriginReply(status: status, fields: fields, body: Data(count: 10)))
    }

    private func explain(_ arguments: String..., path: String = "a") async throws -> Calotype.Ending {
        try await calotype.start(
            ["explain"] + arguments + [origin.url(path).absoluteString], input: Data(), environment: [:]
        )
        .ending()
    }

    /// The object of `--json`, as nested dictionaries.
    private func json(_ arguments: String...) async throws -> [String: Any] {
        let ending = try await calotype.start(
            ["explain", "--json"] + arguments + [origin.url("a").absoluteString], input: Data(), environment: [:]
        ).ending()
        #expect(ending.status == 0 && ending.lines.count == 1, "\(ending.errors)")
        return try #require(try JSONSerialization.jsonObject(with: ending.output) as? [String: Any])
    }

    @Test func `a page has the response and three caches, the later ones by their differences`() async throws {
        serve([
            "Cache-Control": "max-age=60, s-maxage=7200", "ETag": "\"1\"", "Accept-Ranges": "bytes", "X-Secret": "1",
            "Set-Cookie": "a=b",
        ])
        let ending = try await explain()
        #expect(ending.status == 0 && ending.errors == "")
        #expect(ending.lines.first == "\(origin.url("a").absoluteString): 200, by HEAD")
        #expect(ending.lines.contains("  ETag: \"1\"") && ending.lines.contains("  Set-Cookie: …"))
        #expect(!ending.lines.contains { $0.contains("X-Secret") || $0.contains("a=b") })
        #expect(ending.lines.contains("A browser"))
        #expect(ending.lines.contains("A CDN: like a browser, but"))
        #expect(ending.lines.contains("Calotype in apps and commands: like a browser, but"))
        #expect(ending.lines.contains { $0.hasPrefix("  freshness      fresh for 60 s, until ") })
        #expect(ending.lines.contains { $0.hasSuffix(": s-maxage (RFC 9111 §5.2.2.10)") })
        #expect(ending.lines.count <= 40)
        #expect(origin.requests.map(\.method) == ["HEAD"])
    }

    @Test func `two caches that decide alike have one description`() async throws {
        serve(["Cache-Control": "no-store"])
        let ending = try await explain("--as", "private")
        #expect(
            ending.lines.suffix(4) == [
                "A browser", "  storage        not stored: no-store (RFC 9111 §5.2.2.5)",
                "  asked again    goes to the origin (RFC 9111 §4)", "Calotype in apps and commands: like a browser",
            ])
    }

    @Test func `a role selects the caches`() async throws {
        serve(["Cache-Control": "private, max-age=60"])
        for (role, names) in [("shared", ["cdn", "proxy"]), ("private", ["browser", "calotype"])] {
            let caches = try #require(try await json("--as", role)["caches"] as? [[String: Any]])
            #expect(caches.map { $0["cache"] as? String } == names)
            #expect(caches.allSatisfy { $0["stored"] as? Bool == (role == "private") })
        }
    }

    @Test func `JSON has the fields, the times and each rule`() async throws {
        let date = HTTPDate.format(Date().timeIntervalSince1970)
        serve(["Cache-Control": "max-age=60", "ETag": "\"1\"", "Date": date])
        let object = try await json("--as", "private")
        #expect(
            object["ok"] as? Bool == true && object["status"] as? Int == 200 && object["method"] as? String == "HEAD")
        #expect(object["url"] as? String == origin.url("a").absoluteString)
        let fields = try #require(object["fields"] as? [[String: String]])
        #expect(fields.contains(["name": "ETag", "value": "\"1\""]))
        let cache = try #require((object["caches"] as? [[String: Any]])?.first)
        #expect(cache["lifetime"] as? Int == 60)
        let end = try #require(cache["freshUntil"] as? Int), time = try #require(object["time"] as? Int)
        #expect((time + 55...time + 60).contains(end))
        let rules = try #require(cache["rules"] as? [[String: Any]])
        #expect(rules.first?["subject"] as? String == "storing")
        #expect(rules.first?["sections"] as? [String] == ["RFC 9111 §3"])
    }

    @Test func `the request's fields are sent, and decide`() async throws {
        serve(["Cache-Control": "max-age=60", "Vary": "Accept", "ETag": "\"1\""])
        let ending = try await explain(
            "-H", "Accept: image/webp", "--request", "Authorization: Bearer 1", "--as", "shared")
        #expect(origin.requests.first?.fields["Accept"] == "image/webp")
        #expect(origin.requests.first?.fields["Authorization"] == "Bearer 1")
        #expect(ending.lines.contains { $0.contains("not stored: the request's Authorization") })
        #expect(!ending.lines.contains { $0.contains("Bearer") })
        let browser = try await explain("-H", "Accept: image/webp", "--as", "private")
        #expect(browser.lines.contains { $0.contains("one for each value of Accept (here: image/webp)") })
    }

    @Test func `a server that refuses HEAD gets a GET, and so does one that is asked for a range`() async throws {
        origin.on("/a") { request in
            request.method == "HEAD" ? .status(405) : OriginReply(fields: ["ETag": "\"1\""], body: Data(count: 10))
        }
        let ending = try await explain()
        #expect(ending.lines.first?.hasSuffix(": 200, by GET") == true)
        #expect(origin.requests.map(\.method) == ["HEAD", "GET"])
        origin.on("/a") { _ in
            OriginReply(
                status: 206, fields: ["ETag": "\"1\"", "Content-Range": "bytes 0-1/10", "Cache-Control": "max-age=9"],
                body: Data(count: 2))
        }
        let part = try await explain("-H", "Range: bytes=0-1")
        #expect(part.lines.first?.hasSuffix(": 206, by GET") == true)
        #expect(part.lines.contains { $0.contains("as a part of the whole (RFC 9111 §3.3)") })
        #expect(origin.requests.map(\.method) == ["HEAD", "GET", "GET"])
    }

    @Test func `a body that never comes is not waited for`() async throws {
        let gate = Gate()
        origin.on("/a") { request in
            request.method == "HEAD"
                ? .status(501)
                : OriginReply(fields: ["ETag": "\"1\""], body: Data(count: 10)).bodyHeld(by: gate, after: 1)
        }
        let ending = try await explain()
        gate.open()
        #expect(ending.status == 0 && ending.lines.first?.hasSuffix(": 200, by GET") == true)
    }

    @Test func `redirects and failures are explained like any response`() async throws {
        serve(["Location": "/b", "Cache-Control": "max-age=9"], status: 301)
        let moved = try await explain()
        #expect(moved.lines.first?.hasSuffix(": 301, by HEAD") == true && moved.lines.contains("  Location: /b"))
        #expect(origin.requests.count == 1)
        serve([:], status: 404)
        let missing = try await explain()
        #expect(missing.status == 0 && missing.lines.first?.hasSuffix(": 404, by GET") == true)
    }

    @Test func `fields that are long or not text cannot spoil the page`() async throws {
        let long = ByteString(String(repeating: "x", count: 30_000))
        serve(["ETag": "\"\(long)\"", "Vary": "A\u{1B}[31m", "Cache-Control": "max-age=9", "Cache-Groups": "\"é\""])
        let ending = try await explain()
        #expect(ending.status == 0 && ending.output.count < 8000)
        #expect(!ending.output.contains(0x1B))
    }

    @Test func `a server that is gone is one line, and status 1`() async throws {
        let ending = try await calotype("explain", "http://127.0.0.1:\(try freePort())/a")
        #expect(ending.status == 1 && ending.output.isEmpty && ending.errorLines.count == 1)
    }

    @Test(arguments: [
        ["explain"], ["explain", "photo.jpg"], ["explain", "ftp://127.0.0.1/a"],
        ["explain", "--as", "both", "http://a/"],
        ["explain", "--request", "no field", "http://a/"], ["explain", "--request", "A: b\nC: d", "http://a/"],
        ["explain", "http://a/", "http://b/"],
    ]) func `a mistake in the command line is status 2`(arguments: [String]) async throws {
        let ending = try await calotype.start(arguments, input: Data(), environment: [:]).ending()
        #expect(ending.status == 2 && ending.output.isEmpty && ending.errorLines.count <= 2)
    }
}
