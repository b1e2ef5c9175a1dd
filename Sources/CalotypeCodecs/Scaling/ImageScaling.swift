/// How an image is scaled, along both axes.
struct ImageScaling {
    let columns: AxisScaling
    let rows: AxisScaling

    /// - Parameter window: the part of the result that is made; all of it where nil.
    init(from source: ImageExtent, to size: PixelSize, window: PixelRect? = nil, filter: ResizeFilter) {
        columns = AxisScaling(
            count: source.size.width, length: source.width, target: size.width,
            window: window.map { $0.x..<$0.x + $0.width }, filter: filter)
        rows = AxisScaling(
            count: source.size.height, length: source.height, target: size.height,
            window: window.map { $0.y..<$0.y + $0.height }, filter: filter)
    }

    /// A blur of this deviation, in pixels.
    init(blurring size: PixelSize, deviation: Double) {
        columns = AxisScaling(blurring: size.width, deviation: deviation)
        rows = AxisScaling(blurring: size.height, deviation: deviation)
    }

    /// Bytes that a ``RowScaler`` takes, beside the rows that come in and the result.
    var workingBytes: Int {
        let ring = 8 * ((columns.window.count + 3) & ~3) * rows.tapLimit
        // Each halving leaves half the row, so that all of them together take two rows and a copy of each.
        let halvers = max(columns.halvings, rows.halvings) == 0 ? 0 : 16 * columns.count
        // First samples and weights, and as many weights again while they are made.
        let weights = [columns, rows].reduce(0) { $0 + $1.window.count * (20 + 4 * $1.tapLimit) }
        return ring + halvers + weights
    }
}

/// The samples of an image, and how far it reaches over them.
struct ImageExtent {
    /// Samples on both axes.
    let size: PixelSize
    /// The image's width in samples: less than there are where the last one reaches beyond the edge.
    let width: Double
    let height: Double

    /// All of the samples.
    init(_ size: PixelSize) {
        self.init(size, width: Double(size.width), height: Double(size.height))
    }

    init(_ size: PixelSize, width: Double, height: Double) {
        (self.size, self.width, self.height) = (size, width, height)
    }
}
