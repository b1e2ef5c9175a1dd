/// The bits of the channels in pixels of 16 or 32 bits.
struct BitMasks {
    /// The bytes of a pixel: 2 or 4.
    let bytes: Int
    let hasAlpha: Bool
    private let channels: [Channel]
    /// For each channel, the values of up to 256 levels, at the channel's place in BGRA.
    private let values: [UInt32]

    private struct Channel {
        let mask: UInt32
        /// Moves the bits, or the upper eight of them, to the lowest place.
        let shift: UInt32

        /// Returns the channel's bits, or the upper eight of them.
        @inline(__always)
        func level(_ pixel: UInt32) -> Int { Int((pixel & mask) >> shift) }
    }

    /// - Parameters:
    ///   - alpha: The bits of alpha, or 0 for opaque pixels.
    ///   - bytes: The bytes of a pixel: 2 or 4.
    /// - Returns: `nil` if the bits of a channel are not next to each other.
    init?(red: UInt32, green: UInt32, blue: UInt32, alpha: UInt32 = 0, bytes: Int) {
        let limit: UInt32 = bytes == 2 ? 0xFFFF : .max
        var (channels, values) = ([Channel](), [UInt32]())
        for (mask, place) in [(blue & limit, 0), (green & limit, 8), (red & limit, 16), (alpha & limit, 24)] {
            let width = UInt32(mask.nonzeroBitCount)
            let lowest = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
            guard width == 0 || mask >> lowest == UInt32.max >> (32 - width) else { return nil }
            let shift = lowest + (width > 8 ? width - 8 : 0)
            channels.append(Channel(mask: mask, shift: shift))
            let most = mask >> shift
            values += (0...255).map { (level: UInt32) -> UInt32 in
                // Without bits, a color is black, and alpha is opaque.
                guard most > 0 else { return place == 24 ? 0xFF00_0000 : 0 }
                return ((min(level, most) * 255 + most / 2) / most) << UInt32(place)
            }
        }
        (self.channels, self.values, self.bytes) = (channels, values, bytes)
        hasAlpha = alpha & limit != 0
    }

    private init(opaque masks: BitMasks) {
        (bytes, hasAlpha) = (masks.bytes, false)
        channels = masks.channels.dropLast() + [Channel(mask: 0, shift: 0)]
        values = masks.values.prefix(768) + [UInt32](repeating: 0xFF00_0000, count: 256)
    }

    /// The same colors without alpha.
    var opaque: BitMasks { BitMasks(opaque: self) }

    /// The number of bits of the widest color.
    var bitsPerSample: Int { channels.prefix(3).map(\.mask.nonzeroBitCount).max() ?? 0 }

    /// Unpacks as many pixels as the target has, to premultiplied BGRA.
    func unpack(_ start: UnsafeRawPointer, into target: UnsafeMutableBufferPointer<UInt32>) {
        if bytes == 2 {
            unpack(into: target) { UInt32(start.little16(2 * $0)) }
        } else {
            unpack(into: target) { start.little32(4 * $0) }
        }
        if hasAlpha { target.premultiply() }
    }

    @inline(__always)
    private func unpack(into target: UnsafeMutableBufferPointer<UInt32>, _ pixel: (Int) -> UInt32) {
        let (blue, green, red, alpha) = (channels[0], channels[1], channels[2], channels[3])
        values.withUnsafeBufferPointer { values in
            for x in target.indices {
                let pixel = pixel(x)
                target[x] =
                    values[blue.level(pixel)] | values[256 + green.level(pixel)] | values[512 + red.level(pixel)]
                    | values[768 + alpha.level(pixel)]
            }
        }
    }

    /// Whether there is alpha, and it is 0 in all of `source`.
    func isClear(_ source: UnsafeRawBufferPointer) -> Bool {
        guard hasAlpha, let start = source.baseAddress else { return false }
        return stride(from: 0, to: source.count - bytes + 1, by: bytes).allSatisfy { offset in
            let pixel = bytes == 2 ? UInt32(start.little16(offset)) : start.little32(offset)
            return pixel & channels[3].mask == 0
        }
    }
}
