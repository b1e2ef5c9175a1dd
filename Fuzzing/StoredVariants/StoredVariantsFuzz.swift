import Calotype
import CalotypeFuzzSupport
import CalotypeHTTP
import Foundation

@testable import CalotypeHTTPCache

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        let plain = StoredResponse(
            url: "https://example.org/a", status: 200, fields: ["ETag": "\"a\"", "X-Ä": "ö"], requestTime: 1.5,
            responseTime: 2, bodyLength: 10)
        let part = StoredResponse(
            url: "https://example.org/a", status: 200, fields: [:], requestTime: 0, responseTime: 0,
            varying: [VaryingField(name: "accept", value: nil), VaryingField(name: "cookie", value: "a: b")],
            bodyLength: 5, part: StoredPart(range: 0..<5, completeLength: 10))
        let variants = [plain, part].map { StoredVariant(id: 7, head: $0, body: nil) }
        return [[StoredVariant]().encodedHeads, variants.encodedHeads]
    }
}

/// Decodes the heads of a URL's variants, possibly damaged on disk. Writing and reading must not change accepted heads, and
/// no rule may trap on them, nor answer with bytes that are not stored.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let variants = [StoredVariant](encodedHeads: input(bytes, count)) else { return 0 }
    let encoded = variants.encodedHeads
    guard let again = [StoredVariant](encodedHeads: encoded) else {
        require(false, "heads that were read cannot be read again once they are written: \(variants)")
        return 0
    }
    require(again.encodedHeads == encoded, "heads change when they are written and read: \(variants)")
    for variant in variants { answer(from: variant.head) }
    return 0
}

private func answer(from head: StoredResponse) {
    guard let url = URL(string: "http://localhost/a") else { return }
    for rules in [CacheRules.shared, .private] {
        for now in [0, 1_767_225_600, 4_102_444_800.0] {
            for range: ByteString in ["bytes=0-4", "bytes=5-", "bytes=-5", "bytes=0-9223372036854775806"] {
                let answer = rules.answer(HTTPRequest(url, fields: ["Range": range]), from: head, now: now)
                guard let bytes = answer.stored(of: head) else { continue }
                require(bytes.upperBound <= head.bodyLength, "\(bytes) of \(head.bodyLength) bytes: \(head)")
            }
            _ = rules.freshness(of: head, now: now).wholeTTL
            _ = rules.derivedCaching(from: head.fields, now: now)
        }
    }
    _ = head.ended(bodyLength: 3, isComplete: false)
}
