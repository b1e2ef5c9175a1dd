import Calotype
import CalotypeCodecs
import Foundation

/// The size at which the viewer asks for an image.
enum Rendition: Hashable, Sendable {
    /// As large as fits into a canvas of so many pixels of the screen.
    case fitted(PixelSize)
    /// As large as the image is, within the loader's limits.
    case whole

    /// Chooses the rendition for what is seen.
    ///
    /// - Parameters:
    ///   - current: The rendition that is shown or in flight. It is kept where the canvas has hardly changed.
    ///   - ownSize: The image's own size, or `nil` as long as it is not known.
    static func choose(_ zoom: Zoom, deviceScale: Int, current: Rendition?, ownSize: PixelSize?) -> Rendition {
        let canvas = PixelSize(
            width: max(Int(zoom.canvas.width) * deviceScale, 1), height: max(Int(zoom.canvas.height) * deviceScale, 1))
        let isLarger = ownSize.map { $0.width > canvas.width || $0.height > canvas.height } ?? true
        if !zoom.isFitted, isLarger { return .whole }
        if case .fitted(let size)? = current, size.serves(canvas) { return .fitted(size) }
        return .fitted(canvas)
    }

    func request(_ base: ImageRequest) -> ImageRequest {
        var request = base
        switch self {
        case .fitted(let size): request.size = ResizeTarget(width: size.width, height: size.height)
        case .whole: request.size = nil
        }
        return request
    }
}

extension PixelSize {
    /// Returns whether an image for this place will do for another: one that is not larger, nor smaller than half.
    fileprivate func serves(_ other: PixelSize) -> Bool {
        other.width <= width && other.height <= height && (2 * other.width >= width || 2 * other.height >= height)
    }
}
