import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeListener
import CalotypeTesting
import TestSupport
import CalotypeTransport
@testable import CalotypeURLs
import Foundation
import Testing
import Waiting

@testable import CalotypeServer

/// The records of failing answers.
struct AnswerLogTests {
    private let records = Log<AnswerRecord>()
    private let web: WebServer
    private var server: TestServer { web.server }

    init() throws {
        let records = records
        web = try WebServer { options, _ in options.log = { records.add($0) } }
        try server.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
        try server.write(Data("text".utf8), "text.jpg")
    }

    /// Returns the URL of an origin's file as a source in base64.
    private func source(_ path: String) -> ByteString {
        ByteString(base64: ByteString(web.origin.url(path).absoluteString).bytes)
    }

    @Test(
        arguments: [
            ("/_/width:10/plain/local:///none.jpg", 404, "w:10/plain/local:///none.jpg", "local:///none.jpg"),
            ("/_/w:10/plain/local:///text.jpg@png", 422, "w:10/plain/local:///text.jpg@png", "local:///text.jpg"),
            ("/_/x:1/w:10/bG9jYWw6Ly8vYS5qcGc", 400, "x:1/w:10/plain/local:///a.jpg", "local:///a.jpg"),
            ("/_/w:10/plain/http://127.0.0.1:1/a", 403, "w:10/plain/http://127.0.0.1:1/a", "http://127.0.0.1:1/a"),
            ("/_/w:10/plain/ftp://h/a", 400, "w:10/plain/ftp://h/a", "ftp://h/a"),
            ("/_/w:10/***", 400, "w:10", nil),
            ("/w:10/plain/local:///a.jpg", 403, "w:10/plain/local:///a.jpg", "local:///a.jpg"),
            ("/_/w:10/exp:1/plain/local:///a.jpg", 404, "w:10/plain/local:///a.jpg", "local:///a.jpg"),
            ("/nonsense", 400, nil, nil),
        ] as [(ByteString, Int, String?, String?)])
    func `a failing answer has a record with its URL, made or stored`(
        target: ByteString, status: Int, rendition: String?, source: String?
    ) async throws {
        for number in 1...2 {
            let answer = try await server.get(target, ["X-Request-ID": "r\(number)"])
            #expect(answer.status == status)
            try #require(records.count == number)
            let record = records.entries[number - 1]
            #expect(record.status == status && record.id == "r\(number)")
            #expect(record.rendition == rendition && record.source == source)
            #expect(record.reason?.isEmpty == false)
            #expect(record.time == "2026-01-01T00:00:00.000Z")
        }
    }

    @Test func `other answers have none`() async throws {
        let target: ByteString = "/_/w:10/plain/local:///a.jpg@png"
        let statuses = [
            try await server.get(target).status, try await server.get(target, ["If-None-Match": "*"]).status,
            try await server.get(target, ["Range": "bytes=0-9"]).status,
        ]
        #expect(statuses == [200, 304, 206])
        #expect(records.count == 0)
    }

    @Test func `a wrong method, a wrong range, a long URL and bytes that are not HTTP have records`() async throws {
        let target: ByteString = "/_/w:10/plain/local:///a.jpg@png"
        _ = try await server.get(target)
        _ = try await server.get(target, method: .put)
        _ = try await server.get(target, ["Range": "bytes=999999-"])
        _ = try await server.get(ByteString("/_/cb:\(String(repeating: "a", count: 8200))/plain/local:///a.jpg"))
        let client = try RawClient(port: server.port)
        try client.send("nonsense\r\n\r\n")
        _ = await client.receive()
        let records = records.entries
        #expect(records.map(\.status) == [405, 416, 414, 400])
        #expect(records.map { $0.id == nil } == [false, false, false, true])
        #expect(records.allSatisfy { $0.reason != nil })
        #expect(records.map { $0.bytes > 0 } == [true, false, true, false])
        #expect(records.prefix(2).allSatisfy { $0.rendition == "w:10/plain/local:///a.jpg@png" })
        #expect((records[2].rendition?.count ?? .max) < 2100)
    }

    @Test func `the reason of an origin's failure is in the record alone, made or stored`() async throws {
        web.origin.on("/images/a.jpg", .status(401))
        for _ in 1...2 {
            let answer = try await server.get("/_/w:10/f:png/\(source("/images/a.jpg"))")
            #expect(answer.status == 404 && !answer.text.contains("401"))
            #expect(!answer.fields.contains { $0.value.contains("401") })
        }
        #expect(web.origin.requestCount() == 1)
        let url = web.origin.url("/images/a.jpg").absoluteString
        for record in records.entries {
            #expect(record.source == url && record.reason == "\(url): the server answered 401")
        }
        #expect(records.count == 2)
    }

    @Test func `a refused address is a 403, and the record alone names it`() async throws {
        let records = records
        let web = try WebServer { options, _ in
            options.addresses = .internet
            options.log = { records.add($0) }
        }
        web.origin.on("/images/a.jpg", WebServer.reply())
        let answer = try await web.get()
        #expect(answer.status == 403 && answer.text == "the source is not one that the server loads\n")
        #expect(web.origin.openConnections == 0)
        let url = web.origin.url("/images/a.jpg").absoluteString
        #expect(
            records.entries.map(\.reason) == [
                "\(url): the host 127.0.0.1 has the address 127.0.0.1, which may not be connected to; "
                    + "--allow-address permits it"
            ])
    }

    @Test func `a stale result does not stand in for a refused address`() async throws {
        let folder = TemporaryFolder()
        let origin = try OriginServer()
        origin.on("/images/a.jpg", WebServer.reply())
        func server(_ rules: AddressRules) throws -> TestServer {
            try TestServer {
                try $0.allowed.allow(ByteString("\(origin.url.absoluteString)/images"))
                $0.store = folder.path
                $0.addresses = rules
            }
        }
        let source = ByteString(base64: ByteString(origin.url("/images/a.jpg").absoluteString).bytes)
        let target: ByteString = "/_/w:64/f:png/\(source)"
        let open = try server(.all)
        #expect(try await open.get(target).status == 200)
        await open.close()
        let closed = try server(.internet)
        closed.clock.advance(by: .seconds(2 * 3600))
        #expect(try await closed.get(target).status == 403)
        await closed.close()
    }

    @Test func `a fallback image has the record of the failure, and no trace of its reason`() async throws {
        web.origin.on("/images/a.jpg", .status(403))
        let fallback = ByteString(base64: "local:///a.jpg".utf8)
        for _ in 1...2 {
            let answer = try await server.get("/_/w:10/f:png/fiu:\(fallback)/\(source("/images/a.jpg"))")
            #expect(answer.status == 404 && answer.size?.width == 10)
            #expect(!answer.fields.contains { $0.value.contains("403") })
        }
        #expect(records.entries.allSatisfy { $0.reason?.contains("answered 403") == true })
        #expect(records.count == 2)
    }

    @Test func `an origin that cannot be reached is named in the record alone`() async throws {
        web.origin.on("/images/a.jpg", OriginReply.ok(Data()).resetImmediately())
        let answer = try await server.get("/_/w:10/f:png/\(source("/images/a.jpg"))")
        #expect(answer.status == 502 && !answer.text.contains("127.0.0.1"))
        let record = try #require(records.entries.first)
        #expect(record.status == 502 && record.reason?.contains("127.0.0.1") == true)
    }

    // The log had a 200 alone.
    @Test func `an answer that the server breaks off has a record that says so, at every level`() async throws {
        let (time, records) = (Locked<UInt64>(0), records)
        let server = try TestServer { options in
            options.listener.clock = { time.withLock { $0 } }
            options.log = { records.add($0) }
        }
        let size = 4 << 20
        try server.write(SamplePhotos.jpeg(width: 64, height: 48) + Data(count: size), "large.jpg")
        let client = try RawClient(port: server.port)
        try client.get("/_/raw:1/plain/local:///large.jpg", lines: ["X-Request-ID: r1"])
        _ = await client.receiveOnce()
        await waitUntil {
            time.withLock { $0 += 10_000_000_000 }
            server.server.listener.timeHasChanged()
            return records.count == 1
        }
        let record = try #require(records.entries.first)
        #expect(record.id == "r1" && record.status == 200 && (1..<size).contains(record.bytes))
        #expect(record.rendition == "raw:1/plain/local:///large.jpg" && record.source == "local:///large.jpg")
        #expect(record.reason == "the client read too slowly" && record.line.contains("\"outcome\":\"cut\""))
        #expect(server.server.metrics.values.dropped == 1)
    }

    @Test func `no record has a signature`() async throws {
        let signer = try URLSigner(keys: "736563726574", salts: "68656C6C6F")
        let records = records
        let server = try TestServer {
            $0.signer = signer
            $0.log = { records.add($0) }
        }
        let paths: [ByteString] = [
            "/w:10/plain/local:///none.jpg", "/w:10/exp:1/plain/local:///none.jpg", "/x:1/plain/local:///none.jpg",
            "/w:10/***", "/w:10",
        ]
        for path in paths {
            for signature in [signer.signature(of: path), signer.signature(of: "/other")] {
                for target in ["/\(signature)\(path)", "//\(signature)\(path)", "/\(signature)"] {
                    let count = records.count
                    let answer = try await server.get(ByteString(target))
                    #expect(answer.status >= 400 && records.count == count + 1)
                    let line = records.entries[count].line
                    #expect(!line.contains(signature.string), "\(line)")
                }
            }
        }
    }

    @Test(
        arguments: [
            "plain/me:secret@h/a.jpg", "plain/http://me:secret%40h/a.jpg", "plain/http://me:secret@h/a.jpg",
            "\(ByteString(base64: "http://me:secret@h/a.jpg".utf8))",
            "\(ByteString(base64: "http://me:secret%40h/a.jpg".utf8))",
            "x:1/\(ByteString(base64: "http://me:secret@h/a.jpg".utf8))",
            "fiu:\(ByteString(base64: "http://me:secret@h/a.jpg".utf8))/plain/local:///a.jpg",
        ] as [ByteString])
    func `no record has the password of a source`(path: ByteString) async throws {
        #expect(try await server.get("/_/w:10/\(path)").status == 400)
        let record = try #require(records.entries.first)
        for text in [record.rendition, record.source, record.reason, fallback(in: record)] {
            #expect(text?.contains("secret") != true, "\(record)")
        }
    }

    @Test(
        arguments: [
            ("http://me:secret@h/a@2x.jpg", "http://h/a@2x.jpg"), ("me:secret@h/a.jpg", "h/a.jpg"),
            ("http://me:secret%40h/a.jpg", "http://h/a.jpg"),
        ] as [(ByteString, String)])
    func `a record has the source without its user`(source: ByteString, shown: String) async throws {
        let path = ByteString(base64: source.bytes)
        #expect(try await server.get("/_/w:10/\(path)").status >= 400)
        #expect(records.entries.first?.source == shown)
    }

    /// Returns the URL of the fallback image in the record's rendition; `nil` without one.
    private func fallback(in record: AnswerRecord) -> String? {
        let option = record.rendition?.split(separator: "/").first { $0.hasPrefix("fiu:") }
        return option.flatMap { ByteString(String($0.dropFirst(4))).base64Decoded?.string }
    }
}
