import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer
@testable import calotype_command

/// `calotype serve --purge`, beside running servers and without them.
struct ServePurgeTests {
    private let calotype: Calotype
    private let photos: String
    private let store: String
    private let origin: OriginServer
    private let client: CurlTransport

    init() throws {
        calotype = try Calotype()
        try calotype.write(SamplePhotos.jpeg(width: 64, height: 48), to: "photos/cat.jpg")
        photos = calotype.directory.appending(path: "photos").path
        store = calotype.place.appending(path: "store").path
        origin = try OriginServer()
        var options = CurlTransport.Options()
        options.addsNothing = true
        client = CurlTransport(options: options)
        serve(seed: 1)
    }

    private var source: String { origin.url("/a.jpg").absoluteString }

    private func serve(seed: Int) {
        var reply = OriginReply.ok(SamplePhotos.jpeg(width: 64, height: 48, seed: seed))
        reply.fields["Cache-Control"] = "max-age=10000, stale-if-error=10000"
        origin.on("/a.jpg", reply)
    }

    private func server(_ more: [String] = []) throws -> ServerChild {
        let words = [
            "serve", "--root", photos, "--insecure", "--listen", "127.0.0.1:0", "--store", store, "--allow-source",
            origin.url("").absoluteString, "--allow-address", "127.0.0.1",
        ]
        return try ServerChild(words + more)
    }

    private func get(_ server: ServerChild) async throws -> Data {
        var request = HTTPRequest(try #require(URL(string: "http://127.0.0.1:\(server.port)")))
        request.rawTarget = ByteString("/_/w:10/plain/\(source)@png")
        let response = try await client.send(request)
        #expect(response.status == 200)
        return try await response.body.collect()
    }

    @Test func `the tag of a purge is the one that answers had`() async throws {
        let server = try server(["--tags", "surrogate-key"])
        var request = HTTPRequest(try #require(URL(string: "http://127.0.0.1:\(server.port)")))
        request.rawTarget = ByteString("/_/w:10/tag:spring/plain/\(source)@png")
        let tags = try #require(try await client.send(request).fields["Surrogate-Key"]).split(separator: 0x20)
        let ending = try await calotype("serve", "--store", store, "--purge", source)
        #expect(tags.count == 2 && tags.last == "spring")
        #expect(ending.lines.first?.contains("\"tag\":\"\(tags[0])\"") == true, "\(ending.lines)")
        let wrong = try await calotype("serve", "--root", photos, "--insecure", "--tags", "xkey")
        #expect(wrong.status == 2)
    }

    @Test(arguments: [200, 403]) func `a purge of a store reaches the cache in front, too`(status: Int) async throws {
        let server = try server()
        _ = try await get(server)
        origin.on("/front/", .status(status))
        let ending = try await calotype(
            "serve", "--store", store, "--purge", source, "--front", "varnish:\(origin.url("/front/").absoluteString)")
        #expect(ending.status == (status == 200 ? 0 : 1) && ending.lines.count == 1, "\(ending.errors)")
        #expect(ending.errorLines.count == (status == 200 ? 0 : 1))
        let calls = origin.requests.filter { $0.path == "/front/" }
        #expect(calls.map(\.method) == ["BAN"])
        let tag = try #require(calls.first?.fields["Surrogate-Key"])
        #expect(ending.lines.first?.contains("\"tag\":\"\(tag)\"") == true)
    }

    @Test(arguments: [
        ["--front", "akamai:1"], ["--front", "fastly:abc"], ["--front-token", "token"],
        ["--front", "varnish:http://127.0.0.1/"],
    ]) func `a cache in front without what it needs is a mistake in the command line`(flags: [String]) async throws {
        try calotype.write("0123456789abcdef", to: "token")
        let words = ["serve", "--root", photos, "--insecure", "--listen", "127.0.0.1:0"] + flags
        let ending = try await calotype.start(words).ending()
        #expect(ending.status == 2 && ending.output.isEmpty, "\(ending.errors)")
    }

    @Test(.requirement("V46"), arguments: [["--purge", "URL"], ["--purge-prefix", "PREFIX"], ["--purge-all"]])
    func `a purge reaches running servers of the store, and later ones`(task: [String]) async throws {
        let servers = [try server(), try server()]
        let old = try await get(servers[0])
        #expect(try await get(servers[1]) == old)
        serve(seed: 2)
        let words = task.map { ["URL": source, "PREFIX": origin.url("").absoluteString][$0] ?? $0 }
        let ending = try await calotype.start(["serve", "--store", store] + words).ending()
        #expect(ending.status == 0 && ending.errors == "", "\(ending.errors)")
        #expect(ending.lines.count == 1 && ending.lines[0].contains(#""mode":"hard""#))
        for server in servers { try await repeatUntil { try await get(server) != old } }
        let new = try await get(servers[0])
        for server in servers { #expect(try await get(server) == new) }
        for server in servers {
            server.send(SIGTERM)
            #expect(await server.status == 0)
        }
        #expect(try await get(try server()) == new)
    }

    @Test(.requirement("V46")) func `a purge without a server holds for the next one`() async throws {
        let first = try server()
        let old = try await get(first)
        first.send(SIGKILL)
        _ = await first.status
        serve(seed: 2)
        #expect(try await calotype("serve", "--store", store, "--purge", source).status == 0)
        #expect(try await get(try server()) != old)
    }

    @Test(.requirement("V46")) func `two purges at once from two processes are both kept`() async throws {
        _ = try await get(try server())
        let children = try (0..<8).map {
            try calotype.start(["serve", "--store", store, "--purge", "local:///\($0).jpg"])
        }
        for child in children { #expect(try await child.ending().status == 0) }
        let purges = PurgeTable.purges(inStore: store)
        #expect(Set(purges.map(\.target.url)) == Set((0..<8).map { "local:///\($0).jpg" }))
    }

    @Test(.requirement("V46")) func `a process that is killed while it purges loses no purge of others`() async throws {
        _ = try await get(try server())
        var random = SplitMix(seed: 46)
        var kept: Set<ByteString> = []
        for round in 0..<12 {
            let child = try calotype.start(["serve", "--store", store, "--purge", "local:///\(round).jpg"])
            // At any time of its life: the pause is no wait for a state.
            for _ in 0..<random.number(below: 400_000) { await Task.yield() }
            child.send(SIGKILL)
            if try await child.ending().status == 0 { kept.insert("local:///\(round).jpg") }
        }
        #expect(try await calotype("serve", "--store", store, "--purge", "local:///last.jpg").status == 0)
        let purges = PurgeTable.purges(inStore: store)
        let urls = Set(purges.map(\.target.url))
        #expect(kept.isSubset(of: urls) && purges.last?.target.url == "local:///last.jpg")
    }

    @Test func `a purge with the file of a server needs no token`() async throws {
        _ = try await get(try server())
        let file = try calotype.write("store = \(store)\nroot = .\nadmin-token = /no/such/token\n", to: "serve.conf")
        let ending = try await calotype("serve", "--config", file, "--purge", source)
        #expect(ending.status == 0 && ending.lines.count == 1, "\(ending.errors)")
    }

    private static let refused: [(words: [String], message: String)] = [
        (["--purge", "", "--store", "x"], "--purge: the URL of a purge is empty"),
        (["--purge-prefix", "", "--store", "x"], "--purge-prefix: the URL of a purge is empty"),
        (["--purge", "cat.jpg", "--store", "x"], "--purge cat.jpg: the source is not an absolute URL"),
        (["--purge", "local:///a"], "a purge requires --store DIR"),
        (["--purge", "local:///a", "--purge", "local:///b", "--store", "x"], "--purge may be given once"),
        (["--purge", "local:///a", "--store", ""], "the name of the folder is empty"),
        (["--soft", "--store", "x"], "--soft requires --purge, --purge-prefix or --purge-all"),
        (
            ["--purge", "local:///a", "--purge-all", "--store", "x"],
            "--purge and --purge-all are two tasks: give one of them"
        ),
        (["--purge-all", "--check", "x", "--store", "x"], "--check and --purge-all are two tasks: give one of them"),
        (
            ["--check", "x", "--explain", "/_/plain/local:///a"],
            "--check and --explain are two tasks: give one of them"
        ),
    ]

    @Test(arguments: refused)
    func `a purge that names no source, no store, or two tasks, is an error`(
        words: [String], message: String
    ) async throws {
        let ending = try await calotype.start(["serve"] + words).ending()
        #expect(ending.status == 2)
        #expect(ending.errors.contains(message), "\(ending.errors)")
        #expect(calotype.files == ["photos"])
    }

    @Test func `a folder that is no store is an error, and stays as it is`() async throws {
        let ending = try await calotype("serve", "--store", photos, "--purge-all")
        #expect(ending.status == 1)
        #expect(ending.errors.contains("no server keeps its results here"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: photos) == ["cat.jpg"])
    }

    @Test(arguments: ["short", "a token with spaces in it"])
    func `a token that is no secret is an error at the start`(text: String) async throws {
        let file = try calotype.write(text, to: "token")
        let ending = try await calotype("serve", "--root", photos, "--insecure", "--admin-token", file)
        #expect(ending.status == 2)
        #expect(ending.errors.contains("--admin-token") && !ending.errors.contains(text))
    }
}
