import CalotypeBase
import CalotypeHTTPCache
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeServer
@testable import CalotypeURLs

/// Purges of objects in buckets: of their results, and of the objects in the cache of sources.
@Suite struct ObjectPurgeTests {
    private func covers(_ target: PurgeTarget, _ source: ByteString) throws -> Bool {
        let list = PurgeList()
        list.set([Purge(target, isHard: true, at: 0)])
        let request = try RenditionRequest(path: "/rs:fill:30:40/cb:a/plain/\(source.escapedInPath)@webp")
        let result = list.moments(of: "key \(request.resultKey(mark: nil))") != .none
        var allowed = AllowedSources()
        try allowed.allow("s3://photos")
        let object = try #require(try allowed.objects.object(of: source))
        #expect(result == (list.moments(of: "key \(object.name)") != .none), "\(source)")
        return result
    }

    private static let sources: [(purged: ByteString, source: ByteString, isCovered: Bool)] = [
        ("s3://photos/a/cat.jpg", "s3://photos/a/cat.jpg", true),
        ("S3://photos/a/cat.jpg", "s3://photos/a/cat.jpg", true),
        ("s3://photos/a/cat.jpg", "S3://photos/a/cat.jpg", true),
        ("s3://photos/a/%63at.jpg", "s3://photos/a/cat.jpg", false),
        ("s3://photos/100%", "s3://photos/100%", true), ("s3://photos/%41", "s3://photos/%41", true),
        ("s3://photos/a b?c#d@e", "s3://photos/a b?c#d@e", true),
        ("s3://photos/a//b", "s3://photos/a//b", true), ("s3://photos/a//b", "s3://photos/a/b", false),
        ("s3://photos/a/../b", "s3://photos/a/../b", true), ("s3://photos/b", "s3://photos/a/../b", false),
        ("s3://photos/a\nb", "s3://photos/a\nb", true), ("s3://photos/b", "s3://photos/a\nb", false),
        ("s3://photos/\u{E9}", "s3://photos/\u{E9}", true), ("s3://photos/\u{E9}", "s3://photos/e\u{301}", false),
        ("s3://others/a/cat.jpg", "s3://photos/a/cat.jpg", false),
        ("https://photos.s3.amazonaws.com/a/cat.jpg", "s3://photos/a/cat.jpg", false),
    ]

    @Test(arguments: sources)
    func `a purge of an object covers it, byte for byte`(
        purged: ByteString, source: ByteString, isCovered: Bool
    ) throws {
        #expect(try covers(.source(purged), source) == isCovered, "\(purged) \(source)")
        #expect(try covers(.all, source))
    }

    private static let prefixes: [(purged: ByteString, source: ByteString, isCovered: Bool)] = [
        ("s3://photos", "s3://photos/a/cat.jpg", true), ("s3://photos/", "s3://photos/a/cat.jpg", true),
        ("s3://photos/a", "s3://photos/a/cat.jpg", true), ("s3://photos/a/", "s3://photos/a/cat.jpg", true),
        ("s3://photos/a?b", "s3://photos/a?b/cat.jpg", true), ("s3://photos/a", "s3://photos/ab/cat.jpg", false),
        ("s3://others", "s3://photos/a/cat.jpg", false), ("https://*", "s3://photos/a/cat.jpg", false),
    ]

    @Test(arguments: prefixes)
    func `a prefix covers whole parts of keys`(purged: ByteString, source: ByteString, isCovered: Bool) throws {
        #expect(try covers(.prefix(purged), source) == isCovered, "\(purged) \(source)")
    }

    @Test(arguments: ["s3://", "s3:///a", "s3://*", "s3://*/a", "s3://Photos/a"] as [ByteString])
    func `a text without a bucket is a 400`(text: ByteString) {
        #expect { _ = try PurgeTarget.source(text) } throws: { ($0 as? RenditionError)?.status == 400 }
        #expect { _ = try PurgeTarget.prefix(text) } throws: { ($0 as? RenditionError)?.status == 400 }
    }

    @Test(arguments: ["s3://photos", "s3://photos/"] as [ByteString])
    func `a bucket is no single source`(text: ByteString) {
        #expect { _ = try PurgeTarget.source(text) } throws: { ($0 as? RenditionError)?.status == 400 }
    }

    @Test(arguments: ["source", "prefix"], [false, true])
    func `a hard purge reaches all results of an object, and the object`(kind: String, isStored: Bool) async throws {
        let clock = ManualClock()
        let store = try S3Server(clock)
        let server = try TestServer {
            try $0.allowed.objects.add(store.bucket("photos"))
            try $0.allowed.allow("s3://photos")
            $0.environment = S3Server.environment
            $0.wallClock = clock.wall
            if isStored { $0.store = "\($0.root)-store" }
        }
        let source = ByteString(base64: "s3://photos/a b/é%41.jpg".utf8)
        let targets: [ByteString] = [64, 32].map { "/_/w:\($0)/f:png/\(source)" }
        store.put("photos/a b/é%41.jpg", WebServer.reply("max-age=10000"))
        var old: [Data] = []
        for target in targets { old.append(try await server.get(target).body) }
        #expect(try await server.get(targets[0]).outcome == "hit")
        store.put("photos/a b/é%41.jpg", WebServer.reply("max-age=10000", tag: "\"v2\"", seed: 2))
        let target: PurgeTarget =
            if kind == "source" { try .source("s3://photos/a b/é%41.jpg") } else { try .prefix("s3://photos/a b") }
        _ = try await server.server.purging.purge(target, isHard: true)
        clock.advance(by: .seconds(2))
        for (target, old) in zip(targets, old) {
            let new = try await server.get(target)
            #expect(new.status == 200 && new.outcome == "made" && new.body != old)
        }
        #expect(store.origin.requestCount() == 2)
        #expect(store.origin.requests.last?.fields["If-None-Match"] == nil)
    }
}
