import Foundation

/// The motion of an image between its tile and its frame in the viewer, while the viewer opens or closes.
///
/// A value without a clock: the caller passes the elapsed time.
struct OpeningMotion: Equatable, Sendable {
    static let duration = Duration.milliseconds(240)

    let tile: CGRect
    let isClosing: Bool

    /// Returns the image's frame at a time of the animation.
    ///
    /// - Parameters:
    ///   - elapsed: The time since the animation began.
    ///   - frame: The image's final frame in the viewer, on the canvas.
    ///   - offset: The offset from the tile's coordinates to those of the canvas.
    func frame(at elapsed: Duration, to frame: CGRect, over offset: CGPoint = .zero) -> CGRect {
        let share = openness(at: elapsed)
        let tile = tile.offsetBy(dx: offset.x, dy: offset.y)
        func between(_ start: Double, _ end: Double) -> Double { start + (end - start) * share }
        return CGRect(
            x: between(tile.minX, frame.minX), y: between(tile.minY, frame.minY),
            width: between(tile.width, frame.width), height: between(tile.height, frame.height))
    }

    /// Returns the degree to which the viewer is open, from 0 to 1. It is the image's progress from its tile to its
    /// frame, and the opacity of everything else.
    func openness(at elapsed: Duration) -> Double {
        let time = min(max(elapsed / OpeningMotion.duration, 0), 1)
        // Ease out: fast at first, then slower.
        let share = 1 - (1 - time) * (1 - time) * (1 - time)
        return isClosing ? 1 - share : share
    }

    func isOver(at elapsed: Duration) -> Bool { elapsed >= OpeningMotion.duration }
}
