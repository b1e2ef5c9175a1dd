import CalotypeBase
import CalotypeHTTP
@testable import CalotypeListener
import CalotypeTesting
import TestSupport
import Foundation
import FoundationNetworking
import Testing

@Suite struct ListenerRequestTests {
    /// Answers with a description of the request, on the listener's own thread.
    private func echo(
        _ options: Listener.Options = .init(), seen: @escaping @Sendable (ListenerRequest) -> Void
    ) throws -> Listener {
        try Listener(
            options: options,
            answer: { request in
                seen(request)
                return .now(ListenerResponse(body: request.body))
            })
    }

    @Test func `the target arrives as it was sent, escapes and all`() async throws {
        let targets = Locked<[String]>([])
        let listener = try echo { request in targets.withLock { $0.append(request.target) } }
        let client = try RawClient(port: listener.port)
        try client.get("/a%20b/%2e%2E//c?x=%41&&y", lines: ["Connection: close"])
        _ = await client.receive()
        #expect(targets.withLock { $0 } == ["/a%20b/%2e%2E//c?x=%41&&y"])
    }

    @Test func `an absolute target keeps its scheme and host`() async throws {
        let targets = Locked<[String]>([])
        let listener = try echo { request in targets.withLock { $0.append(request.target) } }
        let client = try RawClient(port: listener.port)
        try client.get("http://example.com/a?b", lines: ["Connection: close"])
        _ = await client.receive()
        #expect(targets.withLock { $0 } == ["http://example.com/a?b"])
    }

    @Test func `field lines arrive in order, duplicates and empty ones included`() async throws {
        let fields = Locked(HTTPFields())
        let listener = try echo { request in fields.withLock { $0 = request.fields } }
        let client = try RawClient(port: listener.port)
        try client.get("/", lines: ["X-B: 1", "X-A: 2", "x-b: 3", "X-Empty:", "Connection: close"])
        _ = await client.receive()
        let lines = fields.withLock { $0.map { "\($0.name)=\($0.value)" } }
        #expect(lines == ["Host=test", "X-B=1", "X-A=2", "x-b=3", "X-Empty=", "Connection=close"])
    }

    @Test func `any token is a method`() async throws {
        let methods = Locked<[ByteString]>([])
        let listener = try echo { request in methods.withLock { $0.append(request.method.rawValue) } }
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "BREW", lines: ["Connection: close"])
        #expect(await client.receive().hasPrefix("HTTP/1.1 200"))
        #expect(methods.withLock { $0 } == ["BREW"])
    }

    @Test(arguments: [0, 1, 5000, 300_000])
    func `a body arrives whole`(count: Int) async throws {
        let listener = try echo { _ in }
        var request = URLRequest(url: listener.url)
        request.httpMethod = "POST"
        request.httpBody = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        let (data, _) = try await URLSession(configuration: .ephemeral).data(for: request)
        #expect(data == request.httpBody)
    }

    @Test func `a chunked body arrives without its chunks`() async throws {
        let listener = try echo { _ in }
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "POST", lines: ["Transfer-Encoding: chunked", "Connection: close"])
        try client.send("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        #expect(await client.receive().hasSuffix("\r\n\r\nabcde"))
    }

    @Test func `a body that announces too much is refused before it is read`() async throws {
        let handled = Locked(0)
        var options = Listener.Options()
        options.bodyLimit = 10
        let listener = try echo(options) { _ in handled.withLock { $0 += 1 } }
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "POST", lines: ["Content-Length: 11"])
        let answer = await client.receive()
        #expect(answer.hasPrefix("HTTP/1.1 413"))
        #expect(answer.contains("larger than the limit of 10 bytes"))
        #expect(handled.withLock { $0 } == 0)
    }

    @Test func `a body that turns out too long is cut off`() async throws {
        let handled = Locked(0)
        var options = Listener.Options()
        options.bodyLimit = 10
        let listener = try echo(options) { _ in handled.withLock { $0 += 1 } }
        let client = try RawClient(port: listener.port)
        try client.get("/", method: "POST", lines: ["Transfer-Encoding: chunked"])
        try client.send("b\r\n01234567890\r\n0\r\n\r\n")
        #expect(await client.receive().hasPrefix("HTTP/1.1 413"))
        #expect(handled.withLock { $0 } == 0)
    }

    @Test func `fields beyond the memory for them are refused`() async throws {
        var options = Listener.Options()
        options.headerMemory = 4096
        let listener = try echo(options) { _ in }
        let client = try RawClient(port: listener.port)
        try client.get("/", lines: ["X-Long: " + String(repeating: "x", count: 5000)])
        let answer = await client.receive()
        #expect(answer.hasPrefix("HTTP/1.1 431"))
    }
}
