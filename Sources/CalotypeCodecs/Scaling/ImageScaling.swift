struct ImageScaling {
    let columns: AxisScaling
    let rows: AxisScaling

    /// - Parameter window: The part of the result to compute. If `nil` (the default), the whole result.
    init(from source: ImageExtent, to size: PixelSize, window: PixelRect? = nil, filter: ResizeFilter) {
        columns = AxisScaling(
            count: source.size.width, length: source.width, target: size.width,
            window: window.map { $0.x..<$0.x + $0.width }, filter: filter)
        rows = AxisScaling(
            count: source.size.height, length: source.height, target: size.height,
            window: window.map { $0.y..<$0.y + $0.height }, filter: filter)
    }

    init(columns: AxisScaling, rows: AxisScaling) { (self.columns, self.rows) = (columns, rows) }

    /// Creates a blur. The standard deviation is in pixels.
    init(blurring size: PixelSize, deviation: Double) {
        columns = AxisScaling(blurring: size.width, deviation: deviation)
        rows = AxisScaling(blurring: size.height, deviation: deviation)
    }

    /// The memory in bytes that a ``RowScaler`` uses in addition to incoming rows and the result.
    var workingBytes: Int {
        let ring = RowScaler.pairBytes(columns.window.count, channels: 4) * (rows.pairedTapLimit / 2 + 1)
        // Two rows if they are narrower than the filter, otherwise one.
        let held = max(4 * columns.halvedCount, 8 * columns.tapLimit)
        // For each column and row of the result: the index of its first sample (4 bytes), a temporary range and start
        // (24 bytes), and two sets of 2-byte weights, one of them temporary.
        let weights =
            columns.window.count * (28 + 4 * columns.tapLimit) + rows.window.count * (28 + 4 * rows.pairedTapLimit)
        return ring + held + halverBytes + weights
    }

    /// The memory of all ``RowHalver``s in bytes: one row of the input's width each, two if it halves rows.
    private var halverBytes: Int {
        var (bytes, width) = (0, columns.count)
        for level in 0..<max(columns.halvings, rows.halvings) {
            bytes += (level < rows.halvings ? 8 : 4) * width
            if level < columns.halvings { width = (width + 1) / 2 }
        }
        return bytes
    }
}

/// The size of a grid of samples and the size of the image on it, whose edge may cut through the last samples.
struct ImageExtent {
    /// The number of samples on each axis.
    let size: PixelSize
    /// The image's width in samples. Less than `size.width` if the last sample extends beyond the image's edge.
    let width: Double
    let height: Double

    /// Creates an extent that covers all samples.
    init(_ size: PixelSize) { self.init(size, width: Double(size.width), height: Double(size.height)) }

    init(_ size: PixelSize, width: Double, height: Double) {
        (self.size, self.width, self.height) = (size, width, height)
    }
}
