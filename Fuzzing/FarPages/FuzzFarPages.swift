import CalotypeBase
import CalotypeFuzzSupport
import CalotypeHTTP
import CalotypeHTTPCache
import Foundation

@testable import CalotypeServer

private let key: ByteString = "4096 16000000 50000000 - key v1.1/w:64/plain/https://example.com/a.jpg"

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        let result = StoredResponse(
            url: "http://renditions.invalid/", status: 200, fields: ["ETag": "\"a\"", "X-Ä": "ö"], requestTime: 1.5,
            responseTime: 2, bodyLength: 5)
        let source = StoredResponse(
            url: "https://example.com/a.jpg", status: 200, fields: [:], requestTime: 0, responseTime: 0, bodyLength: 10)
        var head = StoredVariant(id: 7, head: source, body: nil)
        (head.digest, head.lacksBody) = ("0123", true)
        let body = StoredVariant(id: 8, head: result, body: Data("image".utf8))
        return [nil, head].compactMap { FarPage(written: 1, result: body, source: $0).encoded(for: key) }
    }
}

/// Reads a page with the right key and digest, whose rest a writer of the bucket has chosen. A page that is read stays the
/// same when it is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let given = input(bytes, count)
    _ = try? FarPage(given, key: key)
    guard let page = try? FarPage(FarPage.sealed(given, key: key), key: key) else { return 0 }
    guard let again = page.encoded(for: key).flatMap({ try? FarPage($0, key: key) }) else {
        require(page.result.body.map { $0.count > 900_000 } ?? false, "a page that was read cannot be written: \(page)")
        return 0
    }
    require(
        again.written == page.written && again.result.head == page.result.head && again.result.body == page.result.body
            && again.source?.head == page.source?.head && again.source?.digest == page.source?.digest,
        "a page changes when it is written and read: \(page)")
    return 0
}
