import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTesting
import Foundation
import Testing

/// Stored bodies as files, for a client that accepts files.
@Suite struct `A large stored body` {
    private let folder = TemporaryFolder()
    private let clock = ManualClock()
    private let origin: OriginServer
    private let photo = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: ($0 * 7) >> 4) })

    init() throws { origin = try OriginServer() }

    /// Returns a harness with the photo on disk, as after a restart.
    private func filled(_ length: Int = 2_000_000) async throws -> DiskCacheHarness {
        let fields: HTTPFields = [
            "Cache-Control": "max-age=60", "ETag": "\"1\"", "Date": HTTPDate.format(clock.wall.now),
        ]
        origin.on("/a", OriginReply(fields: fields, body: photo.prefix(length)))
        let cache = DiskCacheHarness(in: folder, clock: clock)
        _ = try await cache.get(origin.url("/a"))
        try await cache.disk.close()
        return DiskCacheHarness(in: folder, clock: clock, memory: 64 << 20)
    }

    private func send(
        _ cache: DiskCacheHarness, _ fields: HTTPFields = [:], method: HTTPMethod = .get
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(origin.url("/a"), method: method, fields: fields)
        request.takesBodyAsFile = true
        return try await cache.transport.send(request)
    }

    private func damage(at offset: Int) throws {
        let blobs = URL(fileURLWithPath: folder.path).appending(path: "blobs")
        let files = FileManager.default.enumerator(at: blobs, includingPropertiesForKeys: [.isRegularFileKey])
        for case let file as URL in try #require(files) where !file.hasDirectoryPath {
            var bytes = try Data(contentsOf: file)
            bytes[offset] ^= 1
            try bytes.write(to: file)
        }
    }

    @Test func `is answered as a file, and read in pieces by whoever iterates`() async throws {
        let cache = try await filled()
        let response = try await send(cache)
        #expect(response.cacheOutcome?.source == .fresh)
        #expect(response.body.slice?.range == 0..<photo.count)
        var largest = 0
        var read = Data()
        for try await piece in response.body {
            read += piece
            largest = max(largest, piece.count)
        }
        #expect(read == photo && largest <= 256 << 10)
    }

    @Test func `of which a part is asked for is answered by that part of the file`() async throws {
        let cache = try await filled()
        let response = try await send(cache, ["Range": "bytes=1000000-1000009"])
        #expect(response.status == 206)
        #expect(response.body.slice?.range == 1_000_000..<1_000_010)
        #expect(try await response.body.collect() == photo[1_000_000..<1_000_010])
    }

    /// Below 256 KiB, a body is not sent as a file.
    @Test(arguments: [2_000_000, 100_000])
    func `is not looked at for HEAD, 304 and 416`(length: Int) async throws {
        let cache = try await filled(length)
        try damage(at: 0)
        #expect(try await send(cache, method: .head).fields["Content-Length"] == ByteString("\(length)"))
        #expect(try await send(cache, ["If-None-Match": "\"1\""]).status == 304)
        #expect(try await send(cache, ["Range": "bytes=2000000-"]).status == 416)
        #expect(origin.requestCount() == 1)
    }

    @Test func `that is damaged elsewhere still gives a part, and is loaded again as a whole`() async throws {
        let cache = try await filled()
        try damage(at: 1_999_999)
        #expect(try await send(cache, ["Range": "bytes=0-0"]).body.collect() == photo.prefix(1))
        #expect(origin.requestCount() == 1)
        let response = try await send(cache)
        #expect(try await response.body.collect() == photo)
        #expect(response.cacheOutcome?.source == .network)
        #expect(origin.requestCount() == 2)
    }

    @Test func `comes as a whole to who does not take files`() async throws {
        let cache = try await filled()
        let response = try await cache.transport.send(HTTPRequest(origin.url("/a")))
        #expect(response.body.slice == nil)
        #expect(try await response.body.collect() == photo)
    }
}
