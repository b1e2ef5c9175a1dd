import CalotypeHTTP
import CalotypeTesting
import Foundation
import TestSupport
import Testing

@testable import CalotypeHTTPCache

/// The cases for which the public cache tests have none, against the library. `ProxyCacheCaseTests` has them through a proxy.
@Suite struct CacheCaseTests {
    @Test(arguments: CacheCase.all) func `a cache follows the section`(_ row: CacheCase) async throws {
        for mode in row.modes { try await check(row, mode) }
    }

    private func check(_ row: CacheCase, _ mode: CacheCase.Mode) async throws {
        var rules: CacheRules = mode == .shared ? .shared : .private
        rules.negativeLifetime = .zero
        let cache = try CacheHarness(rules)
        let now = cache.clock.wall.now
        @Sendable func fields(_ fields: CacheCase.Fields) -> HTTPFields {
            HTTPFields(
                fields.map { name, value in
                    let text = CacheCase.value(value, now: now) { HTTPDate.format($0).string }
                    return HTTPFields.Field(name: CaselessString(name), value: ByteString(text))
                })
        }
        let script = CacheCaseScript()
        cache.origin.on("/") { _ in
            let reply = script.next()
            return OriginReply(status: reply.status, fields: fields(reply.fields), body: Data(reply.body.utf8))
        }
        for (number, step) in row.steps.enumerated() {
            let place: Comment = "\(mode.rawValue), step \(number + 1)"
            script.add(step.replies)
            let before = cache.origin.requestCount()
            let answer = try await cache.send(
                "/", fields(step.request), method: HTTPMethod(rawValue: ByteString(step.method)))
            #expect(cache.origin.requestCount() == before + step.replies.count, place)
            #expect(answer.status == step.status, place)
            if let body = step.body, step.method != "HEAD" { #expect(answer.text == body, place) }
            for (name, value) in step.got { #expect(answer[CaselessString(name)]?.string == value, place) }
            for (name, value) in step.seen {
                #expect(cache.origin.requests.last?.fields[CaselessString(name)]?.string == value, place)
            }
        }
        #expect(script.count == 0)
    }
}
