import CalotypeCodecs
import CalotypeFuzzSupport
import Foundation

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        try Decoding.bitmaps().flatMap { bitmap in
            try [bitmap.encoded(as: .webp(quality: 50)), bitmap.encoded(as: .webpLossless)]
        }
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    Decoding.check(bytes, count, by: WebPDecoder())
}
