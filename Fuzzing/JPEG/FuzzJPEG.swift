import CalotypeCodecs
import CalotypeFuzzSupport
import Foundation

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        try Decoding.bitmaps().flatMap { bitmap in
            try [30, 95].map { try bitmap.encoded(as: .jpeg(quality: $0)) }
        }
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    Decoding.check(bytes, count, by: JPEGDecoder())
}
