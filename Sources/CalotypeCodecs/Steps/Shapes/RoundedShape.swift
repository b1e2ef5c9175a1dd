/// A rectangle with rounded corners, or a circle, in an image's coordinates.
struct RoundedShape {
    let centerX: Double
    let centerY: Double
    /// Half the width and height of the inner rectangle, around which the shape extends by `radius`.
    private(set) var coreX: Double
    private(set) var coreY: Double
    private(set) var radius: Double

    init(filling size: PixelSize, radius: Double) {
        centerX = Double(size.width) / 2
        centerY = Double(size.height) / 2
        self.radius = min(radius, centerX, centerY)
        coreX = centerX - self.radius
        coreY = centerY - self.radius
    }

    init(circleIn size: PixelSize) {
        self.init(filling: size, radius: .infinity)
        (coreX, coreY) = (0, 0)
    }

    /// Returns the shape shrunk by `width` on all sides, or `nil` if nothing remains.
    func inset(by width: Double) -> RoundedShape? {
        let square = max(width - radius, 0)
        var shape = self
        shape.coreX -= square
        shape.coreY -= square
        shape.radius = max(radius - width, 0)
        return min(shape.coreX, shape.coreY) + shape.radius > 0 ? shape : nil
    }

    /// Returns how much of a pixel the shape covers, from 0 to 255. Treats the edge within a pixel as straight.
    func coverage(x: Int, y: Int) -> UInt32 {
        let overX = abs(Double(x) + 0.5 - centerX) - coreX
        let overY = abs(Double(y) + 0.5 - centerY) - coreY
        let outer = (max(overX, 0) * max(overX, 0) + max(overY, 0) * max(overY, 0)).squareRoot()
        let inner = min(max(overX, overY), 0)
        let inside = radius - outer - inner + 0.5
        return UInt32(min(max(inside, 0), 1) * 255 + 0.5)
    }

    /// Writes one pixel of a row, multiplied by its coverage, and returns the coverage.
    fileprivate func fade(_ from: UnsafePointer<UInt8>, _ to: UnsafeMutablePointer<UInt8>, x: Int, y: Int) -> UInt32 {
        let coverage = coverage(x: x, y: y)
        for byte in x * 4..<x * 4 + 4 { to[byte] = UInt8((UInt32(from[byte]) * coverage + 127) / 255) }
        return coverage
    }
}

extension Bitmap {
    /// Returns the image clipped to the shape, with its gain map. Scales all channels of a pixel on the edge by its coverage,
    /// because they are premultiplied.
    func clipped(to shape: RoundedShape) throws(CodecError) -> Bitmap {
        let clipped = try redrawn(hasAlpha: true) { input, inputStride, output, outputStride in
            for y in 0..<height {
                let from = input + y * inputStride
                let to = output + y * outputStride
                // The shape is convex: once inside, a row stays inside until its other edge.
                var left = 0
                while left < width, shape.fade(from, to, x: left, y: y) < 255 { left += 1 }
                var right = width - 1
                while right > left, shape.fade(from, to, x: right, y: y) < 255 { right -= 1 }
                guard left < right else { continue }
                (to + left * 4).update(from: from + left * 4, count: (right - left) * 4)
            }
        }
        return clipped.declaring(gainMap: try gainMap?.clipped(to: shape, on: size))
    }
}
