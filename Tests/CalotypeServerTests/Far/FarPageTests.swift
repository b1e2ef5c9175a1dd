import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import Foundation
import Requirements
import Testing

@testable import CalotypeServer

/// Results as objects.
struct FarPageTests {
    static let key: ByteString = "4096 16000000 50000000 - key v1.1/w:64/plain/https://example.com/a.jpg"

    static func result(
        _ body: String = "the bytes of an image", status: Int = 200, fields: HTTPFields = ["ETag": "\"1\""],
        type: ByteString = "image/png", at time: Double = 1_767_225_600, url: ByteString = "http://renditions.invalid/",
        varying: [VaryingField] = []
    ) -> StoredVariant {
        let data = Data(body.utf8)
        var fields = fields
        fields["Content-Type"] = type
        fields.protect()
        let head = StoredResponse(
            url: url, status: status, fields: fields, requestTime: time, responseTime: time + 0.5, varying: varying,
            bodyLength: data.count)
        return StoredVariant(head: head, body: data)
    }

    static func source(digest: String? = "0123") -> StoredVariant {
        let head = StoredResponse(
            url: "https://example.com/a.jpg", status: 200, fields: ["ETag": "\"s\""], requestTime: 1, responseTime: 2,
            bodyLength: 1000)
        var source = StoredVariant(head: head, body: nil)
        (source.digest, source.lacksBody) = (digest, true)
        return source
    }

    static func page(_ result: StoredVariant = result(), source: StoredVariant? = source()) throws -> Data {
        try #require(FarPage(written: 1_767_225_700, result: result, source: source).encoded(for: key))
    }

    @Test(arguments: [true, false]) func `a page keeps the result, and the head of its source`(hasSource: Bool) throws {
        let result = Self.result(), source = hasSource ? Self.source() : nil
        let page = try FarPage(Self.page(result, source: source), key: Self.key)
        #expect(page.written == 1_767_225_700)
        #expect(page.result.head == result.head && page.result.body == result.body)
        // A reader's own store tells bodies apart by it.
        #expect(page.result.id != result.id)
        #expect(page.source?.head == source?.head && page.source?.digest == source?.digest)
        #expect(page.source?.lacksBody != false && page.source?.body == nil)
    }

    @Test func `a page without a single bit of it is no page`() throws {
        let data = try Self.page()
        for place in data.indices {
            for bit in 0..<8 {
                var changed = data
                changed[place] ^= 1 << bit
                #expect(throws: FarPageFault.self) { try FarPage(changed, key: Self.key) }
            }
        }
    }

    @Test func `a page that is cut short, or has more bytes, is no page`() throws {
        let data = try Self.page()
        for count in 0..<data.count {
            #expect(throws: FarPageFault.self) { try FarPage(data.prefix(count), key: Self.key) }
        }
        #expect(throws: FarPageFault.self) { try FarPage(data + [0], key: Self.key) }
    }

    @Test func `a page is read from the middle of other bytes`() throws {
        let data = try Self.page()
        let slice = (Data([1, 2, 3]) + data).dropFirst(3)
        #expect(try FarPage(slice, key: Self.key).result.body == Self.result().body)
    }

    @Test func `a page of another key is none of this one`() throws {
        let data = try Self.page()
        #expect(throws: FarPageFault.otherKey) { try FarPage(data, key: "\(Self.key)x") }
    }

    @Test func `a page of another version is named as such`() throws {
        var data = try Self.page()
        data.replaceSubrange(0..<14, with: Data("calotype-far 1".utf8))
        #expect(throws: FarPageFault.version) { try FarPage(data, key: Self.key) }
    }

    static let unfit: [StoredVariant] = [
        result(status: 404), result(fields: ["Vary": "Accept"]), result(url: "https://example.com/"),
        result(varying: [VaryingField(name: "accept", value: nil)]),
        result(String(repeating: "x", count: 1 << 20)),
        result(fields: ["ETag": ByteString(String(repeating: "x", count: 70_000))]),
        result(fields: ["Set-Cookie": "a=b"]), result(type: "text/html"),
    ]

    @Test(arguments: unfit.indices) func `a result that others cannot use has no page`(index: Int) {
        let page = FarPage(written: 0, result: Self.unfit[index], source: nil)
        #expect(page.encoded(for: Self.key) == nil)
    }

    @Test func `a result with another length than its head states has no page`() {
        var result = Self.result()
        result.body = Data("other".utf8)
        #expect(FarPage(written: 0, result: result, source: nil).encoded(for: Self.key) == nil)
    }

    @Test func `a source without a digest makes the page invalid`() throws {
        let data = try Self.page(source: Self.source(digest: nil))
        #expect(throws: FarPageFault.damaged) { try FarPage(data, key: Self.key) }
    }

    @Test func `the largest page has a megabyte`() throws {
        let result = Self.result(String(repeating: "x", count: FarPage.limit - FarPage.headLimit))
        #expect(try Self.page(result).count <= FarPage.limit)
    }
}
