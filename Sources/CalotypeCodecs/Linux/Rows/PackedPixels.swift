import CResample

/// How a file packs the pixels of a row. Numbers are little-endian.
enum PackedPixels {
    /// Indices of 1, 2, 4 or 8 bits into premultiplied colors, of which there are as many as indices. The first pixel is in
    /// the highest bits of a byte.
    case indices(bits: Int, [UInt32])
    /// Indices of 16 bits into 65,536 premultiplied colors.
    case wideIndices([UInt32])
    case gray
    /// Gray and alpha, straight.
    case grayAlpha
    /// Gray with a byte that does not count.
    case grayPadded
    case rgb, bgr
    /// RGB and alpha, straight.
    case rgba
    /// BGR with a byte that does not count.
    case bgrx
    /// BGR and alpha, straight.
    case bgra
    case masks(BitMasks)

    private var bitsPerPixel: Int {
        switch self {
        case .indices(let bits, _): bits
        case .gray: 8
        case .wideIndices, .grayAlpha, .grayPadded: 16
        case .rgb, .bgr: 24
        case .rgba, .bgrx, .bgra: 32
        case .masks(let masks): 8 * masks.bytes
        }
    }

    /// Returns the number of bytes of `count` pixels.
    func bytes(of count: Int) -> Int { (count * bitsPerPixel + 7) / 8 }

    /// Unpacks as many pixels as the target has, to premultiplied BGRA. `source` has their bytes.
    func unpack(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableBufferPointer<UInt32>) {
        let count = target.count
        precondition(source.count >= bytes(of: count))
        guard let pixels = target.baseAddress, let start = source.baseAddress else { return }
        let bytes = start.assumingMemoryBound(to: UInt8.self)
        switch self {
        case .indices(8, let colors): calotype_indices_to_bgra(bytes, colors, pixels, count)
        case .indices(let bits, let colors):
            let last = UInt8(truncatingIfNeeded: 1 << bits - 1)
            for x in 0..<count {
                target[x] = colors[Int(bytes[x * bits / 8] >> (8 - bits - x * bits % 8) & last)]
            }
        case .wideIndices(let colors):
            for x in 0..<count { target[x] = colors[Int(start.little16(2 * x))] }
        case .gray: calotype_gray_to_bgra(bytes, pixels, count)
        case .grayAlpha:
            calotype_gray_alpha_to_rgba(bytes, pixels, count)
            target.premultiplyRGBA()
        case .grayPadded:
            for x in 0..<count { target[x] = 0xFF00_0000 | UInt32(bytes[2 * x]) &* 0x01_0101 }
        case .rgb:
            // The loops read four bytes behind their last pixel: two more pixels have six.
            let most = max(count - 2, 0)
            calotype_rgb_to_bgra(bytes, pixels, most)
            calotype_rgb_to_bgra_portable(bytes, pixels, most, count)
        case .bgr:
            let most = max(count - 2, 0)
            calotype_bgr_to_bgra(bytes, pixels, most)
            calotype_bgr_to_bgra_portable(bytes, pixels, most, count)
        case .rgba:
            let isOpaque = calotype_rgba_to_bgra(bytes, pixels, count) != 0
            if !isOpaque { target.premultiply() }
        case .bgrx:
            for x in 0..<count { target[x] = 0xFF00_0000 | start.little32(4 * x) }
        case .bgra:
            for x in 0..<count { target[x] = start.little32(4 * x) }
            target.premultiply()
        case .masks(let masks): masks.unpack(start, into: target)
        }
    }

    /// Whether the pixels have alpha, and it is 0 in all of `source`.
    func isClear(_ source: UnsafeRawBufferPointer) -> Bool {
        if case .masks(let masks) = self { return masks.isClear(source) }
        guard hasAlpha else { return false }
        // Alpha is the last byte of a pixel.
        let step = bitsPerPixel / 8
        return stride(from: step - 1, to: source.count, by: step).allSatisfy { source[$0] == 0 }
    }

    var hasAlpha: Bool {
        switch self {
        case .grayAlpha, .rgba, .bgra: true
        case .masks(let masks): masks.hasAlpha
        default: false
        }
    }

    /// The same pixels with their fourth byte as alpha.
    var withAlpha: PackedPixels {
        if case .bgrx = self { return .bgra }
        return self
    }

    /// The same pixels without their alpha. RGBA keeps it: only PAM has RGBA, and announces alpha by name.
    var opaque: PackedPixels {
        switch self {
        case .bgra: .bgrx
        case .grayAlpha: .grayPadded
        case .masks(let masks): .masks(masks.opaque)
        default: self
        }
    }
}

extension UnsafeRawPointer {
    /// Returns a little-endian number.
    @inline(__always)
    func little16(_ offset: Int) -> UInt16 {
        UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    /// Returns a little-endian number.
    @inline(__always)
    func little32(_ offset: Int) -> UInt32 {
        UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
