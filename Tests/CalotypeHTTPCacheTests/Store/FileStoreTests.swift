import CalotypeHTTPCache
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing
import Waiting

/// The bodies in files of a program's own store.
struct FileBodiesTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("calotype-bodies-\(UUID())")
    private let bytes = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31 / 7) })
    private let variant = StoredVariant(
        head: StoredResponse(url: "u", status: 200, fields: [:], requestTime: 0, responseTime: 0, bodyLength: 600_000),
        body: nil)

    /// Calls `work` with the URL of a file that does not exist, in a folder of its own.
    private func inFolder(_ work: (URL) async throws -> Void) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await work(folder.appendingPathComponent("a"))
    }

    @Test(arguments: [0..<600_000, 0..<0, 262_143..<262_145, 599_999..<600_000])
    func `a body reads its range of a file, which may be deleted meanwhile`(range: Range<Int>) async throws {
        try await inFolder { file in
            try bytes.write(to: file)
            let body = try HTTPBody(contentsOf: file, in: range)
            try FileManager.default.removeItem(at: file)
            #expect(try await body.collect() == bytes[range])
        }
    }

    @Test func `a body whose file is too short, or absent, fails`() async throws {
        try await inFolder { file in
            #expect(throws: TransportError.self) { try HTTPBody(contentsOf: file, in: 0..<1) }
            try bytes.write(to: file)
            let body = try HTTPBody(contentsOf: file, in: 599_999..<600_001)
            let error = await #expect(throws: TransportError.self) { try await body.collect() }
            #expect(error?.code == .truncatedBody)
            let before = try HTTPBody(contentsOf: file, in: -1..<1)
            await #expect(throws: TransportError.self) { try await before.collect() }
        }
    }

    @Test(arguments: [false, true])
    func `a writer reads back what it has, and leaves a file only if it commits`(commits: Bool) async throws {
        try await inFolder { file in
            let place = folder.appendingPathComponent("b")
            let store = try FileStore(folder: folder)
            var writer: (any HTTPBodyWriter)? = try store.fileWriter(at: file) { _, _ in
                try FileManager.default.moveItem(at: file, to: place)
            }
            #expect(throws: TransportError.self) { try store.fileWriter(at: file) { _, _ in } }
            try await writer?.append([bytes.prefix(1000), bytes[1000..<500_000]])
            try await writer?.append([Data(), bytes.suffix(100_000)])
            #expect(try await writer?.read(999..<500_001) == bytes[999..<500_001])
            if commits { try await writer?.commit(variant, replacing: []) }
            #expect(try await writer?.read(0..<10) == bytes.prefix(10))
            writer = nil
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.filter { $0 != "parts" } == (commits ? ["b"] : []))
            if commits { #expect(try Data(contentsOf: place) == bytes) }
        }
    }

    @Test func `keys have different names of fixed length`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try FileStore(folder: folder)
        let names = ["", "http://a.test/a", "http://a.test/b"].map { store.fileName(for: $0) }
        #expect(Set(names).count == 3 && names.allSatisfy { $0.count == 64 })
    }
}

/// The store in files of the guide "An HTTP cache for your client".
@Suite struct `A store in files` {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("calotype-files-\(UUID())")
    private let body = StreamingHarness.body

    /// The names of the files in a folder of the store.
    private func names(_ path: String = "") -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(path).path)
        return (names ?? []).filter { $0 != "parts" }
    }

    @Test func `serves what it stored while it arrived, and keeps nothing of what broke off`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let origin = try OriginServer()
        let reply = OriginReply(fields: ["Cache-Control": "max-age=1000"], body: body)
        origin.on("/a", reply)
        origin.on("/b", reply.droppedAfter(bytes: 2_000_000))
        let cache = try HTTPCache(rules: .private, store: FileStore(folder: folder), onProblem: { Issue.record($0) })
        let transport = CurlTransport().cached(in: cache)
        for _ in 0..<2 {
            #expect(try await transport.send(HTTPRequest(origin.url("/a"))).body.collect() == body)
        }
        #expect(origin.requestCount() == 1)
        let part = try await transport.send(HTTPRequest(origin.url("/a"), fields: ["Range": "bytes=1000000-1000009"]))
        #expect(try await part.body.collect() == body[1_000_000..<1_000_010])
        await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(origin.url("/b"))).body.collect()
        }
        await waitUntil { names("parts").isEmpty }
        #expect(names().count == 2)

        // As after a restart, with a body that a killed process left behind.
        try Data("unfinished".utf8).write(to: folder.appendingPathComponent("parts/1"))
        let later = try HTTPCache(rules: .private, store: FileStore(folder: folder), onProblem: { Issue.record($0) })
        let again = try await CurlTransport().cached(in: later).send(HTTPRequest(origin.url("/a")))
        #expect(again.cacheOutcome?.source == .fresh)
        #expect(try await again.body.collect() == body)
        #expect(names("parts").isEmpty)
    }

    @Test func `shares a download with requests that come late`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let origin = try OriginServer()
        let gate = Gate()
        let reply = OriginReply(fields: ["Cache-Control": "max-age=1000"], body: body)
        origin.on("/a", reply.bodyHeld(by: gate, after: 2_500_000))
        let cache = try HTTPCache(rules: .private, store: FileStore(folder: folder), onProblem: { Issue.record($0) })
        let transport = CurlTransport().cached(in: cache)
        var reader = try await transport.send(HTTPRequest(origin.url("/a"))).body.makeAsyncIterator()
        var read = Data()
        while read.count < 2_500_000, let chunk = try await reader.next() { read += chunk }
        let late = try await transport.send(HTTPRequest(origin.url("/a")))
        gate.open()
        async let other = late.body.collect()
        while let chunk = try await reader.next() { read += chunk }
        #expect(try await other == body && read == body)
        #expect(origin.requestCount() == 1)
    }

    @Test func `removes a response whose new version forbids storing, and its file`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let origin = try OriginServer()
        let clock = ManualClock()
        origin.on("/a", OriginReply(fields: ["Cache-Control": "max-age=10", "ETag": "\"1\""], body: body))
        let cache = try HTTPCache(
            rules: .private, store: FileStore(folder: folder), wallClock: clock.wall, onProblem: { Issue.record($0) })
        let transport = CurlTransport().cached(in: cache)
        #expect(try await transport.send(HTTPRequest(origin.url("/a"))).body.collect() == body)
        origin.on("/a", OriginReply(status: 304, fields: ["Cache-Control": "no-store", "ETag": "\"1\""]))
        clock.advance(by: .seconds(20))
        // The body's file is open before it is deleted.
        #expect(try await transport.send(HTTPRequest(origin.url("/a"))).body.collect() == body)
        #expect(origin.requestCount() == 2 && names().count == 1)
    }
}
