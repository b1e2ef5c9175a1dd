import CalotypeBase
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeServer

/// The state of the caches and the work that would follow, without a request to an origin.
struct ExplainTests {
    private func lines(_ web: WebServer, _ target: ByteString? = nil) async throws -> [String: String] {
        let lines = try await web.server.options.explanation(of: target ?? web.thumbnail())
        return Dictionary(
            lines.map { ($0.prefix(16).trimmingCharacters(in: .whitespaces), String($0.dropFirst(16))) },
            uniquingKeysWith: { "\($0)\n\($1)" })
    }

    /// Writes what is pending, so that another process would see it.
    private func flush(_ web: WebServer) async throws {
        for disk in web.server.server.disks { try await disk.flush() }
    }

    @Test func `nothing is stored, then fresh, then stale`() async throws {
        let web = try WebServer(isStored: true)
        web.serveRevalidatable()
        _ = try await web.get(width: 10)
        web.clock.advance(by: .seconds(101 + 3600))
        _ = try await web.get(width: 10)
        try await flush(web)
        let absent = try await lines(web)
        #expect(absent["stored source"] == "fresh for 100 s" && absent["stored result"] == "absent")
        #expect(absent["work"] == "the stored source is used, an image is decoded and encoded")

        _ = try await web.get()
        try await flush(web)
        let fresh = try await lines(web)
        #expect(fresh["stored result"] == "fresh for 100 s" && fresh["work"] == "the stored result is sent")

        web.clock.advance(by: .seconds(150))
        let stale = try await lines(web)
        #expect(stale["stored source"] == "stale for 50 s" && stale["stored result"] == "stale for 50 s")
        #expect(stale["work"]?.hasPrefix("the stored result is sent at once; in the background, the origin") == true)

        web.clock.advance(by: .seconds(3600))
        #expect(try await lines(web)["work"]?.hasPrefix("the origin is asked whether the source has changed;") == true)
        #expect(web.origin.requestCount() == 2)
    }

    @Test func `a source that was never loaded is absent, and is not loaded now`() async throws {
        let web = try WebServer(isStored: true)
        web.origin.on("/images/a.jpg", WebServer.reply())
        _ = try await web.get()
        try await flush(web)
        let other = try await lines(web, web.thumbnail("/images/b.jpg"))
        #expect(other["stored source"] == "absent")
        #expect(other["work"] == "the source is loaded, an image is decoded and encoded")
        #expect(web.origin.requestCount() == 1)
    }

    @Test func `without a format, each kind of client has a result`() async throws {
        let web = try WebServer(isStored: true)
        try web.server.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
        let target: ByteString = "/_/w:10/plain/local:///a.jpg"
        _ = try await web.server.get(target, ["Accept": "image/webp"])
        try await flush(web)
        let lines = try await lines(web, target)
        #expect(
            lines["stored result"]
                == "for other clients: absent\nfor clients of WebP: fresh for 60 s\nfor clients of AVIF and WebP: absent"
        )
        #expect(lines["stored source"]?.hasPrefix("a file of ") == true)
    }

    @Test func `without a store, the state of the server's memory is unknown`() async throws {
        let web = try WebServer()
        let lines = try await lines(web, "/_/w:10/plain/local:///none.jpg")
        #expect(lines["stored source"] == "no such file")
        #expect(lines["stored result"]?.hasPrefix("unknown") == true)
        #expect(
            lines["work"]
                == "the file is not found, so that the answer is 404, unless the server has the result in memory")
    }

    @Test func `a file that is gone is named as such, and no decoding follows`() async throws {
        let web = try WebServer(isStored: true)
        let file = try web.server.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
        let target: ByteString = "/_/w:10/plain/local:///a.jpg@png"
        _ = try await web.server.get(target)
        try await flush(web)
        try FileManager.default.removeItem(at: file)
        #expect(try await lines(web, target)["work"] == "the stored result is sent")

        web.clock.advance(by: .seconds(100))
        let stale = try await lines(web, target)["work"]
        #expect(stale?.hasSuffix("the file is not found, so that later answers are 404") == true, "\(stale ?? "")")

        web.clock.advance(by: .seconds(86_400))
        #expect(try await lines(web, target)["work"] == "the file is not found, so that the answer is 404")
        #expect(try await web.server.get(target).status == 404)
    }
}
