import CalotypeCodecs
import CalotypeFuzzSupport

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked { try ImageSeeds.cameraRaws }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let data = input(bytes, count)
    // The target JPEG has these.
    guard data.first != 0xFF else { return -1 }
    _ = PhotoFacts(of: data)
    _ = EXIFBlock(keeping: .all, of: data, size: PixelSize(width: 3, height: 2))
    _ = FileDamage.isPresent(in: data)
    return Decoding.check(data, by: JPEGDecoder())
}
