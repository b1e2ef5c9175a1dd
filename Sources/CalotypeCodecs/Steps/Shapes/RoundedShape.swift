/// A rectangle with rounded corners, or a circle, in an image's coordinates.
struct RoundedShape {
    let centerX: Double
    let centerY: Double
    /// Half the extent, less the radius: the box around which the corners are drawn.
    let coreX: Double
    let coreY: Double
    let radius: Double

    /// The whole image with rounded corners.
    init(filling size: PixelSize, radius: Double) {
        centerX = Double(size.width) / 2
        centerY = Double(size.height) / 2
        self.radius = min(radius, centerX, centerY)
        coreX = centerX - self.radius
        coreY = centerY - self.radius
    }

    /// The largest circle around the middle.
    init(circleIn size: PixelSize) {
        centerX = Double(size.width) / 2
        centerY = Double(size.height) / 2
        radius = min(centerX, centerY)
        coreX = 0
        coreY = 0
    }

    /// The shape without an edge of this width. Nil where nothing is left of it.
    func inset(by width: Double) -> RoundedShape? {
        let square = max(width - radius, 0)
        let shape = RoundedShape(
            centerX: centerX, centerY: centerY, coreX: coreX - square, coreY: coreY - square,
            radius: max(radius - width, 0))
        return min(shape.coreX, shape.coreY) + shape.radius > 0 ? shape : nil
    }

    private init(centerX: Double, centerY: Double, coreX: Double, coreY: Double, radius: Double) {
        (self.centerX, self.centerY) = (centerX, centerY)
        (self.coreX, self.coreY, self.radius) = (coreX, coreY, radius)
    }

    /// How much of a pixel lies inside: 0 to 255. The edge is taken for straight within a pixel.
    func coverage(x: Int, y: Int) -> UInt32 {
        let overX = abs(Double(x) + 0.5 - centerX) - coreX
        let overY = abs(Double(y) + 0.5 - centerY) - coreY
        let outer = (max(overX, 0) * max(overX, 0) + max(overY, 0) * max(overY, 0)).squareRoot()
        let inner = min(max(overX, overY), 0)
        let inside = radius - outer - inner + 0.5
        return UInt32(min(max(inside, 0), 1) * 255 + 0.5)
    }
}

extension Bitmap {
    /// The same pixels inside the shape, nothing outside, edges in between. All channels shrink alike: they are
    /// premultiplied.
    func clipped(to shape: RoundedShape) throws(CodecError) -> Bitmap {
        try redrawn(hasAlpha: true) { input, inputStride, output, outputStride in
            for y in 0..<height {
                let from = input + y * inputStride
                let to = output + y * outputStride
                // The shape bulges outward: once inside, a row stays inside until its other edge.
                var left = 0
                while left < width, shape.fade(from, to, x: left, y: y) < 255 { left += 1 }
                var right = width - 1
                while right > left, shape.fade(from, to, x: right, y: y) < 255 { right -= 1 }
                guard left < right else { continue }
                (to + left * 4).update(from: from + left * 4, count: (right - left) * 4)
            }
        }
    }
}

extension RoundedShape {
    /// Writes one pixel of a row and answers its coverage.
    fileprivate func fade(
        _ from: UnsafePointer<UInt8>, _ to: UnsafeMutablePointer<UInt8>, x: Int, y: Int
    ) -> UInt32 {
        let coverage = coverage(x: x, y: y)
        for byte in x * 4..<x * 4 + 4 { to[byte] = UInt8((UInt32(from[byte]) * coverage + 127) / 255) }
        return coverage
    }
}
