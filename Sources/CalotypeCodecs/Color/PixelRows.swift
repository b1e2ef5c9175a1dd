/// The rows of an image with four bytes per pixel, for code that loops over the pixels.
struct PixelRows {
    let base: UnsafeMutableRawPointer
    let width: Int
    let height: Int
    let stride: Int

    init(_ pixels: UnsafeMutableRawBufferPointer, width: Int, height: Int, stride: Int) {
        precondition(pixels.count >= stride * height && stride >= 4 * width)
        // A bitmap always has at least one pixel, so its buffer has an address.
        base = pixels.baseAddress!
        (self.width, self.height, self.stride) = (width, height, stride)
    }

    init(_ pixels: UnsafeMutableRawBufferPointer, size: PixelSize, stride: Int) {
        self.init(pixels, width: size.width, height: size.height, stride: stride)
    }

    func row(_ index: Int) -> UnsafeMutableBufferPointer<UInt32> {
        UnsafeMutableBufferPointer(start: (base + index * stride).assumingMemoryBound(to: UInt32.self), count: width)
    }

    @inline(__always)
    func forEachRow(_ body: (UnsafeMutableBufferPointer<UInt32>) -> Void) {
        for index in 0..<height { body(row(index)) }
    }
}

extension PixelRows {
    /// Changes the colors of premultiplied pixels by a function of straight ones.
    func changeStraight(hasAlpha: Bool, by change: (PixelRows) -> Void) {
        if hasAlpha { forEachRow { UnsafeBufferPointer($0).unpremultiply(into: $0) } }
        change(self)
        if hasAlpha { forEachRow { $0.premultiply() } }
    }
}

// These functions treat a pixel as a little-endian number: blue or cyan in the lowest byte, alpha or black in the
// highest.
extension PixelRows {
    func makeOpaque() {
        forEachRow { row in
            for x in row.indices { row[x] |= 0xFF00_0000 }
        }
    }

    /// Converts CMYK, with 255 for no ink, to BGRA without a profile: multiplies the fraction of light that each colored
    /// ink reflects by the fraction that the black ink reflects.
    func mixInks() {
        forEachRow { row in
            for x in row.indices {
                let light = row[x]
                let black = light >> 24
                let red = (light & 0xFF).multipliedAs255(by: black)
                let green = (light >> 8 & 0xFF).multipliedAs255(by: black)
                let blue = (light >> 16 & 0xFF).multipliedAs255(by: black)
                row[x] = 0xFF00_0000 | red << 16 | green << 8 | blue
            }
        }
    }
}

extension UInt32 {
    /// Returns `self * other / 255`, rounded to nearest. Both must be in 0...255.
    @inline(__always)
    func multipliedAs255(by other: UInt32) -> UInt32 {
        let product = self &* other &+ 128
        return (product &+ product >> 8) >> 8
    }
}
