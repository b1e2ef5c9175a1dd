import Calotype
import CalotypeCodecs
import Foundation

/// The size at which the viewer requests an image.
enum Rendition: Hashable, Sendable {
    /// The largest size that fits into a canvas of this many device pixels.
    case fitted(PixelSize)
    /// The image's own size, within the loader's limits.
    case whole

    /// Returns the rendition that a zoom needs.
    ///
    /// - Parameters:
    ///   - current: The rendition that is shown or in flight. A fitted rendition is kept if it suits the new canvas.
    ///   - ownSize: The image's own size, or `nil` if it is not known yet.
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
    /// Returns `true` if an image for this canvas also suits another canvas, which must not be larger and must be at
    /// least half as wide or half as high.
    fileprivate func serves(_ other: PixelSize) -> Bool {
        other.width <= width && other.height <= height && (2 * other.width >= width || 2 * other.height >= height)
    }
}
