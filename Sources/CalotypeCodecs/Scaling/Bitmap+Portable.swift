// What libyuv does on Linux, in Swift alone, for where there is no libyuv.

extension Bitmap {
    /// Averages each two by two pixels. Both sides are even.
    func portablyHalved() throws(CodecError) -> Bitmap {
        try redrawn(width: width / 2, height: height / 2) { input, inputStride, output, outputStride in
            for y in 0..<height / 2 {
                let upper = UnsafeRawPointer(input + 2 * y * inputStride).assumingMemoryBound(to: UInt32.self)
                let lower = UnsafeRawPointer(input + (2 * y + 1) * inputStride).assumingMemoryBound(to: UInt32.self)
                let row = UnsafeMutableRawPointer(output + y * outputStride).assumingMemoryBound(to: UInt32.self)
                for x in 0..<width / 2 {
                    row[x] = Self.average(upper[2 * x], upper[2 * x + 1], lower[2 * x], lower[2 * x + 1])
                }
            }
        }
    }

    /// Every second channel in one number: four of them stay below the next one's bits.
    @inline(__always)
    private static func average(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
        let mask: UInt32 = 0x00FF_00FF
        let even = (a & mask) &+ (b & mask) &+ (c & mask) &+ (d & mask) &+ 0x0002_0002
        let odd = (a >> 8 & mask) &+ (b >> 8 & mask) &+ (c >> 8 & mask) &+ (d >> 8 & mask) &+ 0x0002_0002
        return even >> 2 & mask | (odd >> 2 & mask) << 8
    }

    /// By an EXIF orientation of 2 to 8.
    func portablyTurned(_ exif: Int) throws(CodecError) -> Bitmap {
        let swaps = exif >= 5
        return try redrawn(width: swaps ? height : width, height: swaps ? width : height) {
            input, inputStride, output, outputStride in
            let pixels = UnsafeRawPointer(input).assumingMemoryBound(to: UInt32.self)
            let walk = PixelWalk(exif, width: width, height: height, rowLength: inputStride / 4)
            for y in 0..<(swaps ? width : height) {
                let row = UnsafeMutableRawPointer(output + y * outputStride).assumingMemoryBound(to: UInt32.self)
                var place = walk.start + y * walk.down
                for x in 0..<(swaps ? height : width) {
                    row[x] = pixels[place]
                    place += walk.across
                }
            }
        }
    }
}

/// In which order the stored pixels are read to come out upright.
private struct PixelWalk {
    /// Where the result's top left pixel is stored.
    let start: Int
    /// From one pixel of the result to the next in its row.
    let across: Int
    /// From one row of the result to the next.
    let down: Int

    init(_ exif: Int, width: Int, height: Int, rowLength: Int) {
        let (right, bottom) = (width - 1, (height - 1) * rowLength)
        (start, across, down) =
            switch exif {
            case 2: (right, -1, rowLength)
            case 3: (right + bottom, -1, -rowLength)
            case 4: (bottom, 1, -rowLength)
            case 5: (0, rowLength, 1)
            case 6: (bottom, -rowLength, 1)
            case 7: (right + bottom, -rowLength, -1)
            case 8: (right, rowLength, -1)
            default: (0, 1, rowLength)
            }
    }
}
