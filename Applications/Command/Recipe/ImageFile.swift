import Calotype
import CalotypeCodecs
import Foundation

/// An image ready to be written.
struct ImageFile: Sendable {
    let data: Data
    let format: ImageFormat
    /// The size, upright.
    let size: PixelSize
    let origin: ImageResponse.Origin
    /// The cache's decision, for an image from the web.
    var decision: CacheDecisionReport?
    /// The quality that a search has found.
    var quality: Int?
}

/// The layer that an image came from, with the cache's decision.
struct ImageOrigin: Sendable {
    let layer: ImageResponse.Origin
    var decision: CacheDecisionReport?
}
