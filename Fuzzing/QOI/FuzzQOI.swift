import CalotypeCodecs
import CalotypeFuzzSupport
import Foundation

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        [opaque, linear]
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    Decoding.check(bytes, count, by: QOIDecoder())
}

private let end: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]

/// An image of nine by two pixels: a color, a small and a larger change, a repeated color, and a run.
private var opaque: Data {
    Data(Array("qoif".utf8) + [0, 0, 0, 9, 0, 0, 0, 2, 3, 0, 0xFE, 200, 100, 50, 0x6D, 0xA5, 0x88, 0x05, 0xCD] + end)
}

/// An image of two pixels with alpha, in linear color space.
private var linear: Data {
    Data(Array("qoif".utf8) + [0, 0, 0, 2, 0, 0, 0, 1, 4, 1, 0xFF, 9, 8, 7, 128, 0x00] + end)
}
