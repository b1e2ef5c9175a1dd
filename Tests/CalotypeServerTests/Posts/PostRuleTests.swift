import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeURLs
import Foundation
import Testing

@testable import CalotypeServer

/// Who may send images.
struct PostRuleTests {
    private let photo = SamplePhotos.jpeg(width: 64, height: 48)
    private let signer: URLSigner
    private let later: ByteString = "exp:4102444800"

    init() throws { signer = try URLSigner(keys: "736563726574", salts: "68656C6C6F") }

    private func server(_ change: (inout ServerSetup) -> Void = { _ in }) throws -> TestServer {
        try TestServer.forPosts {
            $0.signer = signer
            change(&$0)
        }
    }

    @Test func `a signature for POST needs an expiry`() async throws {
        let server = try server()
        #expect(try await server.post(signer.signedForPost("/\(later)/w:10/"), photo).status == 200)
        let facts = signer.signedForPost("/info/bh:4:3/\(later)/")
        #expect(facts.hasPrefix("/info/"))
        #expect(try await server.post(facts, photo).status == 200)
        #expect(try await server.post(signer.signedForPost("/w:10/"), photo).status == 403)
        #expect(try await server.post(signer.signedForPost("/exp:1000/w:10/"), photo).status == 404)
        #expect(try await server.post("/_/\(later)/w:10/", photo).status == 403)
    }

    @Test func `each result of a list needs one`() async throws {
        let server = try server()
        #expect(try await server.post(signer.signedForPost("/\(later)/each/w:10/each/w:20/"), photo).status == 200)
        #expect(try await server.post(signer.signedForPost("/each/\(later)/w:10/each/w:20/"), photo).status == 403)
    }

    @Test func `no signature of a GET fits a POST, and the reverse`() async throws {
        let server = try server()
        try server.write(photo, "a.jpg")
        #expect(try await server.post(signer.signed("/\(later)/w:10/"), photo).status == 403)
        let path: ByteString = "/w:10/plain/local:///a.jpg"
        #expect(try await server.get(signer.signed(path)).status == 200)
        #expect(try await server.get(signer.signedForPost(path)).status == 403)
    }

    @Test func `a token takes the place of an expiry, and not that of a signature`() async throws {
        let server = try server { $0.post.token = ClientToken("open-sesame") }
        let path = signer.signedForPost("/w:10/")
        #expect(try await server.post(path, photo, ["Authorization": "Bearer open-sesame"]).status == 200)
        #expect(try await server.post(path, photo, ["Authorization": "Bearer open-barley"]).status == 403)
        #expect(try await server.post(path, photo).status == 403)
        #expect(try await server.post("/_/w:10/", photo, ["Authorization": "Bearer open-sesame"]).status == 403)
        #expect(try await server.post(signer.signedForPost("/\(later)/w:10/"), photo).status == 200)
    }

    @Test func `without keys, the token is needed if there is one`() async throws {
        let server = try TestServer.forPosts { $0.post.token = ClientToken("open-sesame") }
        #expect(try await server.post("/_/w:10/", photo, ["Authorization": "Bearer open-sesame"]).status == 200)
        #expect(try await server.post("/_/w:10/", photo).status == 403)
    }

    @Test func `the token for all requests counts for POST unless it has its own`() async throws {
        let server = try TestServer.forPosts { $0.token = ClientToken("for-all") }
        #expect(try await server.post("/_/w:10/", photo, ["Authorization": "Bearer for-all"]).status == 200)
        #expect(try await server.post("/_/w:10/", photo).status == 403)
    }

    // MARK: Pages

    @Test(arguments: [
        ("https://evil.example", "cross-site", 403), ("https://evil.example", nil, 403), (nil, "cross-site", 403),
        (nil, nil, 200), (nil, "same-origin", 200), (nil, "none", 200), ("null", "cross-site", 403),
    ])
    func `pages of other origins may not send images`(origin: String?, site: String?, status: Int) async throws {
        let server = try TestServer.forPosts()
        var fields: HTTPFields = [:]
        fields["Origin"] = origin.map { ByteString($0) }
        fields["Sec-Fetch-Site"] = site.map { ByteString($0) }
        #expect(try await server.post("/_/w:10/", photo, fields).status == status)
    }

    @Test func `a page of the server itself may`() async throws {
        let server = try TestServer.forPosts()
        let fields: HTTPFields = ["Origin": "http://127.0.0.1:\(server.port)", "Sec-Fetch-Site": "same-origin"]
        #expect(try await server.post("/_/w:10/", photo, fields).status == 200)
    }

    @Test func `an origin that the operator names may, and may ask before`() async throws {
        let server = try TestServer.forPosts { $0.post.origins = ["https://app.example"] }
        let fields: HTTPFields = ["Origin": "https://App.example", "Sec-Fetch-Site": "cross-site"]
        let answer = try await server.post("/_/w:10/", photo, fields)
        #expect(answer.status == 200 && answer.fields["Access-Control-Allow-Origin"] == "https://App.example")
        #expect(answer.fields["Vary"]?.string.contains("Origin") == true)
        var question = fields
        question["Access-Control-Request-Method"] = "POST"
        let preflight = try await server.get("/_/w:10/", method: HTTPMethod(rawValue: "OPTIONS"), question)
        #expect(preflight.status == 204 && preflight.fields["Access-Control-Allow-Methods"] == "POST")
        #expect(try await server.post("/_/w:10/", photo, ["Origin": "https://b.example"]).status == 403)
    }

    // MARK: Reload

    @Test func `a reload replaces token and origins`() async throws {
        let server = try TestServer.forPosts { $0.post.token = ClientToken("one") }
        var other = server.options
        other.post.token = ClientToken("two")
        server.server.reload(other)
        #expect(try await server.post("/_/w:10/", photo, ["Authorization": "Bearer one"]).status == 403)
        #expect(try await server.post("/_/w:10/", photo, ["Authorization": "Bearer two"]).status == 200)
    }
}
