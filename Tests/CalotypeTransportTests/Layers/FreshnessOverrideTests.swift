import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing

@Suite struct FreshnessOverrideTests {
    private func answer(_ status: Int, _ fields: HTTPFields) async throws -> HTTPFields {
        let url = try #require(URL(string: "http://a.test/"))
        let fake = FakeTransport { HTTPResponse(url: $0.url, status: status, fields: fields) }
        return try await fake.overridingFreshness(90).send(HTTPRequest(url)).fields
    }

    @Test(arguments: [200, 206, 301, 304]) func `replaces what a success says about freshness`(_ status: Int)
        async throws
    {
        let fields = try await answer(
            status,
            [
                "Cache-Control": "no-store", "Expires": "0", "Age": "100", "CDN-Cache-Control": "private",
                "Pragma": "no-cache", "ETag": "\"1\"",
            ])
        #expect(fields == ["ETag": "\"1\"", "Cache-Control": "public, max-age=90"])
    }

    @Test(arguments: [404, 503]) func `leaves failures as they are`(_ status: Int) async throws {
        #expect(try await answer(status, ["Cache-Control": "no-store"]) == ["Cache-Control": "no-store"])
    }
}
