/// Adds a border around the image.
public struct Pad: ImageStep, Hashable, Codable {
    /// The width at the top, in pixels. Below 0 counts as 0.
    public var top: Int
    /// The width on the left, in pixels. Below 0 counts as 0.
    public var left: Int
    /// The width at the bottom, in pixels. Below 0 counts as 0.
    public var bottom: Int
    /// The width on the right, in pixels. Below 0 counts as 0.
    public var right: Int
    /// The color of the border. The default is clear.
    public var color: ImageColor

    /// Creates a step that adds a border of these widths, in pixels.
    public init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0, color: ImageColor = .clear) {
        (self.top, self.left, self.bottom, self.right, self.color) = (top, left, bottom, right, color)
    }

    /// The same width on all sides.
    public init(_ all: Int, color: ImageColor = .clear) {
        self.init(top: all, left: all, bottom: all, right: all, color: color)
    }

    public var key: String { "pad(\(top),\(left),\(bottom),\(right),\(color))" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        // A border this long is refused for its size, and can still be added.
        let sides = [top, left, bottom, right].map { min(max($0, 0), Int(Int32.max)) }
        let size = PixelSize(width: bitmap.width + sides[1] + sides[3], height: bitmap.height + sides[0] + sides[2])
        return try bitmap.placed(x: sides[1], y: sides[0], on: size, color)
    }
}

/// Puts the image on a larger canvas. A side that is as long already stays as it is.
public struct Extend: ImageStep, Hashable, Codable {
    /// Pixels of the canvas.
    public var size: PixelSize
    /// Where on the canvas the image lies. The default is the center.
    public var gravity: Gravity
    /// The color of the canvas. The default is clear.
    public var color: ImageColor

    /// Creates a step that extends the canvas.
    public init(_ size: PixelSize, gravity: Gravity = .center, color: ImageColor = .clear) {
        (self.size, self.gravity, self.color) = (size, gravity, color)
    }

    public var key: String { "extend(\(size.width)x\(size.height)\(gravity.keySuffix),\(color))" }

    public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        let canvas = PixelSize(width: max(size.width, bitmap.width), height: max(size.height, bitmap.height))
        let place = PixelRect(bitmap.size, in: canvas, gravity: gravity)
        return try bitmap.placed(x: place.x, y: place.y, on: canvas, color)
    }
}

extension Bitmap {
    /// This image on a canvas of one color, of which it covers a part.
    fileprivate func placed(x: Int, y: Int, on canvas: PixelSize, _ color: ImageColor) throws(CodecError) -> Bitmap {
        if canvas == size { return self }
        try refuseEnlargement(to: canvas)
        let hasAlpha = hasAlpha || color.alpha < 255
        return try redrawn(width: canvas.width, height: canvas.height, hasAlpha: hasAlpha) {
            input, inputStride, output, outputStride in
            for row in 0..<canvas.height {
                let start = output + row * outputStride
                UnsafeMutableRawPointer(start).assumingMemoryBound(to: UInt32.self)
                    .update(repeating: color.premultiplied, count: canvas.width)
                guard row >= y, row < y + height else { continue }
                (start + 4 * x).update(from: input + (row - y) * inputStride, count: 4 * width)
            }
        }
    }
}
