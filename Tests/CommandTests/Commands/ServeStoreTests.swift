import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import CalotypeTransport
import Foundation
import Requirements
import Testing

@testable import calotype_command

/// The store of `calotype serve`, in processes that are killed, that share it, and that may not write.
struct ServeStoreTests {
    private let calotype: Calotype
    private let photos: String
    private let store: String
    private let client: CurlTransport

    init() throws {
        calotype = try Calotype()
        try calotype.write(SamplePhotos.jpeg(width: 320, height: 240), to: "photos/cat.jpg")
        photos = calotype.directory.appending(path: "photos").path
        store = calotype.place.appending(path: "store").path
        var options = CurlTransport.Options()
        options.addsNothing = true
        options.connectionsPerHost = 16
        client = CurlTransport(options: options)
    }

    private func server(isStored: Bool = true, fileBlocks: Int? = nil) throws -> ServerChild {
        try ServerChild(
            // So that results have the same bytes each time.
            ["serve", "--root", photos, "--insecure", "--listen", "127.0.0.1:0", "--no-shared-decodes"]
                + (isStored ? ["--store", store] : [])
                // The limit on files counts for the memory that workers share, too.
                + (fileBlocks == nil ? [] : ["--no-isolate"]),
            fileBlocks: fileBlocks)
    }

    /// Returns the body, or `nil` if the server ended before all of it arrived.
    ///
    /// - Parameter round: Another text makes another result, with the same bytes.
    private func get(_ server: ServerChild, _ width: Int, round: Int = 0) async -> Data? {
        guard let url = URL(string: "http://127.0.0.1:\(server.port)") else { return nil }
        var request = HTTPRequest(url)
        request.rawTarget = "/_/w:\(width)/cb:\(round)/plain/local:///cat.jpg@png"
        guard let response = try? await client.send(request), response.status == 200 else { return nil }
        return try? await response.body.collect()
    }

    // Of results in the index and of results in files.
    private static let widths = Array(stride(from: 30, to: 320, by: 24))

    /// The right bytes, from a server without a store.
    private func right() async throws -> [Int: Data] {
        let server = try server(isStored: false)
        var right: [Int: Data] = [:]
        for width in Self.widths { right[width] = await get(server, width) }
        try #require(right.count == Self.widths.count)
        return right
    }

    private static let kills: Int = {
        ProcessInfo.processInfo.environment["CALOTYPE_CRASH_ROUNDS"].flatMap(Int.init) ?? (Sanitizers.areOn ? 2 : 6)
    }()

    @Test(.requirement("V28")) func `a server killed while it writes leaves no wrong result behind`() async throws {
        let right = try await right()
        var random = SplitMix(seed: 28)
        for round in 1...Self.kills {
            let server = try server()
            // Half of the results are new, the others were under way when the last server was killed.
            let wanted = Self.widths.flatMap { [($0, round), ($0, round - 1)] }.shuffled(using: &random)
            let last = random.number(below: wanted.count)
            await withTaskGroup(of: (width: Int, body: Data?).self) { group in
                for (width, round) in wanted { group.addTask { (width, await get(server, width, round: round)) } }
                var answers = 0
                for await answer in group {
                    if let body = answer.body { #expect(body == right[answer.width], "round \(round)") }
                    if answers == last { server.send(SIGKILL) }
                    answers += 1
                }
            }
            _ = await server.status
        }
        let server = try server()
        for width in Self.widths { #expect(await get(server, width, round: Self.kills) == right[width]) }
    }

    @Test(
        .requirement("V30"),
        .disabled(if: Sanitizers.areOn, "the thread sanitizer does not start with a limit of the size of files"))
    func `a disk without room keeps no result from being sent`() async throws {
        let right = try await right()
        let server = try server(fileBlocks: 40)
        for _ in 0..<2 {
            for width in Self.widths { #expect(await get(server, width) == right[width]) }
        }
    }

    @Test func `the cache commands show a server's limit and its results`() async throws {
        let server = try ServerChild([
            "serve", "--root", photos, "--insecure", "--listen", "127.0.0.1:0", "--store", store, "--store-size",
            "300MB",
        ])
        #expect(await get(server, 40) != nil)
        server.send(SIGTERM)
        #expect(await server.status == 0)
        let results = "\(store)/results"
        let stats = try await calotype("cache", "stats", "--cache-dir", results)
        #expect(stats.lines.contains { $0.contains(" of 300.0 MB") }, "\(stats.lines)")
        let list = try await calotype("cache", "list", "--cache-dir", results)
        #expect(list.lines.count == 1)
        #expect(list.lines.allSatisfy { $0.hasSuffix("/w:40/cb:0/plain/local:///cat.jpg@png") }, "\(list.lines)")
    }

    @Test(.requirement("V31")) func `two servers and the command share a store`() async throws {
        let right = try await right()
        let servers = [try server(), try server()]
        await withTaskGroup(of: (width: Int, body: Data?).self) { group in
            for width in Self.widths {
                for server in servers { group.addTask { (width, await get(server, width)) } }
            }
            for await answer in group { #expect(answer.body == right[answer.width]) }
        }
        let results = "\(store)/results"
        // The servers still run.
        #expect(try await calotype("cache", "verify", "--cache-dir", results).status == 0)
        for server in servers { server.send(SIGTERM) }
        for server in servers { #expect(await server.status == 0) }
        // Two servers that make a result at the same time may each store it.
        let count = try await calotype("cache", "list", "--cache-dir", results).lines.count
        #expect((Self.widths.count...2 * Self.widths.count).contains(count))
        let third = try server()
        #expect(await get(third, Self.widths[0]) == right[Self.widths[0]])
        #expect(try await calotype("cache", "clear", "--cache-dir", results).status == 0)
        for width in Self.widths { #expect(await get(third, width) == right[width]) }
    }

    // A full disk stayed full: nothing was stored until somebody made room.
    @Test(.enabled(if: MountNamespace.isPossible)) func `on a full disk old results make room for new ones`()
        async throws
    {
        try calotype.write(SamplePhotos.png(width: 640, height: 480), to: "photos/cat.jpg")
        try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
        let server = try ServerChild(
            [
                "serve", "--root", photos, "--insecure", "--no-isolate", "--listen", "127.0.0.1:0", "--admin",
                "127.0.0.1:0", "--store", store,
            ], expectsAdmin: true, mounts: [MountNamespace.disk(of: "4m", at: store)])
        var bytes = 0
        for round in 0..<60 { bytes += try #require(await get(server, 600, round: round)).count }
        try #require(bytes > 8 << 20)
        let admin = try RawClient(port: try #require(server.adminPort))
        try admin.send("GET /.calotype/metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        let text = await admin.receive().components(separatedBy: "\r\n\r\n").dropFirst().joined()
        let metrics = try PrometheusText(text)
        func count(_ name: String) -> Double {
            metrics.value("calotype_serve_store_\(name)_total", ["store": "results"]) ?? 0
        }
        #expect(count("evictions") > 20 && count("failed_writes") < 25 && count("writes") > 30)
    }
}
