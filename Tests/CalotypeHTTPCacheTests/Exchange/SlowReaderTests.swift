import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTesting
import Foundation
import Testing

@Suite struct `Slow readers` {
    private static let body = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 / 7) })

    /// Answers in chunks, after the gate's first bytes, and with parts for clients with the right tag.
    private func serve(_ cache: CacheHarness, tag: ByteString?, _ gate: Gate) {
        let date = cache.date
        cache.origin.on("/a") { request in
            var fields: HTTPFields = ["Cache-Control": "max-age=1000", "Date": date]
            fields["ETag"] = tag
            guard let range = request.fields["Range"], request.fields["If-Range"] == tag,
                let start = Int(range.string.dropFirst("bytes=".count).dropLast())
            else { return OriginReply(fields: fields, body: Self.body).bodyHeld(by: gate, after: 1000).chunked() }
            fields["Content-Range"] = "bytes \(start)-\(Self.body.count - 1)/\(Self.body.count)"
            return OriginReply(status: 206, fields: fields, body: Self.body[start...])
        }
    }

    // One client that stopped reading used to stall all others of a body too large to store.
    @Test(.timeLimit(.minutes(1)), arguments: ["\"1\"", "W/\"1\"", nil] as [ByteString?])
    func `hold up nobody, and get the rest by a request of their own where a tag allows it`(tag: ByteString?)
        async throws
    {
        var options = HTTPCacheOptions()
        options.bodyLimit = 100_000
        let cache = try CacheHarness(CacheRules(.shared), options: options)
        let gate = Gate()
        serve(cache, tag: tag, gate)
        let slow = try await cache.transport.send(cache.request("/a"))
        let fast = try await cache.transport.send(cache.request("/a"))
        #expect(cache.origin.requestCount() == 1)
        var reader = slow.body.makeAsyncIterator()
        var read = try await reader.next() ?? Data()
        gate.open()
        #expect(try await fast.body.collect() == Self.body)
        #expect(cache.origin.requestCount() == 1)
        if tag == "\"1\"" {
            while let chunk = try await reader.next() { read += chunk }
            #expect(read == Self.body)
            #expect(cache.origin.requests.last?.fields["If-Range"] == tag)
            #expect(cache.origin.requestCount() == 2)
        } else {
            let error = await #expect(throws: TransportError.self) { while try await reader.next() != nil {} }
            #expect(error?.code == .connectionLost)
            #expect(cache.origin.requestCount() == 1)
        }
    }
}
