import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeListener
import CalotypeTesting
import CalotypeTransport
import Foundation
import TestSupport
import Testing

@testable import calotype_command

/// The cases for which the public cache tests have none, through the proxy. `CacheCaseTests` has them for the library.
struct ProxyCacheCaseTests {
    @Test(arguments: CacheCase.all) func `a proxy follows the section`(_ row: CacheCase) async throws {
        for mode in row.modes { try await check(row, mode) }
    }

    private func check(_ row: CacheCase, _ mode: CacheCase.Mode) async throws {
        let origin = try OriginServer()
        let listener = try listener(origin, mode == .shared ? .shared : .private)
        let now = Date().timeIntervalSince1970
        @Sendable func value(_ text: String) -> String {
            CacheCase.value(text, now: now) { HTTPDate.format($0).string }
        }
        let script = CacheCaseScript()
        origin.on("/") { _ in
            let reply = script.next()
            let fields = HTTPFields(
                reply.fields.map {
                    HTTPFields.Field(name: CaselessString($0.name), value: ByteString(value($0.value)))
                })
            return OriginReply(status: reply.status, fields: fields, body: Data(reply.body.utf8))
        }
        for (number, step) in row.steps.enumerated() {
            let place: Comment = "\(mode.rawValue), step \(number + 1)"
            script.add(step.replies)
            let before = origin.requestCount()
            let lines = step.request.map { "\($0.name): \(value($0.value))" } + ["Connection: close"]
            let client = try RawClient(port: listener.port)
            try client.get("/", method: step.method, lines: lines)
            let answer = Received(await client.receive())
            #expect(origin.requestCount() == before + step.replies.count, place)
            #expect(answer.status == step.status, place)
            if let body = step.body, step.method != "HEAD" { #expect(answer.body == body, place) }
            for (name, value) in step.got { #expect(answer.fields[name.lowercased()] == value, place) }
            for (name, value) in step.seen {
                #expect(origin.requests.last?.fields[CaselessString(name)]?.string == value, place)
            }
        }
    }

    private func listener(_ origin: OriginServer, _ mode: ProxyOptions.Mode) throws -> Listener {
        var curl = CurlTransport.Options()
        curl.addsNothing = true
        var options = Listener.Options()
        options.streamsBodies = true
        let proxy = Proxy(
            route: ProxyRoute(origin: try HTTPOrigin(origin.url)),
            upstream: ProxyUpstream(CurlTransport(options: curl), mode: mode), metrics: ProxyMetrics(),
            complain: { _ in })
        return try Listener(options: options, answer: proxy.answer)
    }
}

/// A response as a client reads it from its connection.
private struct Received {
    let status: Int?
    let fields: [String: String]
    let body: String

    init(_ text: String) {
        let parts = text.components(separatedBy: "\r\n\r\n")
        let lines = parts[0].components(separatedBy: "\r\n")
        status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) }
        let pairs = lines.dropFirst().compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (line[..<colon].lowercased(), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
        fields = Dictionary(pairs) { first, _ in first }
        body = parts.dropFirst().joined(separator: "\r\n\r\n")
    }
}
