import CalotypeHTTP
import Testing

@testable import CalotypeHTTPCache

/// The lifetimes that a server gives its sources.
@Suite struct SourceLifetimeTests {
    private func freshness(_ rules: CacheRules, status: Int = 200, _ fields: HTTPFields) throws -> Freshness? {
        let decision = rules.storing(
            try get(), status: status, fields: fields.dated, requestTime: noon, responseTime: noon)
        guard case .store(let head) = decision else { return nil }
        return rules.freshness(of: head, now: noon)
    }

    @Test func `a default lifetime keeps responses without freshness`() throws {
        var rules = CacheRules.shared
        #expect(try freshness(rules, [:]) == nil)
        rules.defaultLifetime = .seconds(300)
        #expect(try freshness(rules, [:])?.ttl == 300)
        #expect(try freshness(rules, ["ETag": "\"1\""])?.ttl == 300)
        #expect(try freshness(rules, ["ETag": "\"1\""])?.isExplicit == false)
    }

    @Test func `it gives way to every other lifetime, and to directives`() throws {
        var rules = CacheRules.shared
        rules.defaultLifetime = .seconds(300)
        #expect(try freshness(rules, ["Cache-Control": "max-age=5"])?.ttl == 5)
        #expect(try freshness(rules, ["Last-Modified": "@-100"])?.ttl == 10)
        #expect(try freshness(rules, ["Cache-Control": "no-store"]) == nil)
        #expect(try freshness(rules, ["Cache-Control": "private"]) == nil)
        #expect(try freshness(rules, status: 404, [:])?.ttl == 10)
        #expect(try freshness(rules, status: 501, [:]) == nil)
    }

    @Test func `stale-while-revalidate may be turned off`() throws {
        let fields: HTTPFields = ["Cache-Control": "max-age=5, stale-while-revalidate=60, stale-if-error=90"]
        var rules = CacheRules.shared
        #expect(try freshness(rules, fields)?.staleWhileRevalidate == 60)
        rules.servesWhileRevalidating = false
        #expect(try freshness(rules, fields)?.staleWhileRevalidate == 0)
        #expect(try freshness(rules, fields)?.staleIfError == 90)
    }
}
