import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import TestSupport
@testable import CalotypeURLs
import Foundation
import Testing

@testable import CalotypeServer

/// Sources that lead back to a server.
struct LoopTests {
    @Test(arguments: ["calotype", "other, Calotype;v=1", "other;a=b ,calotype"] as [ByteString])
    func `a request from such a server is refused`(_ loop: ByteString) async throws {
        let server = try TestServer()
        try server.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
        let target: ByteString = "/_/w:10/plain/local:///a.jpg@png"
        #expect(try await server.get(target, ["CDN-Loop": loop]).status == 508)
        #expect(try await server.get(target, ["CDN-Loop": "calotypes, other;calotype"]).status == 200)
    }

    @Test func `a source on such a server is a 502, and no third request follows`() async throws {
        let inner = try TestServer()
        try inner.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
        let prefix = ByteString(inner.server.url.absoluteString)
        let outer = try TestServer { try $0.allowed.allow(prefix) }
        let url: ByteString = "\(prefix)/_/w:10/plain/local:///a.jpg@png"
        let source = ByteString(base64: url.bytes)
        #expect(try await outer.get("/_/w:5/f:png/\(source)").status == 502)
        #expect(inner.server.encodes == 0)
    }

    @Test func `requests to origins name the server`() async throws {
        let web = try WebServer()
        let marks = Log<ByteString>()
        web.origin.on("/images/a.jpg") { request in
            marks.add(request.fields["CDN-Loop"] ?? "")
            return WebServer.reply()
        }
        #expect(try await web.get().status == 200)
        #expect(marks.entries == ["calotype"])
    }
}
