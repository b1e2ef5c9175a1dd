import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import TestSupport
@testable import CalotypeURLs
import Foundation
import Testing

@testable import CalotypeServer

/// Targets that the server has verified and parsed before.
struct KnownTargetTests {
    private func server(_ change: (inout ServerSetup) throws -> Void = { _ in }) throws -> TestServer {
        let server = try TestServer(change)
        try server.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
        return server
    }

    @Test func `a known URL expires`() async throws {
        let server = try server()
        let target = ByteString("/_/w:10/exp:\(Int(server.clock.wall.now) + 20)/plain/local:///a.jpg@png")
        #expect(try await server.get(target).status == 200)
        server.clock.advance(by: .seconds(30))
        #expect(try await server.get(target).status == 404)
    }

    @Test func `a known path with another signature is refused`() async throws {
        let signer = try URLSigner(keys: "736563726574", salts: "68656C6C6F")
        let server = try server { $0.signer = signer }
        let path: ByteString = "/w:10/plain/local:///a.jpg@png"
        #expect(try await server.get(signer.signed(path)).status == 200)
        #expect(try await server.get("/\(signer.signature(of: "/w:11"))\(path)").status == 403)
        #expect(try await server.get("/_\(path)").status == 403)
    }

    @Test func `clients of a known URL get the formats that they accept`() async throws {
        let server = try server()
        let target: ByteString = "/_/w:10/plain/local:///a.jpg"
        for (accept, format) in [("image/webp", ImageFormat.webp), ("*/*", .jpeg), ("image/webp", .webp)] {
            #expect(try await server.get(target, ["Accept": ByteString(accept)]).format == format)
        }
    }

    @Test func `an option that is left out is reported for each request`() async throws {
        let reports = Log<String>()
        let server = try server {
            $0.grammar.ignoresUnsupported = true
            $0.noteIgnored = { reports.add($0) }
        }
        for _ in 0..<2 { #expect(try await server.get("/_/unknown:1/w:10/plain/local:///a.jpg@png").status == 200) }
        #expect(reports.entries.filter { $0.contains("unknown") }.count == 2)
    }

    @Test func `a full table starts over`() throws {
        let rules = ServingRules()
        let targets = KnownTargets(rules)
        let rendition = try Rendition(RenditionRequest(path: "/w:10/plain/local:///a.jpg"))
        func name(_ number: Int) -> KnownTargets.Name { .init(target: ByteString("/\(number)"), accept: []) }
        for number in 0..<4096 { targets.insert(rendition, for: name(number), under: rules) }
        #expect(targets[name(0)] != nil)
        targets.insert(rendition, for: name(4096), under: rules)
        #expect(targets[name(0)] == nil)
        #expect(targets[name(4096)] != nil)
    }

    @Test func `a long target is parsed each time`() throws {
        let rules = ServingRules()
        let targets = KnownTargets(rules)
        let rendition = try Rendition(RenditionRequest(path: "/w:10/plain/local:///a.jpg"))
        let name = KnownTargets.Name(target: ByteString(String(repeating: "a", count: 1025)), accept: [])
        targets.insert(rendition, for: name, under: rules)
        #expect(targets[name] == nil)
    }
}
