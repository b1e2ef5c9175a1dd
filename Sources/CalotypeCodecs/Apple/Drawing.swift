#if canImport(CoreGraphics)
    public import CoreGraphics

    extension ImageSteps {
        /// A step that draws over the image with Core Graphics, such as a watermark, text or a frame.
        ///
        /// ```swift
        /// ImageSteps.Drawing(key: "frame-v1") { context, bounds in context.stroke(bounds, width: 8) }
        /// ```
        public struct Drawing: ImageStep {
            public let key: String
            private let draw: @Sendable (_ context: CGContext, _ bounds: CGRect) -> Void

            /// - Parameters:
            ///   - key: A name that includes every value on which the drawing depends. It cannot equal the key of
            ///     another type of step.
            ///   - draw: Draws in pixels, with the origin at the bottom left. Called on threads that may block.
            public init(key: String, _ draw: @escaping @Sendable (_ context: CGContext, _ bounds: CGRect) -> Void) {
                self.key = "drawing(\(key))"
                self.draw = draw
            }

            public func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
                try bitmap.drawn(.asItIs, draw)
            }
        }
    }

    extension Bitmap {
        enum Ground { case asItIs, overWhite }

        /// Returns a copy of the image with a drawing over it.
        func drawn(_ ground: Ground, _ draw: (CGContext, CGRect) -> Void) throws(CodecError) -> Bitmap {
            let image = try cgImage()
            let bounds = CGRect(x: 0, y: 0, width: width, height: height)
            return try Bitmap(width: width, height: height, hasAlpha: hasAlpha && ground == .asItIs) {
                (pixels, stride) throws(CodecError) in
                pixels.initializeMemory(as: UInt8.self, repeating: ground == .overWhite ? 0xFF : 0)
                let canvas = try CGContext.over(pixels, size, stride: stride)
                canvas.draw(image, in: bounds)
                draw(canvas, bounds)
            }
        }
    }
#endif
