// Replaces libyuv in pure Swift on platforms without it.

extension Bitmap {
    /// Returns the image turned or mirrored according to an EXIF orientation from 2 to 8.
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

/// The order in which to read stored pixels for an upright result.
private struct PixelWalk {
    /// The offset, in pixels, of the stored pixel that becomes the top left pixel of the result.
    let start: Int
    /// The distance between the stored pixels that become adjacent in a row of the result.
    let across: Int
    /// The distance between the stored pixels that become adjacent in a column of the result.
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
