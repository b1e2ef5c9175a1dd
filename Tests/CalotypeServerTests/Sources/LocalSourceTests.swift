import Calotype
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

    // Any user may set the time of a file: the seconds until then have no nanoseconds that fit.
    @Test(arguments: [-1e10, 0, 9_223_372_037, 1.5e10]) func `a file of any time is served`(time: Double) async throws {
        let file = try server.write(SamplePhotos.png(width: 64, height: 48), "a.png")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: file.path)
        #expect(try await server.get("/_/w:10/plain/local:///a.png").status == 200)
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

    // MARK: Open files

    /// Returns the sources below the server's root. Its files count as old, so that their digests are remembered.
    private func sources() throws -> LocalSources {
        let options = server.options
        return LocalSources(
            try SourceRoot(options.root), ImageLoader(options.loader), byteLimit: options.maxSourceBytes,
            fileClock: WallClock { WallClock.system.now + 60 })
    }

    /// The number of this process's descriptors of files below the server's root.
    private func openFiles() throws -> Int {
        let files = FileManager.default
        let root = server.root.appending(path: "files").resolvingSymlinksInPath().path + "/"
        return try files.contentsOfDirectory(atPath: "/proc/self/fd").count {
            (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?.hasPrefix(root) == true
        }
    }

    // Each used to hold a descriptor until its turn to decode.
    @Test(arguments: [100, 100_000]) func `200 sources that wait for their turn hold no file open`(size: Int)
        async throws
    {
        let sources = try sources()
        var found: [(source: FoundSource, data: Data)] = []
        for number in 0..<200 {
            let data = Data("\(number)".utf8) + Data(count: size)
            try server.write(data, "\(number)")
            // A file that is looked up again is not read.
            for _ in 0..<2 { found.append((try await sources.find("\(number)"), data)) }
        }
        #expect(try openFiles() == 0)
        for (source, data) in found { #expect(try await source.data() == data) }
        #expect(try openFiles() == 0)
    }

    @Test func `a file that was replaced before its turn fails as changed, and one that was removed is missing`()
        async throws
    {
        let sources = try sources()
        for (name, expected) in [("a", ServerError.changed), ("b", ServerError.notFound)] {
            try server.write(Data(count: 100_000), name)
            let found = try await sources.find(ByteString(name))
            if name == "a" {
                try server.write(Data(count: 100_001), name)
            } else {
                try FileManager.default.removeItem(at: server.root.appending(path: "files/\(name)"))
            }
            let error = await #expect(throws: ImageError.self) { try await found.data() }
            #expect(error.map { ServerError($0) } == expected)
        }
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
