/// The frames of an animation, as the file describes them without a pixel decoded.
public struct AnimationIndex: Hashable, Sendable {
    /// The size that all frames are drawn on, in pixels, as stored.
    public let canvas: PixelSize
    /// How often the animation plays; `nil` for an endless one.
    public let loopCount: Int?
    /// The frames in their order.
    public let frames: [AnimationFrame]

    /// Creates an index, for decoders.
    ///
    /// What of a frame's rectangle lies outside the canvas is cut off; a frame with nothing inside has an empty rectangle.
    public init(canvas: PixelSize, loopCount: Int?, frames: [AnimationFrame]) {
        self.canvas = canvas
        self.loopCount = loopCount
        self.frames = frames.map { $0.clipped(to: canvas) }
    }

    /// The time that all frames take.
    public var duration: Duration { frames.reduce(.zero) { $0 + $1.duration } }

    func covers(_ frame: AnimationFrame) -> Bool { frame.rect.size == canvas }
}

/// One frame of an animation, without its pixels.
public struct AnimationFrame: Hashable, Sendable {
    /// The treatment of a frame's rectangle before the next frame is drawn.
    public enum Disposal: Hashable, Sendable {
        /// It stays.
        case keep
        /// It becomes transparent.
        case clear
        /// It becomes what it was before the frame.
        case restore
    }

    /// The place on the canvas.
    public internal(set) var rect: PixelRect
    /// The time that the frame is shown for.
    public let duration: Duration
    /// The treatment of the rectangle afterwards.
    public let disposal: Disposal
    /// A Boolean value indicating whether the frame is drawn over what is there. If `false`, it replaces that,
    /// transparent pixels included.
    public let blends: Bool
    /// A Boolean value indicating whether any of the frame's pixels may be other than opaque.
    public let hasAlpha: Bool

    /// Creates a frame, for decoders.
    ///
    /// - Parameter duration: As the file says. 10 ms and less become 100 ms, as in browsers.
    public init(
        rect: PixelRect, duration: Duration, disposal: Disposal = .keep, blends: Bool = true, hasAlpha: Bool
    ) {
        self.rect = rect
        self.duration = duration > .milliseconds(10) ? duration : .milliseconds(100)
        self.disposal = disposal
        self.blends = blends
        self.hasAlpha = hasAlpha
    }

    var isEmpty: Bool { rect.width <= 0 || rect.height <= 0 }

    /// A Boolean value indicating whether nothing below the frame is seen inside its rectangle.
    var replaces: Bool { !hasAlpha || !blends }

    fileprivate func clipped(to canvas: PixelSize) -> AnimationFrame {
        var frame = self
        frame.rect = rect.clipped(to: canvas) ?? PixelRect(x: 0, y: 0, width: 0, height: 0)
        return frame
    }
}
