import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import CalotypeTesting
import CalotypeTransport
import Foundation
import TestSupport
import Testing

@testable import CalotypeServer
@testable import CalotypeURLs

/// The facts that the log has by an option, and what reaches origins.
struct LogFieldTests {
    private let records = Log<AnswerRecord>()
    private let web: WebServer
    private var server: TestServer { web.server }
    private static let trace: ByteString = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    init() throws {
        let records = records
        web = try WebServer { options, _ in
            options.log = { records.add($0) }
            options.logLevel = .all
            options.options.log.fields = Set(LogOptions.Field.allCases)
            options.clients.trusted = try [#require(AddressBlock("127.0.0.1"))]
        }
        web.serveRevalidatable()
    }

    @Test func `a record has method, client, agent, trace and the facts about the source, made or from the cache`()
        async throws
    {
        let fields: HTTPFields = [
            "X-Forwarded-For": "203.0.113.1", "User-Agent": "robot/1", "traceparent": Self.trace,
        ]
        for _ in 0..<2 { #expect(try await web.get(width: 10, fields).status == 200) }
        let size = WebServer.reply().body.count
        for record in records.entries {
            #expect(record.method == "GET" && record.client == "203.0.113.1" && record.userAgent == "robot/1")
            #expect(record.trace == Self.trace.string)
            #expect(record.sourceFormat == "jpeg" && record.sourceBytes == size)
        }
        #expect(records.entries.map(\.outcome) == [.made, .hit])
        #expect(
            records.entries[1].line.contains(
                "\"sourceBytes\":\(size),\"sourceFormat\":\"jpeg\",\"status\":200,\"time\":"))
    }

    @Test func `the trace of a client reaches the origin, and no answer has what the log alone has`() async throws {
        let answer = try await web.get(width: 10, ["traceparent": Self.trace])
        #expect(web.origin.requests.map { $0.fields["traceparent"] } == [Self.trace])
        let hit = try await web.get(width: 10)
        for fields in [answer.fields, hit.fields] {
            #expect(fields["Calotype-Source"] == nil && fields["Calotype-Reason"] == nil)
        }
        _ = try await web.get("/images/b.jpg", ["traceparent": "nonsense"])
        #expect(web.origin.requests.last?.fields["traceparent"] == nil)
    }

    @Test func `a failure whose fallback image fails, too, has both reasons`() async throws {
        let fallback = ByteString(base64: "local:///none.png".utf8)
        #expect(try await server.get("/_/w:10/fiu:\(fallback)/plain/local:///lost.jpg").status == 404)
        let reason = try #require(records.entries.last?.reason)
        #expect(reason.contains("the file does not exist") && reason.contains("; the fallback image: the file"))
    }

    @Test func `a file that no quality makes small enough tells so, in its answer and in the log`() async throws {
        try server.write(SamplePhotos.jpeg(width: 640, height: 480), "a.jpg")
        for _ in 0..<2 {
            let answer = try await server.get("/_/w:400/mb:200/plain/local:///a.jpg@jpg")
            #expect(answer.status == 200 && answer.body.count > 200)
            #expect(answer.fields["Calotype-Max-Bytes"] == "exceeded")
            #expect(
                records.entries.last?.reason
                    == "no quality has at most the 200 bytes of max_bytes: the file has \(answer.body.count)")
        }
        let small = try await server.get("/_/w:100/mb:100000/plain/local:///a.jpg@jpg")
        #expect(small.fields["Calotype-Max-Bytes"] == nil && records.entries.last?.reason == nil)
    }
}
