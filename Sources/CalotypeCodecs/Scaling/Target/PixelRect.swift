/// A rectangle in whole pixels; the origin is the top left corner.
public struct PixelRect: Hashable, Sendable {
    /// The distance from the left edge, in pixels.
    public var x: Int
    /// The distance from the top edge, in pixels.
    public var y: Int
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates a rectangle.
    public init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// Creates a window of `size` in an image of `bounds`, as close to the gravity's position as possible.
    ///
    /// Sides longer than the image's are shortened to fit.
    init(_ size: PixelSize, in bounds: PixelSize, gravity: Gravity) {
        let width = min(max(size.width, 1), bounds.width)
        let height = min(max(size.height, 1), bounds.height)
        self.init(
            x: Int((Double(bounds.width - width) * gravity.x).rounded(.down)),
            y: Int((Double(bounds.height - height) * gravity.y).rounded(.down)),
            width: width, height: height)
    }

    var size: PixelSize { PixelSize(width: width, height: height) }

    /// Returns the part of the rectangle inside an image of `bounds`, or `nil` if it lies outside.
    func clipped(to bounds: PixelSize) -> PixelRect? {
        let horizontal = Self.overlap(start: x, length: width, limit: bounds.width)
        let vertical = Self.overlap(start: y, length: height, limit: bounds.height)
        guard !horizontal.isEmpty, !vertical.isEmpty else { return nil }
        return PixelRect(
            x: horizontal.lowerBound, y: vertical.lowerBound, width: horizontal.count, height: vertical.count)
    }

    private static func overlap(start: Int, length: Int, limit: Int) -> Range<Int> {
        let (sum, overflow) = start.addingReportingOverflow(max(length, 0))
        let lower = min(max(start, 0), limit)
        let upper = overflow ? limit : min(max(sum, 0), limit)
        return lower..<max(lower, upper)
    }
}

extension Bitmap {
    /// The width and height.
    public var size: PixelSize { PixelSize(width: width, height: height) }
}
