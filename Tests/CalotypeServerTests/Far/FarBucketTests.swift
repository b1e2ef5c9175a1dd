import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import CalotypeTransport
import Foundation
import Testing
import Waiting

@testable import CalotypeServer
@testable import CalotypeURLs

/// Servers that share results, and load sources, through a store with S3's protocol.
struct FarBucketTests {
    private let clock = ManualClock()
    private let store: S3Server
    private let lines = Log<String>()

    init() throws { store = try S3Server(clock) }

    private func node(_ change: (inout ServerSetup) throws -> Void = { _ in }) throws -> TestServer {
        try TestServer {
            for bucket: ByteString in ["photos", "results"] { try $0.allowed.objects.add(store.bucket(bucket)) }
            try $0.allowed.allow("s3://photos")
            // The bucket of results is none for sources, and its address is no address of the internet.
            $0.addresses = .internet
            $0.environment = S3Server.environment
            $0.wallClock = clock.wall
            $0.store = "\($0.root)-store"
            $0.report = { [lines] in lines.add($0) }
            var far = try FarOptions("s3://results/thumbnails")
            far.timeout = .seconds(600)
            $0.far = far
            $0.purgeObjects = { _ in nil }
            try change(&$0)
        }
    }

    private func get(_ node: TestServer, width: Int = 64) async throws -> TestServer.Answer {
        try await node.get("/_/w:\(width)/f:png/\(ByteString(base64: ByteString("s3://photos/a.jpg").bytes))")
    }

    private func objectRequests(_ method: ByteString) -> [OriginRequest] {
        store.origin.requests.filter { $0.method == method && $0.path.hasPrefix("/results/") }
    }

    /// Has a server make a result, and use it so often that it is written.
    private func fill(_ node: TestServer) async throws -> TestServer.Answer {
        store.put("photos/a.jpg")
        let first = try await get(node)
        for _ in 0..<2 { _ = try await get(node) }
        await waitUntil { node.far.writes == 1 && node.far.queuedBytes == 0 }
        return first
    }

    @Test func `a second node answers from the first one's work, and confirms the source with a 304`() async throws {
        let first = try await fill(try node())
        #expect(first.status == 200 && objectRequests("PUT").count == 1)
        let second = try node()
        let loads = store.origin.requests.filter { $0.path == "/photos/a.jpg" }.count
        #expect(try await get(second).body == first.body)
        #expect(second.decodes == 0 && second.far == FarCounts(lookups: 1, hits: 1))
        #expect(store.origin.requests.filter { $0.path == "/photos/a.jpg" }.count == loads)
        store.put("photos/a.jpg", WebServer.confirmation)
        clock.advance(by: .seconds(101 + 3600))
        let third = try node()
        #expect(try await get(third).outcome == "revalidated" && third.decodes == 0)
        #expect(store.origin.requests.last { $0.path == "/photos/a.jpg" }?.fields["If-None-Match"] == "\"v1\"")
        // A node that is gone has removed the folder into which it may still write.
        withExtendedLifetime([second, third]) { #expect(lines.entries.isEmpty) }
    }

    @Test func `a hard purge of an object deletes its pages`() async throws {
        let node = try node()
        _ = try await fill(node)
        let path = try #require(objectRequests("PUT").first?.path)
        _ = try await node.server.purging.purge(.source("s3://photos/a.jpg"), isHard: true)
        await waitUntil { objectRequests("DELETE").count == 1 }
        #expect(objectRequests("DELETE").first?.path == path)
    }

    @Test func `wrong credentials cost one line for reading, and the results are made`() async throws {
        store.put("photos/a.jpg")
        let node = try node { options in
            options.environment["AWS_SECRET_ACCESS_KEY"] = "other"
            try options.allowed.allow(ByteString(store.origin.url("/web").absoluteString))
            options.addresses = .all
        }
        for width in 1...20 {
            let url = ByteString(base64: ByteString(store.origin.url("/web/a.jpg").absoluteString).bytes)
            _ = try await node.get("/_/w:\(width)/f:png/\(url)")
        }
        #expect(node.far.lookups == 5 && node.far.failures == 5 && node.far.skips >= 1)
        #expect(
            lines.entries.filter { $0.contains("cannot be read") && $0.contains("SignatureDoesNotMatch") }.count == 1)
    }

    @Test(arguments: ["SlowDown", "HTML", "other object"]) func `an answer that is no page is a miss`(
        kind: String
    ) async throws {
        let first = try await fill(try node())
        let path = try #require(objectRequests("PUT").first?.path)
        store.update { state in
            switch kind {
            case "SlowDown": state.objects[ByteString(path)] = S3Server.failure(503, "SlowDown")
            case "HTML": state.objects[ByteString(path)] = .ok(Data("<html></html>".utf8))
            default: state.objects[ByteString(path)] = state.objects["/photos/a.jpg"]
            }
        }
        let node = try node()
        let answer = try await get(node)
        #expect(answer.body == first.body && answer.outcome == "made" && node.decodes == 1)
        if kind != "SlowDown" { await waitUntil { objectRequests("DELETE").count == 1 } }
    }

    // MARK: The protocol

    @Test func `objects are stored, listed in parts, read within a limit, and removed`() async throws {
        var options = ServerSetup(root: "")
        options.environment = S3Server.environment
        try options.allowed.objects.add(store.bucket("results"))
        let far = try FarOptions("s3://results/a/b/")
        let objects = try far.store(nil, options.options.sources, clock.wall).objects
        store.update { $0.pageSize = 2 }
        let names: [ByteString] = ["p/1", "p/2", "p/a b", "p/é", "p/é&<"]
        for name in names { try await objects.store(Data(name.bytes), as: name) }
        var listed: [ByteString] = [], last: ByteString?
        repeat {
            let list = try await objects.list("p/", after: last)
            #expect(list.names.count <= 2)
            listed += list.names
            last = list.next
        } while last != nil
        #expect(listed == names)
        for name in names {
            #expect(try await objects.read(name, limit: 10) == Data(name.bytes))
            let error = await #expect(throws: TransportError.self) { try await objects.read(name, limit: 2) }
            #expect(error?.code == .bodyTooLarge)
            try await objects.remove(name)
            #expect(try await objects.read(name, limit: 10) == nil)
            try await objects.remove(name)
        }
        let none = try await objects.list("p/", after: nil)
        #expect(none.names == [] && none.next == nil && none.date != nil)
    }

    @Test(arguments: [
        ("s3://results/thumbnails", "thumbnails"), ("s3://results", ""), ("s3://results//a//b/", "a/b"),
    ]) func `the prefix has no slash at its ends`(url: String, prefix: String) throws {
        #expect(try FarOptions(ByteString(url)).prefix == ByteString(prefix))
    }

    @Test(arguments: ["", "results", "https://results/a", "s3://", "s3:///a", "s3://R/a"])
    func `another URL names no far store`(url: String) {
        #expect(throws: (any Error).self) { try FarOptions(ByteString(url)) }
    }
}
