// Pixels as four numbers from 0 to 255 in memory order: blue, green, red, alpha, premultiplied.

extension SIMD4<UInt32> {
    /// Returns this pixel blended over another.
    @inline(__always)
    func over(_ behind: SIMD4<UInt32>) -> SIMD4<UInt32> { self &+ behind.share(255 - w) }

    /// Returns the pixel multiplied by `part` / 255.
    @inline(__always)
    func share(_ part: UInt32) -> SIMD4<UInt32> {
        let product = self &* part &+ 128
        return (product &+ product &>> 8) &>> 8
    }
}

extension ImageColor {
    /// The color as a premultiplied pixel of a bitmap, with blue in the lowest byte and alpha in the highest.
    var premultiplied: UInt32 {
        let opacity = UInt32(alpha)
        return opacity << 24 | UInt32(red).multipliedAs255(by: opacity) << 16
            | UInt32(green).multipliedAs255(by: opacity) << 8 | UInt32(blue).multipliedAs255(by: opacity)
    }

    var premultipliedPixel: SIMD4<UInt32> {
        SIMD4(truncatingIfNeeded: unsafeBitCast(premultiplied, to: SIMD4<UInt8>.self))
    }
}

extension Bitmap {
    @inline(__always)
    func mapped(
        hasAlpha: Bool? = nil, _ change: (_ pixel: SIMD4<UInt32>, _ x: Int, _ y: Int) -> SIMD4<UInt32>
    ) throws(CodecError) -> Bitmap {
        try redrawn(hasAlpha: hasAlpha) { input, inputStride, output, outputStride in
            for y in 0..<height {
                let from = UnsafeRawPointer(input + y * inputStride).assumingMemoryBound(to: SIMD4<UInt8>.self)
                let to = UnsafeMutableRawPointer(output + y * outputStride).assumingMemoryBound(to: SIMD4<UInt8>.self)
                for x in 0..<width {
                    let changed = change(SIMD4(truncatingIfNeeded: from[x]), x, y)
                    to[x] = SIMD4(
                        truncatingIfNeeded: changed.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)))
                }
            }
        }
    }

    /// The size and two 64-bit hashes of the pixels. Protects against accidental collisions, not against attacks.
    var fingerprint: String {
        var (first, second): (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F)
        withUnsafeBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let pixel = UInt64(bytes.loadUnaligned(fromByteOffset: y * stride + 4 * x, as: UInt32.self))
                    first = (first ^ pixel) &* 0x0000_0100_0000_01B3
                    second = ((second &<< 23 | second &>> 41) ^ pixel) &* 0x9FB2_1C65_1E98_DF25
                }
            }
        }
        return "\(width)x\(height)-\(String(first, radix: 16))-\(String(second, radix: 16))"
    }
}
