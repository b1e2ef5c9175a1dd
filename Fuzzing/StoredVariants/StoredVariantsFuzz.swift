import Calotype
import CalotypeFuzzSupport
import CalotypeHTTP
import CalotypeHTTPCache
import Foundation

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

/// Decodes the heads of a URL's variants, possibly damaged on disk. Writing and reading must not change accepted heads.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let variants = [StoredVariant](encodedHeads: input(bytes, count)) else { return 0 }
    let encoded = variants.encodedHeads
    guard let again = [StoredVariant](encodedHeads: encoded) else {
        require(false, "heads that were read cannot be read again once they are written: \(variants)")
        return 0
    }
    require(again.encodedHeads == encoded, "heads change when they are written and read: \(variants)")
    return 0
}
