/// How one axis of an image is scaled: halved as often as that does no harm, then filtered.
struct AxisScaling {
    /// Samples of the source: pixels of a row, or rows.
    let count: Int
    /// The image's length in samples. Less than `count` where the last one reaches beyond the image's edge: a JPEG of
    /// 801 pixels has 101 at an eighth, of which the last covers one pixel.
    let length: Double
    /// Pixels of the whole result.
    let target: Int
    /// Those of them that are made.
    let window: Range<Int>
    /// How often pairs are averaged before the filter.
    let halvings: Int
    let kernel: FilterKernel

    init(count: Int, length: Double? = nil, target: Int, window: Range<Int>? = nil, filter: ResizeFilter) {
        self.count = count
        self.length = length ?? Double(count)
        self.target = target
        self.window = window ?? 0..<target
        kernel = FilterKernel(filter, shrinks: target < count)
        // Averaging pairs costs a fraction of the filter, and nothing is seen of it if four times the result are left.
        var halvings = 0
        while count >> (halvings + 1) >= 4 * target { halvings += 1 }
        self.halvings = halvings
    }

    /// A blur, which leaves the size as it is.
    ///
    /// - Parameter deviation: of the Gaussian, in pixels.
    init(blurring count: Int, deviation: Double) {
        self.count = count
        length = Double(count)
        (target, window) = (count, 0..<count)
        // A deviation of two samples or more needs no finer grid: the blur itself interpolates between its places.
        var halvings = 0
        while deviation / Double(2 << halvings) >= 2, count >> (halvings + 1) >= 4 { halvings += 1 }
        self.halvings = halvings
        // Averaging has blurred already: variances add up.
        let side = Double(1 << halvings)
        kernel = .gaussian((deviation * deviation - (side * side - 1) / 12).squareRoot() / side)
    }

    /// Samples that are left for the filter. An odd one at the end stands alone.
    var halvedCount: Int { (count + (1 << halvings) - 1) >> halvings }

    /// The image's length in the samples that are left.
    var halvedLength: Double { length / Double(1 << halvings) }

    /// Samples left for each pixel of the result: below 1 to enlarge.
    var ratio: Double { halvedLength / Double(target) }

    /// How far the filter reaches to either side, in the samples that are left.
    var reach: Double { kernel == .box ? ratio / 2 : kernel.radius * max(ratio, 1) }

    /// No more weights than this make up a pixel of the result.
    var tapLimit: Int { (2 * Int(reach.rounded(.up)) + 2 + 3) & ~3 }
}
