import CalotypeHTTP
import CalotypeHTTPCache
import Foundation
import Testing

/// The text of stored heads.
@Suite struct HeadTextTests {
    /// Written again, a carriage return was a space: the text of a damaged head changed with each copy.
    @Test func `a head with a carriage return is damaged`() throws {
        let head = StoredResponse(
            url: "https://example.org/a", status: 200, fields: ["ETag": "\"a\""], requestTime: 1, responseTime: 2,
            bodyLength: 10)
        let text = [StoredVariant(id: 7, head: head, body: nil)].encodedHeads
        #expect([StoredVariant](encodedHeads: text)?.count == 1)
        var damaged = text
        let place = try #require(damaged.range(of: Data("GET ".utf8))).upperBound
        damaged.insert(0x0D, at: place - 1)
        #expect([StoredVariant](encodedHeads: damaged) == nil)
    }
}
