import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Testing

@testable import CalotypeServer

/// The fields of every answer: the name of its request, and the permission for scripts.
struct AnswerFieldTests {
    private let thumbnail: ByteString = "/_/w:10/plain/local:///a.jpg@png"

    private func server(scripts: ByteString? = nil) throws -> TestServer {
        let server = try TestServer { $0.scriptOrigin = scripts }
        try server.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
        return server
    }

    /// Answers of every kind: made, from memory, 304, a wrong URL, no source, a wrong method.
    private func answers(_ server: TestServer, _ fields: HTTPFields = [:]) async throws -> [TestServer.Answer] {
        var conditional = fields
        conditional["If-None-Match"] = "*"
        return [
            try await server.get(thumbnail, fields), try await server.get(thumbnail, fields),
            try await server.get(thumbnail, conditional), try await server.get("/_/x:1/plain/local:///a.jpg", fields),
            try await server.get("/_/w:10/plain/local:///b.jpg", fields),
            try await server.get(thumbnail, method: .put, fields),
        ]
    }

    @Test func `every answer has the client's request ID`() async throws {
        let id: ByteString = "Root=1-67891233-abcdef012345678912345678"
        let answers = try await answers(server(), ["X-Request-ID": id])
        #expect(answers.map(\.status) == [200, 200, 304, 400, 404, 405])
        #expect(answers.allSatisfy { $0.fields.values(of: "X-Request-ID") == [id] })
    }

    @Test func `without one, each answer has a new one`() async throws {
        let ids = try await answers(server()).compactMap { $0.fields["X-Request-ID"] }
        #expect(Set(ids).count == 6)
        #expect(ids.allSatisfy { UInt64($0.string, radix: 16) != nil })
    }

    @Test func `all IDs have one length, with zeros in front`() async throws {
        let server = try server()
        // One of 16 begins with a zero.
        for _ in 0..<64 {
            #expect(try await server.get("/_/w:10/plain/local:///b.jpg").fields["X-Request-ID"]?.count == 16)
        }
    }

    @Test(arguments: ["", "a b", "a\u{22}b", "a;b", "\u{e4}", String(repeating: "a", count: 129)])
    func `an ID that is not safe in logs is replaced`(id: String) async throws {
        let answer = try await server().get(thumbnail, ["X-Request-ID": ByteString(id)])
        let given = try #require(answer.fields["X-Request-ID"])
        #expect(given != ByteString(id) && !given.isEmpty)
    }

    @Test(arguments: ["*", "https://example.com"])
    func `scripts may read every answer if the server is told so`(origin: String) async throws {
        let answers = try await answers(server(scripts: ByteString(origin)), ["Origin": "https://example.com"])
        #expect(answers.allSatisfy { $0.fields["Access-Control-Allow-Origin"] == ByteString(origin) })
    }

    @Test func `without that, no script may`() async throws {
        let answers = try await answers(server(), ["Origin": "https://example.com"])
        #expect(answers.allSatisfy { $0.fields["Access-Control-Allow-Origin"] == nil })
    }

    @Test func `OPTIONS allows scripts to send GET and HEAD`() async throws {
        let answer = try await server(scripts: "*").get(
            thumbnail, method: HTTPMethod(rawValue: "OPTIONS"), ["Access-Control-Request-Method": "GET"])
        #expect(answer.status == 204)
        #expect(answer.fields["Access-Control-Allow-Methods"] == "GET, HEAD")
        #expect(answer.fields["Access-Control-Allow-Origin"] == "*")
    }
}
