import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeListener
import CalotypeTesting
import Foundation
import Testing

@testable import calotype_command

/// The cost of a request to the thread that serves other clients, too.
struct FieldCostTests {
    /// Every field of a request that the proxy or its cache reads, and one unknown field.
    static let names: [CaselessString] = [
        "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Authorization", "Cache-Control",
        "Connection",
        "Content-Length", "Cookie", "Expect", "Host", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range",
        "If-Unmodified-Since", "Max-Forwards", "Pragma", "Proxy-Authorization", "Range", "TE", "Trailer",
        "Transfer-Encoding", "Upgrade", "Via", "X-Unknown",
    ]
    static let values = [
        Array("1.1 some-proxy, \"a\"; b=c".utf8), Array("\u{E9}, \"v1\"".utf8), [0xE9] + Array(", a".utf8),
    ]

    /// Returns a proxy for an origin whose response is stored, and varies by all negotiated fields.
    private func proxy() async throws -> Proxy {
        let origin = try HTTPOrigin(#require(URL(string: "http://origin.example")))
        let transport = FakeTransport(
            fields: [
                "Cache-Control": "max-age=3600", "ETag": "\"v1\"",
                "Date": HTTPDate.format(Date().timeIntervalSince1970),
                "Vary": "Accept, Accept-Charset, Accept-Encoding, Accept-Language, Cookie, X-Unknown",
            ], body: Data("bytes".utf8))
        let upstream = ProxyUpstream(transport, mode: .shared)
        var request = try HTTPRequest(#require(URL(string: "http://origin.example")))
        request.rawTarget = "/"
        _ = try await upstream.send(request) { _, _ in }.body.collect()
        #expect(upstream.cache.immediateAnswer(to: request) { _ in Stored() } != nil)
        return Proxy(
            route: ProxyRoute(origin: origin), upstream: upstream, metrics: ProxyMetrics(), complain: { _ in })
    }

    // Each line used to decode and copy all lines before it: 64 KB took 11 s.
    @Test(arguments: names, values)
    func `980 lines of a field cost a request a few looks at their bytes`(
        _ name: CaselessString, _ value: [UInt8]
    ) async throws {
        let proxy = try await proxy()
        let line = HTTPFields.Field(name: name, value: ByteString(bytes: value))
        let request = ListenerRequest(target: "/", fields: HTTPFields(Array(repeating: line, count: 980)))
        let size = 980 * (name.count + value.count)
        let cost = await TextCosts.count { _ = proxy.answer(request) }
        #expect(cost < 24 * size, "\(cost / size) times")
    }

    // Each field used to be compared with each option.
    @Test func `thousands of Connection options cost no more than their bytes`() async {
        let names = (0..<4_000).map { CaselessString("x-\($0)") }
        let options = names.dropFirst(2_000).map(\.string).joined(separator: ", ")
        let named = HTTPFields.Field(name: "Connection", value: ByteString(options))
        let fields = HTTPFields(names.map { HTTPFields.Field(name: $0, value: "1") } + [named])
        let cost = await TextCosts.count { #expect(ForwardedFields.endToEnd(fields).count == 2_000) }
        #expect(cost < 24 * 2 * options.utf8.count)
    }
}

private final class Stored: Sendable {}
