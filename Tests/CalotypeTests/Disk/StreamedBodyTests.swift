import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTesting
import Foundation
import TestSupport
import Testing
import Waiting

/// Bodies that are stored on disk while they arrive.
@Suite(.timeLimit(.minutes(1))) struct `A large body on its way to the disk` {
    private let folder = TemporaryFolder()
    private let clock = ManualClock(start: WallClock.system.now)
    private let origin: OriginServer
    private static let photo = Data((0..<6_000_000).map { UInt8(truncatingIfNeeded: ($0 &* 7) >> 4) })

    init() throws { origin = try OriginServer() }

    private func fields(_ more: HTTPFields = [:]) -> HTTPFields {
        var fields = more
        fields["Cache-Control"] = "max-age=6000"
        fields["ETag"] = "\"1\""
        fields["Accept-Ranges"] = "bytes"
        fields["Date"] = HTTPDate.format(clock.wall.now)
        return fields
    }

    /// The unfinished files of the store.
    private var unfinished: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/temp")
        return (names ?? []).filter { !$0.hasSuffix(".lock") }
    }

    /// The paths below the store's folder that this process has open, except those of the index.
    private var openFiles: [String] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let paths = numbers.compactMap { number in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
        }
        let name = URL(fileURLWithPath: folder.path).lastPathComponent
        return paths.filter { $0.contains("\(name)/") && !$0.contains("index.") && !$0.hasSuffix(".lock") }
    }

    @Test func `is served from there after a restart, whole and in parts`() async throws {
        origin.on("/a", OriginReply(fields: fields(), body: Self.photo))
        let first = DiskCacheHarness(in: folder, clock: clock)
        #expect(try await first.get(origin.url("/a")).body == Self.photo)
        try await first.disk.close()
        let second = DiskCacheHarness(in: folder, clock: clock, memory: 64 << 20)
        let whole = try await second.get(origin.url("/a"))
        #expect(whole.source == "fresh" && whole.body == Self.photo)
        let part = try await second.get(origin.url("/a"), ["Range": "bytes=5000000-5000099"])
        #expect(part.body == Self.photo[5_000_000..<5_000_100])
        #expect(second.store.memoryBytes < 100_000 && origin.requestCount() == 1)
        #expect(second.allProblems.isEmpty)
    }

    @Test func `that a 304 takes off the disk goes to the client without a second request`() async throws {
        let fields = fields()
        origin.on("/a") { request in
            guard request.fields["If-None-Match"] != nil else { return OriginReply(fields: fields, body: Self.photo) }
            return OriginReply(status: 304, fields: ["Cache-Control": "no-store", "ETag": "\"1\""])
        }
        let cache = DiskCacheHarness(in: folder, clock: clock)
        _ = try await cache.get(origin.url("/a"))
        clock.advance(by: .seconds(7000))
        #expect(try await cache.get(origin.url("/a")).body == Self.photo)
        #expect(origin.requestCount() == 2)
        await waitUntil { openFiles.isEmpty }
        #expect(try await cache.get(origin.url("/a")).source == "network")
        #expect(cache.allProblems.isEmpty)
    }

    @Test func `breaks off where its stored copy is damaged, and is loaded again`() async throws {
        origin.on("/a", OriginReply(fields: fields(), body: Self.photo))
        let first = DiskCacheHarness(in: folder, clock: clock)
        _ = try await first.get(origin.url("/a"))
        try await first.disk.close()
        try damage(at: 5_000_000)
        let second = DiskCacheHarness(in: folder, clock: clock)
        await #expect(throws: TransportError.self) { try await second.get(origin.url("/a")) }
        #expect(try await second.get(origin.url("/a")).source == "network")
        #expect(second.allProblems.count == 1)
    }

    private func damage(at offset: Int) throws {
        let blobs = URL(fileURLWithPath: folder.path).appending(path: "blobs")
        let files = FileManager.default.enumerator(at: blobs, includingPropertiesForKeys: [.isRegularFileKey])
        for case let file as URL in try #require(files) where !file.hasDirectoryPath {
            let handle = try FileHandle(forUpdating: file)
            try handle.seek(toOffset: UInt64(offset))
            try handle.write(contentsOf: [0xFF, 0x00, 0xFF])
        }
    }

    @Test func `is one of several variants, of which any may be removed`() async throws {
        let clock = clock
        origin.on("/a") { request in
            let seed = UInt8(request.fields["Accept-Language"]?.count ?? 0)
            return OriginReply(
                fields: [
                    "Cache-Control": "max-age=6000", "Vary": "Accept-Language",
                    "Date": HTTPDate.format(clock.wall.now),
                ], body: Data(repeating: seed, count: 2_000_000))
        }
        let cache = DiskCacheHarness(in: folder, clock: clock)
        let languages: [ByteString] = ["d", "en", "fra"]
        for language in languages { _ = try await cache.get(origin.url("/a"), ["Accept-Language": language]) }
        let key = try #require(
            try await cache.disk.list().lazy.compactMap { DiskHTTPCacheStore.key(ofPage: $0.key) }.first)
        for removed in 0..<2 {
            let first = try #require(try await cache.store.variants(of: key).first)
            try await cache.store.remove([first.id], for: key)
            for language in languages.dropFirst(removed + 1) {
                let answer = try await cache.get(origin.url("/a"), ["Accept-Language": language])
                #expect(answer.source == "fresh")
                #expect(answer.body == Data(repeating: UInt8(language.count), count: 2_000_000))
            }
        }
        try await cache.disk.flush()
        #expect(try await cache.disk.list().count == 1)
        #expect(cache.allProblems.isEmpty)
    }

    @Test func `goes on where its process was killed, or starts again`() async throws {
        let gate = Gate()
        let whole = OriginReply(fields: fields(), body: Self.photo)
        origin.on("/a", replies: [whole.bodyHeld(by: gate, after: 4_000_000), whole])
        let client = try ChildProgram.cacheClient(folder.path, origin.url("/a").absoluteString)
        await waitUntil { size(of: unfinished) >= 3_000_000 }
        await client.kill()
        gate.open()
        let cache = DiskCacheHarness(in: folder, clock: clock)
        #expect(try await cache.disk.statistics().entries == 0)
        try await cache.disk.sweep()
        #expect(unfinished.isEmpty)
        #expect(try await cache.get(origin.url("/a")).body == Self.photo)
        #expect(try await cache.get(origin.url("/a")).source == "fresh")
    }

    private func size(of names: [String]) -> Int {
        names.reduce(0) { sum, name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder.path)/temp/\(name)")
            return sum + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
        }
    }

    @Test func `goes on where it broke off, also after a restart`() async throws {
        let fields = fields()
        origin.on("/a") { request in
            guard let range = request.fields["Range"], let start = Int(range.string.dropFirst(6).dropLast()) else {
                return OriginReply(fields: fields, body: Self.photo).droppedAfter(bytes: 4_000_000)
            }
            var fields = fields
            fields["Content-Range"] = "bytes \(start)-5999999/6000000"
            return OriginReply(status: 206, fields: fields, body: Self.photo[start...])
        }
        let first = DiskCacheHarness(in: folder, clock: clock)
        await #expect(throws: TransportError.self) { try await first.get(origin.url("/a")) }
        await waitUntil { unfinished.isEmpty }
        try await first.disk.close()
        let second = DiskCacheHarness(in: folder, clock: clock)
        #expect(try await second.get(origin.url("/a")).body == Self.photo)
        #expect(origin.requests.last?.fields["Range"] != nil)
        #expect(try await second.get(origin.url("/a")).source == "fresh")
        #expect(try await second.disk.verify().isClean)
    }

    @Test func `in two hundred copies, half of them left, gives everything back`() async throws {
        let gate = Gate()
        let reply = OriginReply(fields: fields(), body: Self.photo.prefix(1_500_000))
        origin.onAny { _ in reply.bodyHeld(by: gate, after: 1_200_000) }
        let cache = DiskCacheHarness(in: folder, clock: clock, byteLimit: 1_000_000_000, connections: 256)
        let loads = (0..<200).map { number in
            Task { try await cache.get(origin.url("/\(number)")).body.count }
        }
        await origin.waitForRequests(200)
        for number in 0..<200 where number % 2 == 0 { loads[number].cancel() }
        gate.open()
        for (number, load) in loads.enumerated() {
            if number % 2 == 0 { _ = try? await load.value } else { #expect(try await load.value == 1_500_000) }
        }
        await waitUntil { unfinished.isEmpty && cache.cache.transfersUnderWay == 0 }
        for number in 0..<200 where number % 2 == 1 {
            #expect(try await cache.get(origin.url("/\(number)")).source == "fresh")
        }
        #expect(cache.disk.streamedBytes == 0)
        #expect(try await cache.disk.verify().isClean)
        try await cache.disk.close()
        await waitUntil { openFiles.isEmpty }
    }

    @Test func `of an announced length beyond all disks passes through`() async throws {
        let fields = fields(["Content-Length": "9223372036854775807"])
        let base = FakeTransport { request throws(TransportError) in
            HTTPResponse(url: request.url, status: 200, fields: fields, body: HTTPBody(Chunks([Self.photo])))
        }
        let cache = DiskCacheHarness(in: folder, clock: clock)
        let response = try await base.cached(in: cache.cache).send(HTTPRequest(origin.url("/a")))
        #expect(try await response.body.collect() == Self.photo)
        #expect(try await cache.disk.statistics().entries == 0)
    }

    @Test func `of a store without room passes through`() async throws {
        origin.on("/a", OriginReply(fields: fields(), body: Self.photo))
        origin.on("/b", OriginReply(fields: fields(), body: Self.photo).chunked())
        let cache = DiskCacheHarness(in: folder, clock: clock, byteLimit: 5_000_000)
        for path in ["/a", "/b"] {
            for _ in 0..<2 { #expect(try await cache.get(origin.url(path)).body == Self.photo) }
        }
        #expect(origin.requestCount() == 4)
        await waitUntil { unfinished.isEmpty }
        #expect(try await cache.disk.statistics().entries == 0)
    }
}

private final class Chunks: HTTPBodySource {
    private let rest: Locked<[Data]>

    init(_ chunks: [Data]) { rest = Locked(chunks) }

    func next() async throws(TransportError) -> Data? { rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
