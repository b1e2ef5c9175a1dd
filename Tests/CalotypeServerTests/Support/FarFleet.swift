import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing
import Waiting

@testable import CalotypeServer
@testable import CalotypeURLs

/// Servers with one origin, one time of day and one far store.
final class FarFleet: Sendable {
    let origin: OriginServer
    let objects = MemoryObjectStore()
    let clock = ManualClock()
    private let prefix: ByteString

    init(prefix: ByteString = "thumbnails") throws {
        origin = try OriginServer()
        self.prefix = prefix
    }

    /// Starts a server with empty stores.
    func node(
        isStored: Bool = true, _ change: (inout ServerSetup) throws -> Void = { _ in }
    ) throws -> TestServer {
        try TestServer {
            $0.wallClock = clock.wall
            try $0.allowed.allow(ByteString("\(origin.url.absoluteString)/images"))
            if isStored { $0.store = "\($0.root)-store" }
            var far = try FarOptions("s3://results/\(prefix)")
            // Only the tests of the limit are about it.
            far.timeout = .seconds(600)
            ($0.far, $0.farObjects) = (far, objects)
            // The store's gate and failures are for pages, unless a test is about purges.
            $0.purgeObjects = { _ in nil }
            try change(&$0)
        }
    }

    func get(_ node: TestServer, _ path: String = "/images/a.jpg", width: Int = 64) async throws -> TestServer.Answer {
        let url = ByteString("\(origin.url.absoluteString)\(path)")
        return try await node.get("/_/w:\(width)/f:png/\(ByteString(base64: url.bytes))")
    }

    /// Replaces a word of the first line of the only page, as a writer of the bucket may.
    ///
    /// - Parameter place: The number of the word, from 0.
    func forge(place: Int, _ word: ByteString) throws {
        try forge { line, _ in line[place] = word }
    }

    /// Changes the lines of the heads in the only page, as a writer of the bucket may.
    func forge(_ change: (inout [String]) throws -> Void) throws {
        try forge { line, heads in
            var lines = String(decoding: heads, as: UTF8.self).components(separatedBy: "\n")
            try change(&lines)
            heads = Data(lines.joined(separator: "\n").utf8)
            line[2] = "\(heads.count)"
        }
    }

    private func forge(_ change: (inout [ByteString], inout Data) throws -> Void) throws {
        let (name, page) = try #require(objects.now.objects.first)
        let parts = page.split(separator: 0x0A, maxSplits: 4, omittingEmptySubsequences: false)
        var line = ByteString(bytes: parts[3]).split(separator: 0x20)
        let length = try #require(line[2].asDigits)
        var heads = Data(parts[4].prefix(length))
        try change(&line, &heads)
        var rest = Data(line.joined(separator: " ").bytes)
        rest.append(0x0A)
        rest.append(heads)
        rest.append(parts[4].dropFirst(length))
        objects.update { $0.objects[name] = FarPage.sealed(rest, key: ByteString(bytes: parts[1])) }
    }

    /// Has a server make a result, and use it so often that it is written to the far store.
    @discardableResult
    func fill(_ node: TestServer, _ path: String = "/images/a.jpg", width: Int = 64) async throws -> TestServer.Answer {
        let written = objects.now.writes.count
        let first = try await get(node, path, width: width)
        for _ in 0..<2 { _ = try await get(node, path, width: width) }
        await waitUntil { objects.now.writes.count > written && node.server.farCounts?.queuedBytes == 0 }
        return first
    }
}

extension TestServer {
    var decodes: Int { server.renditions.work.decodes }
    var far: FarCounts { server.farCounts ?? FarCounts() }
}
