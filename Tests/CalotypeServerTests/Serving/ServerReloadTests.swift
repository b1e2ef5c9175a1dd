import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import CalotypeTransport
@testable import CalotypeURLs
import Foundation
import Testing
import Waiting

@testable import CalotypeServer

/// Options that a running server replaces.
struct ServerReloadTests {
    private let target: ByteString = "/w:10/plain/local:///a.jpg@png"

    private func server(_ change: (inout ServerSetup) throws -> Void = { _ in }) throws -> TestServer {
        let server = try TestServer(change)
        try server.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
        return server
    }

    private func reload(_ server: TestServer, _ change: (inout ServerSetup) throws -> Void) rethrows {
        var options = server.options
        try change(&options)
        server.server.reload(options)
    }

    @Test func `a known URL is refused once its key is gone`() async throws {
        let old = try URLSigner(keys: "AA", salts: "00"), new = try URLSigner(keys: "BB", salts: "00")
        let server = try server { $0.signer = old }
        for _ in 0..<2 { #expect(try await server.get(old.signed(target)).status == 200) }
        reload(server) { $0.signer = new }
        #expect(try await server.get(old.signed(target)).status == 403)
        #expect(try await server.get(new.signed(target)).status == 200)
        reload(server) { $0.signer = old }
        #expect(try await server.get(old.signed(target)).status == 200)
    }

    @Test func `a known URL gets the presets of now`() async throws {
        let server = try server { $0.grammar.presets = try Presets("size=w:10") }
        let target: ByteString = "/_/pr:size/plain/local:///a.jpg@png"
        #expect(try await server.get(target).size?.width == 10)
        try reload(server) { $0.grammar.presets = try Presets("size=w:20") }
        #expect(try await server.get(target).size?.width == 20)
        try reload(server) { try $0.grammar.addDefaults("w:30") }
        #expect(try await server.get("/_/plain/local:///a.jpg@png").size?.width == 30)
    }

    @Test func `a target that was verified under earlier rules is not remembered`() throws {
        let earlier = ServingRules()
        let targets = KnownTargets(earlier)
        let name = KnownTargets.Name(target: "/a", accept: [])
        let rendition = try Rendition(RenditionRequest(path: "/w:10/plain/local:///a.jpg"))
        targets.insert(rendition, for: name, under: earlier)
        targets.replaceRules(by: ServingRules())
        #expect(targets[name] == nil)
        targets.insert(rendition, for: name, under: earlier)
        #expect(targets[name] == nil)
    }

    @Test func `sources are permitted and refused from one request to the next`() async throws {
        let web = try WebServer { options, _ in options.allowed = AllowedSources() }
        web.origin.on("/images/a.jpg", WebServer.reply())
        #expect(try await web.get().status == 403)
        try reload(web.server) { try $0.allowed.allow(ByteString("\(web.origin.url.absoluteString)/images")) }
        for _ in 0..<2 { #expect(try await web.get().status == 200) }
        reload(web.server) { $0.allowed = AllowedSources() }
        #expect(try await web.get().status == 403)
    }

    @Test func `a request in progress keeps the sources with which it began`() async throws {
        let web = try WebServer()
        let gate = Gate()
        web.origin.on("/images/a.jpg", .status(404).held(by: gate))
        web.origin.on("/images/b.jpg", WebServer.reply())
        let source = web.origin.url.absoluteString
        let fallback = ByteString(base64: ByteString("\(source)/images/b.jpg").bytes)
        let target = ByteString("/_/w:10/fiu:\(fallback)/plain/\(source)/images/a.jpg@png")
        async let answer = web.server.get(target)
        await waitUntil { web.origin.requestCount() == 1 }
        reload(web.server) { $0.allowed = AllowedSources() }
        gate.open()
        // The fallback image is loaded after the reload.
        let replaced = try await answer
        #expect(replaced.status == 404 && replaced.size?.width == 10)
        #expect(try await web.server.get(target).status == 403)
    }

    @Test func `a redirect leads to the sources of now`() async throws {
        let web = try WebServer()
        // Two sources, because a failure may be remembered.
        for path in ["/images/a.jpg", "/images/c.jpg"] { web.origin.on(path, .redirect(to: "/other/b.jpg")) }
        web.origin.on("/other/b.jpg", WebServer.reply())
        #expect(try await web.get().status == 403)
        try reload(web.server) { try $0.allowed.allow(ByteString("\(web.origin.url.absoluteString)/other")) }
        #expect(try await web.get("/images/c.jpg").status == 200)
    }

    @Test func `exchanges have the header fields and the addresses of now`() async throws {
        let web = try WebServer { options, _ in options.addresses = .internet }
        let photo = WebServer.reply()
        for path in ["/images/a.jpg", "/images/b.jpg", "/images/c.jpg", "/images/d.jpg"] {
            web.origin.on(path) { $0.fields["X-Token"] == "abc" ? photo : .status(404) }
        }
        #expect(try await web.get("/images/a.jpg").status == 403)
        #expect(web.origin.requestCount() == 0)
        let loopback = [AddressBlock("127.0.0.0/8")].compactMap(\.self)
        reload(web.server) { $0.addresses.exceptions = loopback }
        #expect(try await web.get("/images/d.jpg").status == 404)
        let prefix = try URLPrefix(web.origin.url.absoluteString)
        reload(web.server) {
            $0.addresses.exceptions = loopback
            $0.sourceFields = [(prefix, ["X-Token": "abc"])]
        }
        #expect(try await web.get("/images/b.jpg").status == 200)
        reload(web.server) { $0.sourceFields = [(prefix, ["X-Token": "abc"])] }
        #expect(try await web.get("/images/c.jpg").status == 403)
    }

    @Test func `records go to the receiver of now`() async throws {
        let server = try server()
        let records = Log<Int>()
        #expect(try await server.get("/_/w:10/plain/local:///none.jpg").status == 404)
        reload(server) { $0.log = { records.add($0.status) } }
        #expect(try await server.get("/_/w:10/plain/local:///none.jpg").status == 404)
        reload(server) { $0.log = nil }
        #expect(try await server.get("/_/w:10/plain/local:///none.jpg").status == 404)
        #expect(records.entries == [404])
    }

    @Test func `200 clients at once keep their answers while rules are replaced`() async throws {
        let signer = try URLSigner(keys: "AA", salts: "00"), both = try URLSigner(keys: "BB,AA", salts: "00,00")
        let server = try server { $0.signer = signer }
        let path = signer.signed(target)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                group.addTask { try await server.get(path).status }
                if number.isMultiple(of: 4) { reload(server) { $0.signer = number.isMultiple(of: 8) ? both : signer } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 200))
    }
}
