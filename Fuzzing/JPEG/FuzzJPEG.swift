import CalotypeCodecs
import CalotypeFuzzSupport

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked { try ImageSeeds.all }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    Decoding.checkGainMap(bytes, count, by: JPEGDecoder())
    return Decoding.check(bytes, count, by: JPEGDecoder())
}
