import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing

@testable import CalotypeServer
@testable import CalotypeURLs

/// Files below the server's root, as imgproxy's URLs name them.
struct LocalSourceTests {
    private let server: TestServer

    init() throws { server = try TestServer() }

    @Test(
        .requirement("V6"),
        arguments: [
            ("100%_x.png", "plain/local:///100%25_x.png"), ("3js%205.png", "plain/local:///3js%25205.png"),
            ("P_#1.png", "plain/local:///P_%231.png"), ("a.png", "plain/local:///a.png%3Fv=2"),
            ("a.png", "plain/local:///a.png?v=2"), ("a.png", "plain/local:////a.png"),
            ("b/a.png", "plain/local:///b//a.png"), ("a.png", "plain/local:///./a.png"),
            ("b/a.png", "plain/local:///b/./a.png"), ("b/a.png", "plain/LOCAL:///b%2Fa.png"),
            ("a b\u{fc}.png", "plain/local:///a%20b%C3%BC.png"), ("c@d.png", "plain/local:///c%40d.png"),
            ("e:f.png", "plain/local:///e:f.png"), ("100%25.png", "\(ByteString(base64: "local:///100%25.png".utf8))"),
            ("P_#1.png", "\(ByteString(base64: "local:///P_#1.png?v=2".utf8))"),
        ] as [(String, ByteString)])
    func `a plain source is decoded once, and one in base64 never`(file: String, source: ByteString) async throws {
        try server.write(SamplePhotos.png(width: 64, height: 48), file)
        let target: ByteString = "/_/w:10/\(source)"
        #expect(try await server.get(target).status == 200)
        try server.options.check(target)
    }

    @Test func `different spellings of a path share their result`() async throws {
        try server.write(SamplePhotos.png(width: 64, height: 48), "b/a.png")
        for source: ByteString in ["b/a.png", "b//a.png", "./b/./a.png", "b/a.png%3Fv=2"] {
            #expect(try await server.get("/_/w:10/plain/local:///\(source)").status == 200)
        }
        #expect(server.server.renditions.work.encodes == 1)
    }

    @Test(
        .requirement("V6"),
        arguments: ["local:///../a.png", "local:///b/../a.png", "local:///..", "local:///", "local://a"])
    func `a path that leads upward, or no path, is 400`(source: String) async throws {
        #expect(try await server.get("/_/w:10/\(ByteString(base64: source.utf8))").status == 400)
    }

    @Test(.requirement("V13")) func `a path with four slashes stays below the root`() async throws {
        #expect(try await server.get("/_/w:10/plain/local:////etc/passwd").status == 404)
    }

    @Test func `clients get the stated lifetime, while the server looks at the file each minute`() async throws {
        let server = try TestServer { $0.localLifetime = 86_400 }
        try server.write(SamplePhotos.png(width: 64, height: 48), "a.png")
        let target: ByteString = "/_/w:10/plain/local:///a.png@png"
        let made = try await server.get(target)
        #expect(made.fields["Cache-Control"]?.hasPrefix("public, max-age=86400,") == true)
        let hit = try await server.get(target)
        #expect(hit.outcome == "hit" && hit.fields["Cache-Control"] == made.fields["Cache-Control"])
        let confirmed = try await server.get(target, ["If-None-Match": made.fields["ETag"] ?? ""])
        #expect(confirmed.status == 304 && confirmed.fields["Cache-Control"] == made.fields["Cache-Control"])
        try server.write(SamplePhotos.png(width: 64, height: 48, seed: 2), "a.png")
        server.clock.advance(by: .seconds(61 + 3600))
        #expect(try await server.get(target).fields["ETag"] != made.fields["ETag"])
        #expect(try await server.get("/_/w:10/plain/local:///none.png").fields["Cache-Control"] == "public, max-age=10")
    }
}
