import Calotype
import CalotypeFuzzSupport
import CalotypeHTTP
import Foundation

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        [
            StoredHead(url: "", status: 0, fields: [:]).encoded,
            StoredHead(
                url: "https://example.org/a.jpg", status: 200,
                fields: ["Content-Type": "image/jpeg; q=1", "ETag": "\"a\"", "X-Ä": "ö"]
            ).encoded,
        ]
    }
}

/// Decodes an entry's metadata, which may be damaged on disk. An accepted head must not change when written and read.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let head = StoredHead(encoded: input(bytes, count)) else { return 0 }
    _ = head.mediaType
    let encoded = head.encoded
    guard let again = StoredHead(encoded: encoded) else {
        require(false, "a head that was read cannot be read again once it is written: \(head)")
        return 0
    }
    require(again.encoded == encoded, "a head changes when it is written and read: \(head), \(again)")
    return 0
}
