/// The scaling of one axis of an image: repeated halving, as long as its error is invisible, then a filter.
struct AxisScaling: Hashable {
    /// The number of source samples along the axis.
    let count: Int
    /// The length of the image in samples. Less than `count` if the last sample extends beyond the image's edge: a JPEG
    /// of 801 pixels has 101 samples at 1/8, the last of which covers one pixel.
    let length: Double
    /// The part of the axis that becomes the result, in samples: its start and its length. Both may cut through samples, and the
    /// part may extend beyond the image, whose first and last samples go on there.
    private let start: Double, span: Double
    /// The length of the whole result in pixels.
    let target: Int
    /// The range of the result's pixels to compute.
    let window: Range<Int>
    let halvings: Int
    let kernel: FilterKernel

    init(count: Int, length: Double? = nil, target: Int, window: Range<Int>? = nil, filter: ResizeFilter) {
        self.count = count
        self.length = length ?? Double(count)
        (start, span) = (0, self.length)
        self.target = target
        self.window = window ?? 0..<target
        kernel = FilterKernel(filter, shrinks: target < count)
        // Averaging pairs takes a fraction of the filter's time, and makes no visible difference as long as at least
        // four samples remain for each pixel of the result.
        var halvings = 0
        while count >> (halvings + 1) >= 4 * target { halvings += 1 }
        self.halvings = halvings
    }

    /// Creates a scaling of a part of an axis.
    ///
    /// - Parameters:
    ///   - start: The start of the part, in samples.
    ///   - span: The length of the part, in samples; above 0.
    init(count: Int, from start: Double, length span: Double, target: Int, filter: ResizeFilter) {
        self.count = count
        length = Double(count)
        (self.start, self.span) = (start, span)
        self.target = target
        window = 0..<target
        kernel = FilterKernel(filter, shrinks: Double(target) < span)
        var halvings = 0
        while span / Double(2 << halvings) >= 4 * Double(target), count >> (halvings + 1) >= 1 { halvings += 1 }
        self.halvings = halvings
    }

    /// Creates a blur, which preserves the size.
    ///
    /// - Parameter deviation: The standard deviation of the Gaussian, in pixels.
    init(blurring count: Int, deviation: Double) {
        self.count = count
        length = Double(count)
        (start, span) = (0, length)
        (target, window) = (count, 0..<count)
        // Halve only while the deviation spans at least two halved samples, so that the blur interpolates smoothly.
        var halvings = 0
        while deviation / Double(2 << halvings) >= 2, count >> (halvings + 1) >= 4 { halvings += 1 }
        self.halvings = halvings
        // Halving blurs, too. Variances add up, so subtract the variance of the halving.
        let side = Double(1 << halvings)
        kernel = .gaussian((deviation * deviation - (side * side - 1) / 12).squareRoot() / side)
    }

    /// The number of samples after halving. An unpaired last sample counts as one.
    var halvedCount: Int { (count + (1 << halvings) - 1) >> halvings }

    var halvedLength: Double { length / Double(1 << halvings) }

    /// The number of halved samples per pixel of the result: below 1 for enlarging.
    var ratio: Double { span / Double(1 << halvings) / Double(target) }

    /// Returns the center of a pixel of the result, in halved samples of the image.
    func center(of pixel: Int) -> Double {
        let center = start / Double(1 << halvings) + (Double(pixel) + 0.5) * ratio
        return min(max(center, 0), halvedLength)
    }

    /// The reach of the filter to either side, in halved samples.
    var reach: Double { kernel == .box ? ratio / 2 : kernel.radius * max(ratio, 1) }

    /// The maximum number of weights for a pixel of the result.
    var tapLimit: Int { (2 * Int(reach.rounded(.up)) + 2 + 3) & ~3 }

    /// The maximum number of weights if they begin with an even sample: two at once apply to a pair of rows.
    var pairedTapLimit: Int { 2 * Int(reach.rounded(.up)) + 4 }
}
