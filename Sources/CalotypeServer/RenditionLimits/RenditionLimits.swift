import CalotypeCodecs

/// The limits on the size of a result. A larger result is made smaller as a whole, as in imgproxy.
struct RenditionLimits: Hashable, Sendable {
    /// The longest side, in pixels.
    var side = Int.max
    /// The number of pixels.
    var pixels = Int.max

    /// Returns the factor, below 1, by which both sides of a result shrink, or `nil` if its size is within the limits.
    func reduction(of size: PixelSize) -> Double? {
        let (width, height) = (Double(size.width), Double(size.height))
        let factor = min(Double(side) / max(width, height), (Double(pixels) / (width * height)).squareRoot())
        return factor < 1 ? factor : nil
    }
}
