import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing

@testable import CalotypeServer

/// The fields, redirects and freshness of sources, as the server's owner sets them.
struct SourceAccessTests {
    private let secret: HTTPFields = ["Authorization": "Bearer abc"]

    private func server(isStored: Bool = false, limit: Int = 5) throws -> WebServer {
        let secret = secret
        return try WebServer(isStored: isStored) {
            try $0.allowed.allow(ByteString("\($1.url.absoluteString)/other"))
            $0.sourceFields = [(try URLPrefix("\($1.url.absoluteString)/images"), secret)]
            $0.redirectLimit = limit
        }
    }

    @Test(arguments: [false, true])
    func `fields for a prefix are sent, and the source is stored all the same`(isStored: Bool) async throws {
        let web = try server(isStored: isStored)
        web.origin.on("/images/a.jpg") {
            $0.fields["Authorization"] == "Bearer abc" ? WebServer.reply() : .status(401)
        }
        #expect(try await web.get().status == 200)
        #expect(try await web.get(width: 65).status == 200)
        #expect(web.origin.requestCount() == 1)
    }

    @Test func `a revalidation has the fields, too`() async throws {
        let web = try server()
        web.serveRevalidatable()
        _ = try await web.get()
        web.clock.advance(by: .seconds(101 + 3600))
        #expect(try await web.get().status == 200)
        #expect(web.origin.requests.map { $0.fields["Authorization"] } == ["Bearer abc", "Bearer abc"])
    }

    @Test func `a redirect takes no field elsewhere, and one to the prefix gets them`() async throws {
        let web = try server()
        web.origin.on("/images/away.jpg", .redirect(to: "/other/b.jpg"))
        web.origin.on("/other/b.jpg", WebServer.reply())
        web.origin.on("/other/back.jpg", .redirect(to: "/images/a.jpg"))
        web.origin.on("/images/a.jpg", WebServer.reply())
        #expect(try await web.get("/images/away.jpg").status == 200)
        #expect(try await web.get("/other/back.jpg").status == 200)
        let sent = web.origin.requests.map { [$0.path, $0.fields["Authorization"]?.string ?? ""] }
        #expect(
            sent == [
                ["/images/away.jpg", "Bearer abc"], ["/other/b.jpg", ""], ["/other/back.jpg", ""],
                ["/images/a.jpg", "Bearer abc"],
            ])
    }

    @Test func `a prefix is whole segments of a path`() async throws {
        let web = try server()
        web.origin.on("/other/images/a.jpg", WebServer.reply())
        #expect(try await web.get("/other/images/a.jpg").status == 200)
        #expect(web.origin.requestCount() == 1)
        #expect(web.origin.requests.first?.fields["Authorization"] == nil)
    }

    @Test(arguments: [(5, 200), (6, 502)])
    func `five redirects are followed, and a sixth one fails`(count: Int, status: Int) async throws {
        let web = try WebServer()
        for hop in 1...count { web.origin.on("/images/\(hop)", .redirect(to: "/images/\(hop - 1)")) }
        web.origin.on("/images/0", WebServer.reply())
        let answer = try await web.get("/images/\(count)")
        #expect(answer.status == status)
        #expect(web.origin.requestCount("/images/0") == (status == 200 ? 1 : 0))
    }

    @Test(arguments: [false, true], ["no-store", "private, max-age=5", "no-cache", nil] as [String?])
    func `if freshness is ignored, every source is fresh for the default lifetime`(
        isStored: Bool, cacheControl: String?
    ) async throws {
        let web = try WebServer(isStored: isStored) { options, _ in
            options.obeysFreshness = false
            options.defaultLifetime = 500
        }
        web.origin.on("/images/a.jpg", WebServer.reply(cacheControl))
        let answer = try await web.get()
        #expect(answer.fields["Cache-Control"]?.hasPrefix("public, max-age=500,") == true)
        web.clock.advance(by: .seconds(400))
        #expect(try await web.get(width: 65).status == 200)
        #expect(web.origin.requestCount() == 1)
    }

    @Test(.requirement("V37")) func `a failure is not fresh, even if freshness is ignored`() async throws {
        let web = try WebServer { options, _ in options.obeysFreshness = false }
        web.origin.on("/images/a.jpg", .status(500))
        #expect(try await web.get().fields["Cache-Control"] == "no-store")
        web.origin.on("/images/a.jpg", WebServer.reply())
        #expect(try await web.get().status == 200)
    }

    @Test(arguments: [false, true])
    func `Cache-Status names both caches, the one of sources first`(isStored: Bool) async throws {
        let web = try WebServer(isStored: isStored)
        var reply = WebServer.reply()
        reply.fields["Cache-Status"] = "Origin; hit"
        web.origin.on("/images/a.jpg", reply)
        let made = try await web.get()
        #expect(made.cacheStatus.map(\.name) == ["Calotype-Sources", "Calotype"])
        #expect(made.cacheStatus.first?.text.contains("fwd=uri-miss") == true)
        let other = try await web.get(width: 65)
        #expect(other.cacheStatus.first?.text.contains("hit") == true)
        #expect(other.cacheStatus.last?.text.contains("fwd=uri-miss") == true)
        #expect(try await web.get().outcome == "hit")
    }

    @Test func `Cache-Status of a local source names the cache of results alone`() async throws {
        let server = try TestServer()
        try server.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
        #expect(try await server.get("/_/w:10/plain/local:///a.jpg").cacheStatus.map(\.name) == ["Calotype"])
    }
}
