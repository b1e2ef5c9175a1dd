// What libyuv does on Linux, in Swift alone, for where there is no libyuv.

extension Bitmap {
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
