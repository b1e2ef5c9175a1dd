import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeTransport

/// The cost of a response's head, from the wire up to the layers.
struct FieldCostTests {
    static let names: [CaselessString] = [
        "Connection", "Content-Encoding", "Content-Length", "Location", "Retry-After", "Transfer-Encoding", "X-Unknown",
    ]
    static let values = [Array("http://a.example/, b".utf8), Array("\u{E9}, b".utf8), [0xE9] + Array(", b".utf8)]

    // Each line used to decode and copy all lines before it.
    @Test(arguments: names, values)
    func `980 lines of a field cost a response a few looks at their bytes`(
        _ name: CaselessString, _ value: [UInt8]
    ) async throws {
        let line = Array("\(name): ".utf8) + value + [0x0D, 0x0A]
        let size = 980 * line.count
        var fields = HTTPFields()
        let parsing = await TextCosts.count {
            var parser = ResponseHeadParser(limit: .max)
            let lines = [Array("HTTP/1.1 200 OK\r\n".utf8)] + Array(repeating: line, count: 980) + [[0x0D, 0x0A]]
            for line in lines { line.withUnsafeBytes { line in _ = try? parser.take(line) } }
            _ = parser.head?.isCodedByNobody
        }
        for _ in 0..<980 { fields.append(ByteString(bytes: value), to: name) }
        var retry = RetryPolicy(count: 1)
        retry.firstPause = .zero
        let request = try HTTPRequest(#require(URL(string: "http://origin.test/")))
        let walking = await TextCosts.count { [fields, retry] in
            for status in [200, 302, 503] {
                let transport = FakeTransport(status: status, fields: fields, body: Data())
                    .withStandardLayers(retry: retry, bodyLimit: 1 << 20)
                _ = try? await transport.send(request)
            }
        }
        #expect(parsing < 24 * size && walking < 24 * size, "\(parsing / size) and \(walking / size) times")
    }
}
