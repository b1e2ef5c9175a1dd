import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeHTTPCache

/// Callers' keys that Unicode considers equal. Dictionaries of strings would confuse them.
@Suite struct `Keys that differ in their bytes alone` {
    /// The last two have the same number of bytes, so that a length in front does not distinguish them.
    static let twins: [(ByteString, ByteString)] = [
        ("K", "\u{212A}"), ("a;b", "a\u{37E}b"), ("\u{E9}", "e\u{301}"), ("a\u{301}\u{323}", "a\u{323}\u{301}"),
    ]

    private func request(_ cache: CacheHarness, _ path: String, _ key: ByteString) -> HTTPRequest {
        var request = cache.request(path)
        request.cacheKey = key
        return request
    }

    @Test(arguments: twins)
    func `have an entry each`(_ left: ByteString, _ right: ByteString) async throws {
        let cache = try CacheHarness()
        for path in ["/left", "/right"] { cache.origin.on(path, .text(path, cache: "max-age=60", date: cache.date)) }
        for _ in 0..<2 {
            #expect(try await Answer(cache.transport.send(request(cache, "/left", left))).text == "/left")
            #expect(try await Answer(cache.transport.send(request(cache, "/right", right))).text == "/right")
        }
        #expect(cache.origin.requestCount() == 2)
    }

    @Test(.timeLimit(.minutes(1)), arguments: twins)
    func `share no exchange`(_ left: ByteString, _ right: ByteString) async throws {
        let cache = try CacheHarness()
        let gate = Gate()
        for path in ["/left", "/right"] {
            cache.origin.on(path, .text(path, cache: "max-age=60", date: cache.date).held(by: gate))
        }
        let first = Task { try await Answer(cache.transport.send(request(cache, "/left", left))).text }
        await cache.origin.waitForRequests(1)
        let second = Task { try await Answer(cache.transport.send(request(cache, "/right", right))).text }
        // A shared exchange would never request the second path.
        await cache.origin.waitForRequests(1, path: "/right")
        gate.open()
        #expect(try await first.value == "/left")
        #expect(try await second.value == "/right")
    }
}
