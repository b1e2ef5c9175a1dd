import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTesting
import Foundation
import Testing

/// The cost of long heads, on both sides of the cache.
struct FieldCostTests {
    static let requestNames: [CaselessString] = [
        "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Authorization", "Cache-Control",
        "Connection",
        "Cookie", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Pragma",
        "Range",
        "X-Unknown",
    ]
    static let responseNames: [CaselessString] = [
        "Age", "Cache-Control", "Cache-Groups", "Cache-Status", "CDN-Cache-Control", "Connection", "Content-Encoding",
        "Content-Language", "Content-Length", "Content-Location", "Content-Range", "Content-Type", "Date", "ETag",
        "Expires", "Last-Modified", "Location", "No-Vary-Search", "Pragma", "Set-Cookie", "Trailer", "Vary",
        "X-Unknown",
    ]
    static let values = [Array("a, \"b\"; c=d".utf8), Array("\u{E9}, \"v1\"".utf8), [0xE9] + Array(", a".utf8)]

    private let clock = ManualClock()

    private func lines(_ name: CaselessString, _ value: [UInt8]) -> HTTPFields {
        let line = HTTPFields.Field(name: name, value: ByteString(bytes: value))
        return HTTPFields(Array(repeating: line, count: 980))
    }

    /// The fields that the cache parses, and parts of values that do not parse, or never end.
    static let parsedInRequests: [CaselessString] = ["Cache-Control", "Range", "If-None-Match", "Accept-Language"]
    static let parsedInResponses: [CaselessString] = [
        "Cache-Control", "CDN-Cache-Control", "Cache-Groups", "No-Vary-Search", "Cache-Status", "Vary", "ETag",
    ]
    static let parts = ["\"", "(", "a=\"b\","]

    private func line(_ name: CaselessString, of part: String) -> HTTPFields {
        let count = (64 << 10) / part.utf8.count
        return [name: ByteString(String(repeating: part, count: count))]
    }

    /// Measures a response that is stored, served again, and revalidated a minute later.
    private func cost(request: HTTPFields = [:], response: HTTPFields = [:]) async throws -> Int {
        let own: HTTPFields = [
            "Cache-Control": "max-age=60", "ETag": "\"v1\"", "Date": HTTPDate.format(clock.wall.now),
            "Vary": "Accept, Accept-Charset, Accept-Encoding, Accept-Language, Cookie, X-Unknown",
        ]
        let fields = HTTPFields(Array(own) + Array(response))
        let origin = FakeTransport { request in
            let isConditional = request.fields["If-None-Match"] != nil
            return HTTPResponse(
                url: request.url, status: isConditional ? 304 : 200, fields: fields,
                body: isConditional ? .empty : HTTPBody(Data("bytes".utf8)))
        }
        let cache = HTTPCache(
            rules: CacheRules(.shared), store: MemoryHTTPCacheStore(), wallClock: clock.wall, onProblem: { _ in })
        let transport = origin.cached(in: cache)
        let asked = try HTTPRequest(#require(URL(string: "http://origin.test/")), fields: request)
        return try await TextCosts.count {
            for seconds in [0, 1, 90] {
                clock.advance(by: .seconds(seconds))
                _ = cache.immediateAnswer(to: asked)
                _ = try await transport.send(asked).body.collect()
            }
        }
    }

    // Each line used to decode and copy all lines before it: 3,500 lines of Cache-Status took 5.8 s.
    @Test(arguments: responseNames, values)
    func `980 lines of a field cost a response a few looks at their bytes`(
        _ name: CaselessString, _ value: [UInt8]
    ) async throws {
        let cost = try await cost(response: lines(name, value))
        let size = 980 * (name.count + value.count)
        #expect(cost < 100 * size, "\(cost / size) times")
    }

    @Test(arguments: requestNames, values)
    func `980 lines of a field cost a request a few looks at their bytes`(
        _ name: CaselessString, _ value: [UInt8]
    ) async throws {
        let cost = try await cost(request: lines(name, value))
        let size = 980 * (name.count + value.count)
        #expect(cost < 100 * size, "\(cost / size) times")
    }

    @Test(arguments: parsedInResponses, parts)
    func `a line of 64 KiB costs a response a few looks at its bytes`(
        _ name: CaselessString, _ part: String
    ) async throws {
        let cost = try await cost(response: line(name, of: part))
        #expect(cost < 100 * (64 << 10), "\(cost >> 16) times")
    }

    @Test(arguments: parsedInRequests, parts)
    func `a line of 64 KiB costs a request a few looks at its bytes`(
        _ name: CaselessString, _ part: String
    ) async throws {
        let cost = try await cost(request: line(name, of: part))
        #expect(cost < 100 * (64 << 10), "\(cost >> 16) times")
    }
}
