import Foundation

/// The way of an image between its tile and its place in the viewer, while the viewer opens or closes.
///
/// A value that is told the time.
struct OpeningMotion: Equatable, Sendable {
    static let duration = Duration.milliseconds(240)

    /// The tile's rectangle.
    let tile: CGRect
    let isClosing: Bool

    /// Where the image is.
    ///
    /// - Parameters:
    ///   - frame: Its place in the viewer, on the canvas.
    ///   - offset: What to add to the tile's coordinates for those of the canvas.
    func frame(at elapsed: Duration, to frame: CGRect, over offset: CGPoint = .zero) -> CGRect {
        let share = openness(at: elapsed)
        let tile = tile.offsetBy(dx: offset.x, dy: offset.y)
        func between(_ start: Double, _ end: Double) -> Double { start + (end - start) * share }
        return CGRect(
            x: between(tile.minX, frame.minX), y: between(tile.minY, frame.minY),
            width: between(tile.width, frame.width), height: between(tile.height, frame.height))
    }

    /// How far the viewer is open, from 0 to 1: the share of its way that the image has gone, and the opacity of all else.
    func openness(at elapsed: Duration) -> Double {
        let time = min(max(elapsed / OpeningMotion.duration, 0), 1)
        // Fast at first, then slower and slower.
        let share = 1 - (1 - time) * (1 - time) * (1 - time)
        return isClosing ? 1 - share : share
    }

    func isOver(at elapsed: Duration) -> Bool { elapsed >= OpeningMotion.duration }
}
