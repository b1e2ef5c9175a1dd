/// Scales pixels by any factor on either axis: first all columns, which shortens the work, then the rows.
struct Resampler {
    /// Columns of every row are combined by `horizontal`, rows by `vertical`.
    static func resample(_ source: Bitmap, to size: PixelSize) throws(CodecError) -> Bitmap {
        let short =
            size.height == source.height
            ? source : try vertically(source, AxisWeights(from: source.height, to: size.height))
        return size.width == source.width
            ? short : try horizontally(short, AxisWeights(from: source.width, to: size.width))
    }

    private static func vertically(_ source: Bitmap, _ axis: AxisWeights) throws(CodecError) -> Bitmap {
        let rowBytes = source.width * 4
        return try source.redrawn(height: axis.firsts.count) { input, inputStride, output, outputStride in
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: rowBytes) { sums in
                for row in axis.firsts.indices {
                    sums.initialize(repeating: AxisWeights.one / 2)
                    for index in axis.starts[row]..<axis.starts[row + 1] where axis.weights[index] > 0 {
                        let place = axis.firsts[row] + index - axis.starts[row]
                        add(input + place * inputStride, times: axis.weights[index], to: sums)
                    }
                    let result = output + row * outputStride
                    for byte in 0..<rowBytes {
                        result[byte] = UInt8(truncatingIfNeeded: sums[byte] &>> AxisWeights.shift)
                    }
                }
            }
        }
    }

    private static func add(
        _ bytes: UnsafePointer<UInt8>, times weight: UInt32, to sums: UnsafeMutableBufferPointer<UInt32>
    ) {
        for index in 0..<sums.count { sums[index] &+= UInt32(bytes[index]) &* weight }
    }

    private static func horizontally(_ source: Bitmap, _ axis: AxisWeights) throws(CodecError) -> Bitmap {
        try source.redrawn(width: axis.firsts.count) { input, inputStride, output, outputStride in
            axis.weights.withUnsafeBufferPointer { weights in
                for row in 0..<source.height {
                    let from = input + row * inputStride
                    let to = output + row * outputStride
                    for column in axis.firsts.indices {
                        let own = weights[axis.starts[column]..<axis.starts[column + 1]]
                        combine(from + axis.firsts[column] * 4, own, into: to + column * 4)
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func combine(
        _ pixels: UnsafePointer<UInt8>, _ weights: Slice<UnsafeBufferPointer<UInt32>>,
        into result: UnsafeMutablePointer<UInt8>
    ) {
        let half = AxisWeights.one / 2
        var (blue, green, red, alpha) = (half, half, half, half)
        var pixel = pixels
        for weight in weights {
            blue &+= UInt32(pixel[0]) &* weight
            green &+= UInt32(pixel[1]) &* weight
            red &+= UInt32(pixel[2]) &* weight
            alpha &+= UInt32(pixel[3]) &* weight
            pixel += 4
        }
        result[0] = UInt8(truncatingIfNeeded: blue &>> AxisWeights.shift)
        result[1] = UInt8(truncatingIfNeeded: green &>> AxisWeights.shift)
        result[2] = UInt8(truncatingIfNeeded: red &>> AxisWeights.shift)
        result[3] = UInt8(truncatingIfNeeded: alpha &>> AxisWeights.shift)
    }
}
