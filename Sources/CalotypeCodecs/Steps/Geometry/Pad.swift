extension ImageSteps {
    /// A step that adds a border around the image, or extends its canvas.
    public struct Pad: ImageStep, Hashable, Codable {
        private enum Canvas: Hashable, Codable {
            case border(top: Int, left: Int, bottom: Int, right: Int)
            case size(PixelSize, Gravity)
        }

        private let canvas: Canvas
        /// The color of the added pixels.
        public let color: ImageColor

        /// Creates a step that adds a border of these widths, in pixels. Widths below 0 count as 0.
        public init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0, color: ImageColor = .clear) {
            canvas = .border(top: top, left: left, bottom: bottom, right: right)
            self.color = color
        }

        /// Creates a step that adds a border of the same width on all sides, in pixels.
        public init(_ all: Int, color: ImageColor = .clear) {
            self.init(top: all, left: all, bottom: all, right: all, color: color)
        }

        /// Creates a step that extends the canvas to this size, in pixels. Sides that are already longer stay
        /// unchanged.
        ///
        /// - Parameter gravity: The position of the image on the canvas. The default is the center.
        public init(to size: PixelSize, gravity: Gravity = .center, color: ImageColor = .clear) {
            canvas = .size(size, gravity)
            self.color = color
        }

        public var key: String {
            switch canvas {
            case .border(let top, let left, let bottom, let right): "pad(\(top),\(left),\(bottom),\(right),\(color))"
            case .size(let size, let gravity): "extend(\(size.width)x\(size.height)\(gravity.keySuffix),\(color))"
            }
        }

        public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
            let size = resultSize(of: bitmap.size)
            switch canvas {
            case .border(let top, let left, _, _):
                return try bitmap.placed(x: Self.width(left), y: Self.width(top), on: size, color)
            case .size(_, let gravity):
                let place = PixelRect(bitmap.size, in: size, gravity: gravity)
                return try bitmap.placed(x: place.x, y: place.y, on: size, color)
            }
        }

        /// Limits a border's width so that the sum does not overflow; a size this large is rejected later.
        private static func width(_ border: Int) -> Int { min(max(border, 0), Int(Int32.max)) }
    }
}

extension ImageSteps.Pad: MeasuredStep {
    package func resultSize(of size: PixelSize) -> PixelSize {
        switch canvas {
        case .border(let top, let left, let bottom, let right):
            PixelSize(
                width: size.width + Self.width(left) + Self.width(right),
                height: size.height + Self.width(top) + Self.width(bottom))
        case .size(let canvas, _):
            PixelSize(width: max(canvas.width, size.width), height: max(canvas.height, size.height))
        }
    }
}

extension ImageStep where Self == ImageSteps.Pad {
    /// Adds a border of this width, in pixels, on all sides.
    public static func pad(_ all: Int, color: ImageColor = .clear) -> Self { Self(all, color: color) }

    /// Extends the canvas to this size, in pixels. Sides that are already longer stay unchanged.
    public static func extend(width: Int, height: Int, gravity: Gravity = .center, color: ImageColor = .clear) -> Self {
        Self(to: PixelSize(width: width, height: height), gravity: gravity, color: color)
    }
}

extension Bitmap {
    fileprivate func placed(x: Int, y: Int, on canvas: PixelSize, _ color: ImageColor) throws(CodecError) -> Bitmap {
        if canvas == size { return self }
        try refuseEnlargement(to: canvas)
        let color = color.converted(to: gamut)
        let hasAlpha = hasAlpha || color.alpha < 255
        let placed = try redrawn(width: canvas.width, height: canvas.height, hasAlpha: hasAlpha) {
            input, inputStride, output, outputStride in
            for row in 0..<canvas.height {
                let start = output + row * outputStride
                UnsafeMutableRawPointer(start).assumingMemoryBound(to: UInt32.self)
                    .update(repeating: color.premultiplied, count: canvas.width)
                guard row >= y, row < y + height else { continue }
                (start + 4 * x).update(from: input + (row - y) * inputStride, count: 4 * width)
            }
        }
        guard let gainMap, gainMap.numbers.neutral != nil else { return placed }
        let place = PixelRect(x: x, y: y, width: width, height: height)
        return placed.declaring(gainMap: gainMap.changing(gainMap.plan.placed(at: place, on: canvas)))
    }
}
