import CalotypeCodecs
import CalotypeURLs

extension RenditionOptions.Anchor {
    /// Returns the position of a smaller rectangle in a larger one: a window in an image, or an image on a canvas.
    ///
    /// For `smart`, the position is in the center.
    ///
    /// - Parameters:
    ///   - scale: The factor for offsets in pixels.
    ///   - mayLeave: Whether the smaller rectangle may extend beyond the edges, as a watermark may. At least one pixel
    ///     remains inside.
    func place(
        of inner: PixelSize, in outer: PixelSize, scale: Double, mayLeave: Bool = false
    ) -> (x: Int, y: Int) {
        var (x, y): (Int, Int)
        if place == .focus {
            x = (Double(outer.width) * self.x).toEvenPixels - inner.width / 2
            y = (Double(outer.height) * self.y).toEvenPixels - inner.height / 2
        } else {
            let offset = offsets(in: outer, scale: scale)
            x =
                switch place {
                case .west, .northWest, .southWest: offset.x
                case .east, .northEast, .southEast: outer.width - inner.width - offset.x
                default: Self.middle(inner.width, outer.width) + offset.x
                }
            y =
                switch place {
                case .north, .northEast, .northWest: offset.y
                case .south, .southEast, .southWest: outer.height - inner.height - offset.y
                default: Self.middle(inner.height, outer.height) + offset.y
                }
        }
        guard !mayLeave else {
            return (min(max(x, 1 - inner.width), outer.width - 1), min(max(y, 1 - inner.height), outer.height - 1))
        }
        return (max(0, min(x, outer.width - inner.width)), max(0, min(y, outer.height - inner.height)))
    }

    func offsets(in outer: PixelSize, scale: Double) -> (x: Int, y: Int) {
        (Self.offset(x, outer.width, scale), Self.offset(y, outer.height, scale))
    }

    private static func offset(_ offset: Double, _ side: Int, _ scale: Double) -> Int {
        (abs(offset) >= 1 ? offset * scale : offset * Double(side)).toEvenPixels
    }

    private static func middle(_ inner: Int, _ outer: Int) -> Int { (Double(outer - inner + 1) / 2).toEvenPixels }
}
