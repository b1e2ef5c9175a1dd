import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
@testable import CalotypeURLs
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer

/// Sources on the web whose bytes are checked before an image is decoded, or sent unchanged.
@Suite(.timeLimit(.minutes(1))) struct CheckedSourceTests {
    private func get(_ web: WebServer, _ options: ByteString, _ path: String) async throws -> TestServer.Answer {
        let url = ByteString("\(web.origin.url.absoluteString)\(path)")
        return try await web.server.get("/_/\(options)/\(ByteString(base64: url.bytes))")
    }

    private func photo(_ seed: Int) -> Data { SamplePhotos.jpeg(width: 640, height: 480, seed: seed) }

    private func digest(_ data: Data) throws -> ByteString {
        let kind = try #require(SourceDigest(rawValue: "md5"))
        return try #require(kind.hexadecimal(of: data))
    }

    /// Makes a server whose origin has another image for each request, until the third.
    private func changingWeb(isStored: Bool) throws -> WebServer {
        let web = try WebServer(isStored: isStored)
        let replies = (1...3).map { WebServer.reply("no-cache", tag: "\"v\($0)\"", seed: $0) }
        web.origin.on("/images/a.jpg", replies: replies)
        return web
    }

    @Test(arguments: [false, true])
    func `the bytes with the right digest are those that are decoded`(isStored: Bool) async throws {
        let web = try changingWeb(isStored: isStored)
        let second = try digest(photo(2))
        #expect(try await get(web, "w:64/hs:md5:\(second)/f:png", "/images/a.jpg").status == 422)
        #expect(web.origin.requestCount() == 1)
        // The cache of results has the failure of the other size.
        #expect(try await get(web, "w:65/hs:md5:\(second)/f:png", "/images/a.jpg").status == 200)
        #expect(web.origin.requestCount() == 2)
    }

    @Test(arguments: [false, true])
    func `an unchanged source is the one whose entity tag it has`(isStored: Bool) async throws {
        let web = try changingWeb(isStored: isStored)
        let raw = try await get(web, "raw:1", "/images/a.jpg")
        #expect(raw.status == 200 && raw.body == photo(1) && web.origin.requestCount() == 1)
    }

    // 28 of them fill the memory for originals.
    @Test(.requirement("V48"))
    func `200 sources that are checked do not wait for each other, and have a limit of memory`() async throws {
        let web = try WebServer(isStored: true) { options, _ in
            options.memoryLimit = MemoryShares.smallest
            options.decoders.register(HeldDecoder(gate: Gate(isOpen: true)))
        }
        web.origin.onAny { request in
            var reply = OriginReply.ok(Data("HELD \(request.path)".utf8) + Data(count: 300_000))
            reply.fields["Cache-Control"] = "max-age=100"
            return reply
        }
        let tasks = (0..<200).map { number in
            Task { try await get(web, "w:10/msfs:1000000/f:png", "/images/\(number)") }
        }
        var statuses: [Int: Int] = [:]
        for task in tasks {
            let status = try await task.value.status
            statuses[status, default: 0] += 1
        }
        #expect(statuses[200] ?? 0 > 0 && Set(statuses.keys).isSubset(of: [200, 503]), "\(statuses)")
        await waitUntil { web.server.server.work.undecodedBytes == 0 }
        #expect(try await get(web, "w:10/msfs:1000000/f:png", "/images/200").status == 200)
    }

    @Test func `bytes that memory cannot keep beside others are 503`() async throws {
        let server = try TestServer()
        let held = HeldOriginals(limit: 3_000_000)
        let sources = LocalSources(
            try SourceRoot(server.options.root), ImageLoader(server.options.loader), byteLimit: 4_000_000, held)
        try server.write(SamplePhotos.jpeg(width: 64, height: 48) + Data(count: 2_000_000), "a.jpg")
        let options = try RenditionRequest(path: "/msfs:4000000/plain/a").options
        let demands = SourceDemands(options: options, terms: DecodeTerms())
        let kept = try await demands.check(try await sources.find("a.jpg"))
        #expect(held.bytes > 2_000_000)
        let found = try await sources.find("a.jpg")
        let error = await #expect(throws: ImageError.self) { try await demands.check(found) }
        #expect(error.map { ServerError($0).status } == 503)
        withExtendedLifetime(kept) {}
    }
}
