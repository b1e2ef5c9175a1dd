import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import CalotypeTesting
import CalotypeTransport
import CalotypeURLs
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer

/// The operator's pages for purges, on a port of their own.
struct PurgeAnswerTests {
    private static let token = "0123456789abcdef-secret"
    private let server: TestServer
    private let admin: Listener
    private let client: CurlTransport

    init() throws {
        server = try TestServer {
            $0.store = "\($0.root)-store"
            $0.adminToken = AdminToken(ByteString("\(Self.token)\n"))
        }
        try server.write(SamplePhotos.jpeg(width: 64, height: 48), "cat.jpg")
        var options = CurlTransport.Options()
        options.connectionsPerHost = 200
        client = CurlTransport(options: options)
        let pages = try #require(server.server.purges)
        admin = try Listener(options: Listener.Options(port: 0)) { request in
            if request.path == "/.calotype/purge" { return await pages.purge(request) }
            return await pages.list(request)
        }
    }

    private struct Record: Decodable, Equatable {
        var source: String?
        var prefix: String?
        var all: Bool?
        let mode: String
        let time: String
        let everywhere: String
        var erased: String?
    }

    private struct Records: Decodable {
        let limit: Int
        let purges: [Record]
    }

    private static let proof: HTTPFields = ["Authorization": ByteString("Bearer \(token)")]

    private func send(
        _ page: String, _ body: String? = nil, _ fields: HTTPFields = proof
    ) async throws -> (status: Int, body: Data) {
        var request = HTTPRequest(
            admin.url.appending(path: ".calotype/\(page)"), method: body == nil ? .get : .post, fields: fields)
        if let body { request.body = Data(body.utf8) }
        let response = try await client.send(request)
        return (response.status, try await response.body.collect())
    }

    private func purges() async throws -> [Record] {
        let answer = try await send("purges")
        #expect(answer.status == 200)
        let records = try JSONDecoder().decode(Records.self, from: answer.body)
        #expect(records.limit == 100_000)
        return records.purges
    }

    private func outcome() async throws -> String {
        try await server.get("/_/w:10/plain/local:///cat.jpg@png").outcome
    }

    @Test(.requirement("V46")) func `a purge is in force when it is answered, and listed with its time`() async throws {
        _ = try await outcome()
        #expect(try await outcome() == "hit")
        let answer = try await send("purge", #"{"source":"local:///cat.jpg"}"#)
        #expect(answer.status == 200)
        let record = try JSONDecoder().decode(Record.self, from: answer.body)
        #expect(record.source == "local:///cat.jpg" && record.mode == "hard")
        #expect(record.time == "2026-01-01T00:00:00.000Z" && record.everywhere == "2026-01-01T00:00:01.000Z")
        #expect(try await purges() == [record])
        server.clock.advance(by: .seconds(2))
        #expect(try await outcome() == "made")
        #expect(try await outcome() == "hit")
        for body in [#"{"prefix":"https://example.com/a","soft":true}"#, #"{"all":true,"soft":false}"#] {
            #expect(try await send("purge", body).status == 200)
        }
        let all = try await purges()
        #expect(all.map(\.mode) == ["hard", "soft", "hard"] && all[1].prefix == "https://example.com/a")
        #expect(all[2].all == true && all[2].source == nil)
    }

    @Test func `the list has no hidden characters, and their escapes`() async throws {
        let name = "local:///a\u{2028}\u{200F}\u{61C}\u{202E}\u{E0041}.jpg"
        #expect(try await send("purge", #"{"source":"\#(name)"}"#).status == 200)
        #expect(try await purges().map(\.source) == [name])
        let text = String(decoding: try await send("purges").body, as: UTF8.self)
        #expect(!text.dropLast().unicodeScalars.contains { $0.isHidden } && text.contains("\\u2028"))
    }

    // A source that the server does not have, and may not load: it is in force should that change.
    @Test func `a purge of an unknown source is in force`() async throws {
        #expect(try await send("purge", #"{"source":"https://elsewhere.test/x.jpg"}"#).status == 200)
        #expect(try await purges().map(\.source) == ["https://elsewhere.test/x.jpg"])
    }

    @Test(arguments: [
        "", "{}", #"{"source":""}"#, #"{"prefix":""}"#, #"{"source":"cat.jpg"}"#, #"{"all":false}"#, #"{"all":"yes"}"#,
        #"{"source":"local:///a","prefix":"local:///b"}"#, #"{"source":"local:///a","all":true}"#, "[]", "\"\"",
        #"{"perfix":"local:///a"}"#, #"{"source":"local:///a","sfot":true}"#, #"{"soft":true}"#,
        #"{"prefix":"https://a.test/?b"}"#, #"{"source":"local:///../a"}"#, "source=local:///a",
    ])
    func `a body that names no target is a 400, and purges nothing`(body: String) async throws {
        let answer = try await send("purge", body)
        #expect(answer.status == 400, "\(body)")
        #expect(String(decoding: answer.body, as: UTF8.self).hasPrefix(#"{"error":""#))
        #expect(try await purges() == [])
    }

    @Test(arguments: [
        (#"{"source":5}"#, "source and prefix are texts"), (#"{"all":true,"soft":"yes"}"#, "soft are true or false"),
        ("[]", "no JSON object"), (#"{"source":5,"sfot":true}"#, "sfot"),
    ])
    func `the reason names what is wrong with a body`(body: String, reason: String) async throws {
        #expect(String(decoding: try await send("purge", body).body, as: UTF8.self).contains(reason))
    }

    private static let refused: [HTTPFields] = [
        [:], ["Authorization": "Bearer"], ["Authorization": "Bearer wrong"],
        ["Authorization": "Basic 0123456789abcdef-secret"], ["Authorization": "0123456789abcdef-secret"],
        ["Authorization": "Bearer 0123456789abcdef-secre"], ["Authorization": "Bearer 0123456789abcdef-secret2"],
        HTTPFields([
            HTTPFields.Field(name: "Authorization", value: "Bearer x"),
            HTTPFields.Field(name: "Authorization", value: "Bearer 0123456789abcdef-secret"),
        ]),
        page(["Origin": "https://evil.test"]), page(["Origin": "null"]), page(["Sec-Fetch-Site": "cross-site"]),
        page(["Sec-Fetch-Site": "same-origin"]),
    ]

    private static func page(_ more: HTTPFields) -> HTTPFields {
        var fields = proof
        for field in more { fields.append(field.value, to: field.name) }
        return fields
    }

    @Test(arguments: refused.indices)
    func `a request without the token, or from a web page, is a 403`(row: Int) async throws {
        let fields = Self.refused[row]
        let answer = try await send("purge", #"{"all":true}"#, fields)
        #expect(answer.status == 403)
        #expect(try await send("purges", nil, fields).status == 403)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains(Self.token))
        #expect(try await purges() == [])
    }

    @Test func `the scheme of the token has any case`() async throws {
        #expect(try await send("purges", nil, ["Authorization": "bearer  0123456789abcdef-secret"]).status == 200)
    }

    // It was encoded as a whole, which took a thread of all requests for seconds.
    @Test func `a long list comes in parts`() async throws {
        for count in [1, 199, 200, 201, 1000] {
            server.server.purging.list.set(
                try (server.server.purging.list.purges.count..<count).map {
                    Purge(try .source("https://a.test/\($0)"), isHard: true, at: 1)
                })
            #expect(try await purges().compactMap(\.source) == (0..<count).map { "https://a.test/\($0)" })
        }
    }

    @Test(arguments: ["", "   \n", "short", "0123456789abcde", "0123456789 abcdef", "0123456789abcdef\u{E9}"])
    func `a short token, or one that a field cannot have, is none`(text: String) {
        #expect(AdminToken(ByteString(text)) == nil)
    }

    @Test func `200 purges at once are all in force`() async throws {
        let statuses = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<200 {
                group.addTask { try? await send("purge", #"{"source":"local:///\#(number).jpg"}"#).status }
            }
            return await group.reduce(into: [Int?]()) { $0.append($1) }
        }
        #expect(statuses.allSatisfy { $0 == 200 }, "\(statuses)")
        #expect(Set(try await purges().compactMap(\.source)).count == 200)
    }

    @Test func `without a token there are no pages`() throws {
        #expect(try TestServer().server.purges == nil)
    }
}
