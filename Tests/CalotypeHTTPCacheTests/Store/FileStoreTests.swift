import CalotypeHTTPCache
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing
import Waiting

/// The store in files of the guide "An HTTP cache for your client".
@Suite struct `A store in files` {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("calotype-files-\(UUID())")
    private let body = StreamingHarness.body

    private func names(_ end: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (names ?? []).filter { $0.hasSuffix(end) }
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
        await waitUntil { names(".part").isEmpty }
        #expect(names("").count == 2)

        // As after a restart, with a body that a killed process left behind.
        try Data("unfinished".utf8).write(to: folder.appendingPathComponent("1.part"))
        let later = try HTTPCache(rules: .private, store: FileStore(folder: folder), onProblem: { Issue.record($0) })
        let again = try await CurlTransport().cached(in: later).send(HTTPRequest(origin.url("/a")))
        #expect(again.cacheOutcome?.source == .fresh)
        #expect(try await again.body.collect() == body)
        #expect(names(".part").isEmpty)
    }
}
