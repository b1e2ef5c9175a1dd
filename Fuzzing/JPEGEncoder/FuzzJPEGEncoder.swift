import CalotypeCodecs
import CalotypeFuzzSupport
import Foundation

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        [
            [0, 0, 0, 0], [16, 8, 1, 75, 0x40, 0xC0], [69, 33, 6, 100] + Array(0...255),
            [8, 69, 13, 30, 9, 200, 90, 1, 255],
        ]
        .map { Data($0) }
    }
}

/// Encodes the bytes as pixels: after the width, the height, a set of flags and the quality, repeated as often as necessary. The file
/// must decode to the image's size, and be near to it at the best quality; its scans must hold the same pixels in both forms.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = [UInt8](input(bytes, count))
    guard input.count >= 4 else { return -1 }
    let (width, height) = (Int(input[0]) % 70 + 1, Int(input[1]) % 70 + 1)
    let (hasAlpha, keepsColors, isWide) = (input[2] & 1 != 0, input[2] & 2 != 0, input[2] & 4 != 0)
    let pixels = input.dropFirst(4) + (input.count == 4 ? [127] : [])
    guard
        let bitmap = try? bitmap(
            isWide ? 16 * width : width, isWide ? height % 4 + 1 : height, hasAlpha: hasAlpha, pixels)
    else { return 0 }
    let quality = Int(input[3]) % 101
    let files = [false, true].map { isProgressive in
        EncodingFormat.jpeg(quality: quality, isProgressive: isProgressive, keepsColors: keepsColors ? true : nil)
    }.map { try? bitmap.encoded(as: $0) }
    let decoded = files.map { $0.flatMap { try? DecoderRegistry([JPEGDecoder()]).decode($0) } }
    guard let one = decoded[0], let other = decoded[1] else {
        require(false, "a file does not decode")
        return 0
    }
    require(one.size == bitmap.size && other.size == bitmap.size, "the sizes differ")
    require(distance(one, other) == 0, "the scans of increasing detail hold other pixels")
    if quality == 100, keepsColors, let flat = try? bitmap.applying(.background(.white)) {
        require(distance(one, flat) <= 8, "the pixels differ by \(distance(one, flat))")
    }
    return 0
}

private func bitmap(
    _ width: Int, _ height: Int, hasAlpha: Bool, _ samples: ArraySlice<UInt8>
) throws(CodecError) -> Bitmap {
    try Bitmap(width: width, height: height, hasAlpha: hasAlpha) { pixels, stride in
        var position = samples.startIndex
        for y in 0..<height {
            for x in 0..<width {
                var pixel = SIMD4<UInt8>()
                for channel in 0..<4 {
                    pixel[channel] = samples[position]
                    position = position + 1 < samples.endIndex ? position + 1 : samples.startIndex
                }
                if !hasAlpha { pixel[3] = 255 }
                // Colors are premultiplied.
                for channel in 0..<3 { pixel[channel] = min(pixel[channel], pixel[3]) }
                pixels.storeBytes(of: pixel, toByteOffset: y * stride + 4 * x, as: SIMD4<UInt8>.self)
            }
        }
    }
}

/// The largest difference of a color.
private func distance(_ one: Bitmap, _ other: Bitmap) -> Int {
    var worst = 0
    one.withUnsafeBytes { pixels in
        other.withUnsafeBytes { others in
            for y in 0..<one.height {
                for x in 0..<4 * one.width where x % 4 < 3 {
                    let difference = abs(Int(pixels[y * one.stride + x]) - Int(others[y * other.stride + x]))
                    if difference > worst { worst = difference }
                }
            }
        }
    }
    return worst
}
