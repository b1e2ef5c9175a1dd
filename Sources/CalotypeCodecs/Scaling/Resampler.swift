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
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: rowBytes) { sums in
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
        _ bytes: UnsafePointer<UInt8>, times weight: Int16, to sums: UnsafeMutableBufferPointer<Int32>
    ) {
        for index in 0..<sums.count { sums[index] &+= Int32(Int16(bytes[index])) &* Int32(weight) }
    }

    private static func horizontally(_ source: Bitmap, _ axis: AxisWeights) throws(CodecError) -> Bitmap {
        try source.redrawn(width: axis.firsts.count) { input, inputStride, output, outputStride in
            axis.weights.withUnsafeBufferPointer { weights in
                // Column by column within a row, the weights are read one after the other.
                guard let firstWeight = weights.baseAddress else { return }
                for row in 0..<source.height {
                    var pixel = output + row * outputStride
                    var weight = firstWeight
                    for (column, first) in axis.firsts.enumerated() {
                        let count = axis.starts[column + 1] - axis.starts[column]
                        combine(input + row * inputStride + first * 4, weight, count, into: pixel)
                        weight += count
                        pixel += 4
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func combine(
        _ pixels: UnsafePointer<UInt8>, _ weights: UnsafePointer<Int16>, _ count: Int,
        into result: UnsafeMutablePointer<UInt8>
    ) {
        let half = AxisWeights.one / 2
        var (blue, green, red, alpha) = (half, half, half, half)
        for index in 0..<count {
            let weight = Int32(weights[index])
            let pixel = pixels + index * 4
            blue &+= Int32(pixel[0]) &* weight
            green &+= Int32(pixel[1]) &* weight
            red &+= Int32(pixel[2]) &* weight
            alpha &+= Int32(pixel[3]) &* weight
        }
        result[0] = UInt8(truncatingIfNeeded: blue &>> AxisWeights.shift)
        result[1] = UInt8(truncatingIfNeeded: green &>> AxisWeights.shift)
        result[2] = UInt8(truncatingIfNeeded: red &>> AxisWeights.shift)
        result[3] = UInt8(truncatingIfNeeded: alpha &>> AxisWeights.shift)
    }
}
