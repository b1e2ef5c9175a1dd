import CalotypeCodecs
import CalotypeFuzzSupport
import Foundation

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        [plain, animated]
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    Decoding.check(bytes, count, by: GIFDecoder())
}

private let header: [UInt8] = Array("GIF89a".utf8) + [2, 0, 2, 0, 0x80, 0, 0, 0xFF, 0x80, 0x20, 0x10, 0x20, 0x30]
private let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 3, 0x44, 0x02, 0x05, 0]
private let transparency: [UInt8] = [0x21, 0xF9, 4, 0x05, 10, 0, 1, 0]

/// An image of two by two pixels in two colors.
private var plain: Data { Data(header + frame + [0x3B]) }

/// An animation of two frames, the second with a transparent color.
private var animated: Data { Data(header + frame + transparency + frame + [0x3B]) }
