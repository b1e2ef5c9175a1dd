import CalotypeHTTP
import CalotypeTesting
import Foundation

extension Scenario {
    /// The cost of revalidating a stale thumbnail whose source has not changed, compared with making it.
    static let serveRevalidate = Scenario(
        name: "serve-revalidate",
        summary: "calotype serve: a stale thumbnail of 12 megapixels whose origin answers 304, and making it"
    ) { bench in
        let origin = try StaleOrigin(Photographs.large)
        try await processorTime(bench, "serve-revalidate", StaleThumbnails(origin))
        let onDisk = try StaleThumbnails(origin, isOnDisk: true)
        try await processorTime(bench, "serve-revalidate-disk", onDisk)
        try await bytesRead(bench, onDisk)
        try await decodes(bench, origin)
    }

    private static func processorTime(_ bench: Bench, _ name: String, _ subject: StaleThumbnails) async throws {
        try await subject.make(StaleThumbnails.count)
        try await bench.compare(
            name, with: "making it", unit: "ms", bar: .atMost(0.05), pairs: bench.isQuick ? 5 : 9
        ) {
            let start = try subject.tree.processorSeconds()
            let count = try await subject.confirm(rounds: bench.isQuick ? 25 : 50)
            return (try subject.tree.processorSeconds() - start) * 1e3 / Double(count)
        } baseline: {
            let start = try subject.tree.processorSeconds()
            try await subject.make(StaleThumbnails.count)
            return (try subject.tree.processorSeconds() - start) * 1e3 / Double(StaleThumbnails.count)
        }
    }

    /// Compares the bytes that the server reads: a revalidation should read pages of the index, not the source's body.
    private static func bytesRead(_ bench: Bench, _ subject: StaleThumbnails) async throws {
        try await bench.compare(
            "serve-revalidate-read", with: "making it", unit: "KB read", bar: .atMost(0.1), pairs: 5
        ) {
            let start = try subject.tree.bytesRead()
            let count = try await subject.confirm(rounds: 5)
            return (try subject.tree.bytesRead() - start) / 1e3 / Double(count)
        } baseline: {
            let start = try subject.tree.bytesRead()
            try await subject.make(StaleThumbnails.count)
            return (try subject.tree.bytesRead() - start) / 1e3 / Double(StaleThumbnails.count)
        }
    }

    /// Counts the decodes for 20 revalidations, of which there should be none, by a server in this process.
    private static func decodes(_ bench: Bench, _ origin: StaleOrigin) async throws {
        let server = try CountedServer(allowed: origin.url)
        let client = ThumbnailClient()
        let url = try server.url + ThumbnailURL.path(origin.photo, width: 400)
        _ = try await client.thumbnail(url)
        let (decodes, requests) = (server.decodes, origin.requests)
        for _ in 0..<20 { _ = try await client.thumbnail(url) }
        guard origin.requests - requests == 20 else { throw BenchError("not every answer was revalidated") }
        bench.report(
            "serve-revalidate-decodes", with: "before 20 answers", unit: "decodes", bar: .exactly(1),
            [(Double(server.decodes), Double(decodes))])
    }
}

/// An origin whose photograph never changes, but is stale as soon as it is stored.
private final class StaleOrigin: Sendable {
    private let server: OriginServer

    var url: String { server.url.absoluteString }
    var photo: String { "\(url)/photo.jpg" }
    var requests: Int { server.requestCount() }

    init(_ data: Data) throws {
        let fields: HTTPFields = ["Content-Type": "image/jpeg", "Cache-Control": "max-age=0", "ETag": "\"v1\""]
        server = try OriginServer()
        server.on("/photo.jpg") { request in
            request.fields["If-None-Match"] == "\"v1\""
                ? OriginReply(status: 304, fields: fields) : OriginReply(fields: fields, body: data)
        }
    }
}

/// Thumbnails that are stale as soon as they are stored. They are requested one after the other, because equal requests
/// at the same time would share their revalidation.
private final class StaleThumbnails {
    /// The number of thumbnails in a round.
    static let count = 8

    var tree: ProcessTree { server.tree }
    private let server: CalotypeProcess
    private let origin: StaleOrigin
    private let directory: ScratchDirectory
    private let client = ThumbnailClient(connections: 1)
    private var made: [String] = []

    /// - Parameter isOnDisk: Whether the server stores results and sources on disk, too.
    init(_ origin: StaleOrigin, isOnDisk: Bool = false) throws {
        self.origin = origin
        directory = try ScratchDirectory()
        server = try .serve(
            root: directory.path, allowed: origin.url, store: isOnDisk ? "\(directory.path)/store" : nil)
    }

    /// Requests thumbnails that the server does not have.
    func make(_ count: Int) async throws {
        for _ in 0..<count {
            let path = try ThumbnailURL.path(origin.photo, width: 400, buster: "\(made.count)")
            made.append(server.url + path)
            _ = try await client.thumbnail(made[made.count - 1])
        }
    }

    /// Requests each of the newest thumbnails `rounds` times, and returns the number of requests.
    func confirm(rounds: Int) async throws -> Int {
        let before = origin.requests
        for _ in 0..<rounds { for url in made.suffix(Self.count) { _ = try await client.thumbnail(url) } }
        guard origin.requests - before == rounds * Self.count else {
            throw BenchError("not every answer was revalidated at the origin")
        }
        return rounds * Self.count
    }
}
