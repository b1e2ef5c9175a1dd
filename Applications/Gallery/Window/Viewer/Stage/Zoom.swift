import Foundation

/// The frame of an image on a canvas: fitted, or at a free scale around the point that the user zoomed to.
///
/// A value without a widget. Lengths are in the toolkit's points; at scale 1 one image pixel covers one device pixel.
struct Zoom: Equatable, Sendable {
    /// The largest scale that the user can reach.
    static let maximum = 8.0
    /// The factor by which a key press or a button changes the scale.
    static let step = 1.5

    var canvas = CGSize.zero {
        didSet { settle() }
    }
    /// The size of the image at scale 1.
    private(set) var image = CGSize.zero
    /// Whether the whole image is visible and centered. A fitted image stays fitted when the canvas changes.
    private(set) var isFitted = true
    private var freeScale = 1.0
    /// The point of the image in the middle of the canvas, as fractions of the image's width and height.
    private var center = CGPoint(x: 0.5, y: 0.5)
    /// Whether the image is a smaller copy shown until the image arrives, so that fitting may enlarge it.
    private var isStandIn = false

    init() {}

    /// The scale at which the whole image is visible: at most 1, except for a smaller copy of the image.
    var fitScale: Double {
        guard image.width > 0, image.height > 0, canvas.width > 0, canvas.height > 0 else { return 1 }
        let ratio = min(canvas.width / image.width, canvas.height / image.height)
        return isStandIn ? ratio : min(ratio, 1)
    }

    /// The scale of the image: at 1, one image pixel covers one device pixel.
    var scale: Double { isFitted ? fitScale : freeScale }

    /// The rectangle of the image on the canvas; parts of it may lie outside.
    var frame: CGRect {
        let size = CGSize(width: image.width * scale, height: image.height * scale)
        let center = clamped(center, size)
        return CGRect(
            x: canvas.width / 2 - center.x * size.width, y: canvas.height / 2 - center.y * size.height,
            width: size.width, height: size.height)
    }

    /// Whether parts of the image lie outside the canvas.
    var canPan: Bool { frame.width > canvas.width + 0.5 || frame.height > canvas.height + 0.5 }
}

// MARK: Zooming and panning

extension Zoom {
    mutating func fit() {
        isFitted = true
        center = CGPoint(x: 0.5, y: 0.5)
    }

    /// Zooms to a scale between that of the fitted image and ``maximum``. The image pixel under `point` does not move.
    ///
    /// - Parameter point: The fixed point. If `nil` (the default), the middle of the canvas.
    mutating func zoom(to scale: Double, at point: CGPoint? = nil) {
        guard image.width > 0, image.height > 0 else { return }
        let point = point ?? CGPoint(x: canvas.width / 2, y: canvas.height / 2)
        let old = frame
        let scale = min(scale, max(Zoom.maximum, fitScale))
        guard scale > fitScale else { return fit() }
        let size = CGSize(width: image.width * scale, height: image.height * scale)
        let share = CGPoint(x: (point.x - old.minX) / old.width, y: (point.y - old.minY) / old.height)
        center = clamped(
            CGPoint(
                x: share.x + (canvas.width / 2 - point.x) / size.width,
                y: share.y + (canvas.height / 2 - point.y) / size.height), size)
        freeScale = scale
        isFitted = false
    }

    /// Multiplies the scale. The image pixel under `point` does not move.
    mutating func zoom(by factor: Double, at point: CGPoint? = nil) {
        zoom(to: scale * factor, at: point)
    }

    /// Switches between the fitted image and a larger scale around `point`: the image's own size, or twice the fitted
    /// size if the fitted image is not smaller than its own size.
    mutating func toggle(at point: CGPoint) {
        if isFitted { zoom(to: fitScale < 1 ? 1 : 2 * fitScale, at: point) } else { fit() }
    }

    /// Moves the image by a distance in points, at most until its edge meets the edge of the canvas.
    mutating func pan(x: Double, y: Double) {
        guard !isFitted else { return }
        let size = frame.size
        center = clamped(CGPoint(x: center.x - x / size.width, y: center.y - y / size.height), size)
    }
}

// MARK: The image's size

extension Zoom {
    /// Forgets the image. The next image is fitted.
    mutating func begin() {
        image = .zero
        isStandIn = false
        fit()
    }

    /// Sets the size of the image at scale 1. A zoomed image keeps its visible section.
    ///
    /// - Parameter isStandIn: Whether this is the size of a small copy, so that fitting enlarges it.
    mutating func show(_ image: CGSize, isStandIn: Bool) {
        guard image.width > 0, image.height > 0 else { return }
        if !isFitted, self.image.width > 0 { freeScale *= self.image.width / image.width }
        self.image = image
        self.isStandIn = isStandIn
        settle()
    }

    private mutating func settle() {
        if !isFitted, freeScale <= fitScale { fit() }
    }

    private func clamped(_ center: CGPoint, _ size: CGSize) -> CGPoint {
        CGPoint(
            x: Zoom.clamped(center.x, size.width, canvas.width), y: Zoom.clamped(center.y, size.height, canvas.height))
    }

    /// Limits the center along one axis: an image larger than the canvas leaves no gap at its edges, and a smaller
    /// image is centered.
    private static func clamped(_ center: Double, _ size: Double, _ canvas: Double) -> Double {
        guard size > canvas, size > 0 else { return 0.5 }
        let half = canvas / size / 2
        return min(max(center, half), 1 - half)
    }
}
