/// The frames of an animation as described by the file, without their pixels.
package struct AnimationIndex: Hashable, Sendable {
    /// The size of the canvas in pixels, before the image's orientation is applied.
    package let canvas: PixelSize
    /// The number of times that the animation plays, or `nil` if it repeats forever.
    package let loopCount: Int?
    package let frames: [AnimationFrame]

    /// Creates an index. Clips the frames to the canvas; a frame entirely outside gets an empty rectangle.
    package init(canvas: PixelSize, loopCount: Int?, frames: [AnimationFrame]) {
        self.canvas = canvas
        self.loopCount = loopCount
        self.frames = frames.map { $0.clipped(to: canvas) }
    }

    package var duration: Duration { frames.reduce(.zero) { $0 + $1.duration } }

    func covers(_ frame: AnimationFrame) -> Bool { frame.rect.size == canvas }
}

/// One frame of an animation, without its pixels.
package struct AnimationFrame: Hashable, Sendable {
    /// The treatment of a frame's rectangle before the next frame is drawn.
    package enum Disposal: Hashable, Sendable {
        /// Keeps the frame.
        case keep
        /// Makes the rectangle transparent.
        case clear
        /// Restores the pixels as they were before the frame was drawn.
        case restore
    }

    package internal(set) var rect: PixelRect
    package let duration: Duration
    package let disposal: Disposal
    /// Whether the frame is blended with the canvas. If `false`, even its transparent pixels replace the canvas.
    package let blends: Bool
    /// Whether any pixel of the frame may be transparent.
    package let hasAlpha: Bool

    /// - Parameter duration: The duration from the file. Values of 10 ms or less become 100 ms, as in browsers.
    package init(rect: PixelRect, duration: Duration, disposal: Disposal = .keep, blends: Bool = true, hasAlpha: Bool) {
        self.rect = rect
        self.duration = duration > .milliseconds(10) ? duration : .milliseconds(100)
        self.disposal = disposal
        self.blends = blends
        self.hasAlpha = hasAlpha
    }

    var isEmpty: Bool { rect.width <= 0 || rect.height <= 0 }

    /// Whether nothing of the canvas remains visible inside the frame's rectangle.
    var replaces: Bool { !hasAlpha || !blends }

    fileprivate func clipped(to canvas: PixelSize) -> AnimationFrame {
        var frame = self
        frame.rect = rect.clipped(to: canvas) ?? PixelRect(x: 0, y: 0, width: 0, height: 0)
        return frame
    }
}
