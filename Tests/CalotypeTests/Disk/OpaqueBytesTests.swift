import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTesting
import TestSupport
import CalotypeTransport
import Foundation
import Testing

@testable import Calotype

/// RFC 9110 §5.5 and §8.8.3: bytes above 0x7F in field values are opaque. They used to be written as UTF-8, so that a
/// request carried a tag which the origin had never issued.
@Suite struct `Bytes that are not UTF-8` {
    /// é in ISO 8859-1, in quotes.
    static let tag: [UInt8] = [0x22, 0xE9, 0x22]

    /// Answers with the tag, and with 304 to a request that carries exactly the same bytes.
    private final class Server: Sendable {
        let url: URL
        private let listener: RawListener

        init(_ clock: ManualClock) throws {
            let date = HTTPDate.format(clock.wall.now).bytes
            listener = try RawListener { head in
                let isConfirmed = head.hasLine(Array("If-None-Match: ".utf8) + tag)
                let status = isConfirmed ? "HTTP/1.1 304 Not Modified" : "HTTP/1.1 200 OK"
                let lines = [
                    Array(status.utf8), Array("ETag: ".utf8) + tag, Array("Cache-Control: max-age=60".utf8),
                    Array("Date: ".utf8) + date, Array("Connection: close".utf8),
                ]
                let answer = Array((lines + [[], []]).joined(separator: "\r\n".utf8))
                return isConfirmed ? answer : answer + Array("one".utf8)
            }
            url = try #require(URL(string: "http://127.0.0.1:\(listener.port)/a"))
        }

        deinit { listener.stop() }
    }

    private let clock = ManualClock()

    @Test func `come back in If-None-Match from a cache in memory`() async throws {
        let server = try Server(clock)
        let cache = HTTPCache(
            rules: CacheRules(.private), store: MemoryHTTPCacheStore(), wallClock: clock.wall)
        let transport = CurlTransport().cached(in: cache)
        let first = try await transport.send(HTTPRequest(server.url))
        #expect(first.fields["ETag"]?.bytes == Self.tag)
        #expect(try await first.body.collect() == Data("one".utf8))
        clock.advance(by: .seconds(100))
        let second = try await transport.send(HTTPRequest(server.url))
        #expect(second.cacheOutcome?.source == .revalidated)
        #expect(second.cacheOutcome?.validator?.bytes == Self.tag)
        #expect(second.fields["ETag"]?.bytes == Self.tag)
    }

    @Test(arguments: [0, 1 << 20])
    func `come back in If-None-Match from a cache on the disk, after a restart too`(memory: Int) async throws {
        let folder = TemporaryFolder()
        let server = try Server(clock)
        let first = DiskCacheHarness(in: folder, clock: clock, memory: memory)
        #expect(try await first.text(server.url) == "network: one")
        clock.advance(by: .seconds(100))
        #expect(try await first.text(server.url) == "revalidated: one")
        try await first.disk.close()
        clock.advance(by: .seconds(100))
        let second = DiskCacheHarness(in: folder, clock: clock, memory: memory)
        #expect(try await second.text(server.url) == "revalidated: one")
        #expect(second.allProblems.isEmpty)
    }

    @Test func `of the client's own condition reach the origin as they are`() async throws {
        let server = try Server(clock)
        let request = HTTPRequest(server.url, fields: ["If-None-Match": ByteString(bytes: Self.tag)])
        #expect(try await CurlTransport().send(request).status == 304)
        let other = HTTPRequest(server.url, fields: ["If-None-Match": "\"\u{E9}\""])
        #expect(try await CurlTransport().send(other).status == 200)
    }

    @Test func `stay in a stored head, beside what earlier versions wrote`() throws {
        let fields: HTTPFields = ["ETag": ByteString(bytes: Self.tag), "X-Accent": "\u{E9}", "X-Two": "a: \u{E9}"]
        let head = StoredHead(url: "https://example.org/a", status: 200, fields: fields)
        let read = try #require(StoredHead(encoded: head.encoded))
        #expect(read == head && read.encoded == head.encoded)
        #expect(read.fields["ETag"]?.bytes == Self.tag)
        // Values in UTF-8 keep their text form.
        let earlier = Data("200 https://example.org/a\nETag: \"\u{E9}\"\nX-Accent: e\u{301}\n".utf8)
        let known = try #require(StoredHead(encoded: earlier))
        #expect(known.fields == ["ETag": "\"\u{E9}\"", "X-Accent": "e\u{301}"])
        #expect(known.encoded == earlier)
    }

    @Test func `stay in the heads of a URL's variants`() throws {
        let latin = ByteString(bytes: [0xE9, 0xFF])
        let response = StoredResponse(
            url: "http://example.org/\(latin)", status: 200, fields: ["ETag": latin], requestTime: 1, responseTime: 2,
            varying: [VaryingField(name: "x", value: latin), VaryingField(name: "y", value: "\u{E9}")])
        let text = [StoredVariant(id: 7, head: response, body: nil)].encodedHeads
        let read = try #require([StoredVariant](encodedHeads: text)?.first)
        #expect(read.head == response)
        #expect([read].encodedHeads == text)
    }
}

extension [UInt8] {
    fileprivate func hasLine(_ line: [UInt8]) -> Bool {
        split(separator: 0x0A).contains { $0.elementsEqual(line + [0x0D]) }
    }
}
