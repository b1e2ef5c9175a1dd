import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeListener
import CalotypeTesting
import TestSupport
@testable import CalotypeURLs
import CalotypeTransport
import Foundation
import Requirements
import Testing
import Waiting

@testable import calotype_command

/// `calotype serve` in a separate process, with sources on the web and disks that do not behave.
struct ServeBadInputTests {
    private let calotype: Calotype
    private let photos: String
    private let client: CurlTransport

    init() throws {
        calotype = try Calotype()
        try calotype.write(SamplePhotos.jpeg(width: 320, height: 240), to: "photos/cat.jpg")
        photos = calotype.directory.appending(path: "photos").path
        var options = CurlTransport.Options()
        options.addsNothing = true
        options.connectionsPerHost = 256
        client = CurlTransport(options: options)
    }

    /// A server whose messages go to a file.
    private struct Logged {
        let child: ServerChild
        let errors: URL

        var lines: [String] {
            let text = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init)
        }

        /// The statuses in the lines about answers.
        var statuses: [Int] {
            struct Line: Decodable { let status: Int }
            return lines.compactMap { try? JSONDecoder().decode(Line.self, from: Data($0.utf8)).status }
        }
    }

    private func server(port: UInt16 = 0, _ options: [String], mounts: [String] = []) throws -> Logged {
        let errors = calotype.place.appending(path: "errors-\(UUID().uuidString)")
        try Data().write(to: errors)
        let child = try ServerChild(
            ["serve", "--root", photos, "--insecure", "--listen", "127.0.0.1:\(port)"] + options, mounts: mounts,
            errors: try FileHandle(forWritingTo: errors))
        return Logged(child: child, errors: errors)
    }

    private func server(for origin: OriginServer) throws -> Logged {
        try server(["--allow-source", origin.url.absoluteString, "--allow-address", "127.0.0.1"])
    }

    private struct Answer {
        let status: Int
        let body: Data

        var width: Int? { try? DecoderRegistry.standard.header(of: body).uprightSize.width }
    }

    private func get(_ server: Logged, _ target: ByteString) async throws -> Answer {
        var request = HTTPRequest(try #require(URL(string: "http://127.0.0.1:\(server.child.port)")))
        request.rawTarget = target
        let response = try await client.send(request)
        return Answer(status: response.status, body: try await response.body.collect())
    }

    private func get(_ server: Logged, source: String, width: Int = 40) async throws -> Answer {
        try await get(server, ByteString("/_/w:\(width)/f:png/\(encoded(source))"))
    }

    /// The URL of a source as a path has it.
    private func encoded(_ source: String) -> String {
        Data(source.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// Requests the photograph at several widths.
    private func expectThumbnails(of server: Logged, round: Int) async throws {
        for width in stride(from: 40, through: 300, by: 20) {
            let answer = try await get(server, "/_/w:\(width)/cb:\(round)/plain/local:///cat.jpg@png")
            #expect(answer.status == 200 && answer.width == width, "\(answer.status) in round \(round)")
        }
    }

    /// Waits until the server has written all thumbnails of a round to its store.
    private func waitUntilStored(in store: String) async throws {
        try await repeatUntil {
            try await calotype("cache", "list", "--cache-dir", "\(store)/results").lines.count == 14
        }
    }

    // MARK: Origins

    /// One byte more than a source may have.
    private static let announced = 50_000_001

    @Test(.requirement("V15")) func `a source that announces too many bytes is 422, and no client reads it`()
        async throws
    {
        let origin = try OriginServer()
        let gate = Gate()
        // The body never ends, because the gate stays closed.
        let photo = OriginReply.ok(SamplePhotos.jpeg(width: 64, height: 48))
        origin.onAny { _ in photo.announcing(contentLength: Self.announced).bodyHeld(by: gate, after: 500) }
        let server = try server(for: origin)
        let before = server.child.memory
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                group.addTask { try await get(server, source: "\(origin.url.absoluteString)/\(number).jpg").status }
            }
            return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [422: 200])
        #expect(origin.requestCount() == 200)
        await origin.waitForDisconnects(200)
        if !Sanitizers.areOn { #expect(server.child.memory - before < 64 << 20) }
    }

    @Test(.requirement("V10")) func `a source that redirects 200 times is 502 after the sixth redirect`() async throws {
        let origin = try OriginServer()
        origin.onAny { request in
            let number = Int(request.path.dropFirst()) ?? 0
            return number < 200 ? .redirect(to: "/\(number + 1)") : .ok(SamplePhotos.jpeg(width: 64, height: 48))
        }
        let server = try server(for: origin)
        #expect(try await get(server, source: "\(origin.url.absoluteString)/0").status == 502)
        #expect(origin.requestCount() == 6)
        #expect(try await get(server, source: "\(origin.url.absoluteString)/195").status == 200)
    }

    @Test func `the server's own URL as a source is 502, however deep it is nested`() async throws {
        let port = try freePort()
        let own = "http://127.0.0.1:\(port)"
        let server = try server(port: port, ["--allow-source", own, "--allow-address", "127.0.0.1"])
        func nested(_ source: String) -> String {
            "\(own)/_/w:100/f:png/\(encoded(source))"
        }
        let once = nested("local:///cat.jpg"), often = (0..<3).reduce(once) { url, _ in nested(url) }
        #expect(try await get(server, source: once).status == 502)
        #expect(try await get(server, source: often, width: 41).status == 502)
        // The second request is refused, so that no third one follows.
        await waitUntil { server.statuses.count >= 4 }
        #expect(server.statuses == [508, 502, 508, 502])
        #expect(try await get(server, "/_/w:42/plain/local:///cat.jpg@png").width == 42)
    }

    @Test(.requirement("V8", "V11"), .enabled(if: MountNamespace.isPossible))
    func `a name with a refused and an allowed address is loaded from the allowed one`() async throws {
        let reached = Log<String>()
        let photo = SamplePhotos.jpeg(width: 64, height: 48)
        let listen = { (host: String, port: Int) throws(ListenerError) in
            try Listener(options: Listener.Options(host: host, port: port)) { _ in
                reached.add(host)
                return ListenerResponse(fields: ["Content-Type": "image/jpeg"], body: photo)
            }
        }
        let allowed = try listen("127.0.0.1", 0)
        let refused = try listen("127.0.0.2", allowed.port)
        try calotype.write("127.0.0.2 both.test\n127.0.0.1 both.test\n127.0.0.2 refused.test\n", to: "hosts")
        let hosts = ["both", "refused"].map { "http://\($0).test:\(allowed.port)" }
        let server = try server(
            hosts.flatMap { ["--allow-source", $0] } + ["--allow-address", "127.0.0.1"],
            mounts: [MountNamespace.file(calotype.directory.appending(path: "hosts").path, over: "/etc/hosts")])
        for number in 0..<4 {
            #expect(try await get(server, source: "\(hosts[0])/\(number).jpg").status == 200)
            #expect(try await get(server, source: "\(hosts[1])/\(number).jpg").status == 403)
        }
        #expect(reached.entries == Array(repeating: "127.0.0.1", count: 4))
        withExtendedLifetime(refused) {}
    }

    // MARK: Disks

    @Test(.requirement("V30"), .enabled(if: MountNamespace.isPossible))
    func `a full disk keeps no result from being sent, and is one line`() async throws {
        let store = calotype.place.appending(path: "store")
        try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
        let server = try server(
            ["--store", store.path, "--verbose"], mounts: [MountNamespace.disk(of: "2m", at: store.path)])
        for round in 0..<8 { try await expectThumbnails(of: server, round: round) }
        server.child.send(SIGTERM)
        #expect(await server.child.status == 0)
        #expect(server.lines.count == 1 && server.lines[0].contains("the store of results: "), "\(server.lines)")
    }

    @Test(.requirement("V30")) func `a store removed from a running server keeps no result from being sent`()
        async throws
    {
        let store = calotype.place.appending(path: "store").path
        let server = try server(["--store", store, "--verbose"])
        try await expectThumbnails(of: server, round: 0)
        try await waitUntilStored(in: store)
        try FileManager.default.removeItem(atPath: store)
        try await expectThumbnails(of: server, round: 1)
        server.child.send(SIGTERM)
        #expect(await server.child.status == 0)
        // The server has made the store again.
        let stored = try await calotype("cache", "list", "--cache-dir", "\(store)/results").lines
        #expect(stored.count == 14 && stored.allSatisfy { $0.contains("/cb:1/") }, "\(stored)")
        #expect(server.lines.isEmpty)
    }

    @Test(.requirement("V30"))
    func `a store replaced by a file keeps no result from being sent, and is a line for results and one for purges`()
        async throws
    {
        let store = calotype.place.appending(path: "store").path
        let server = try server(["--store", store, "--verbose"])
        try await expectThumbnails(of: server, round: 0)
        try await waitUntilStored(in: store)
        try FileManager.default.removeItem(atPath: store)
        try Data("no folder".utf8).write(to: URL(fileURLWithPath: store))
        for round in 1...2 { try await expectThumbnails(of: server, round: round) }
        // A write looks for the entry first, and fails as the reads do.
        await waitUntil { server.lines.count == 2 }
        try await expectThumbnails(of: server, round: 3)
        server.child.send(SIGTERM)
        #expect(await server.child.status == 0)
        for name in ["the results: ", "the purges cannot be read: "] {
            #expect(server.lines.filter { $0.contains(name) && $0.contains(store) }.count == 1, "\(server.lines)")
        }
        #expect(server.lines.count == 2)
    }
}
