import Calotype
import CalotypeCodecs
import Foundation

/// An image ready to be written.
struct ImageFile: Sendable {
    let data: Data
    let format: ImageFormat
    /// As shown: upright.
    let size: PixelSize
    let origin: ImageResponse.Origin
    /// What the cache decided, for an image from the web.
    var decision: CacheDecisionReport?
    /// The quality that a search has found.
    var quality: Int?
}

/// Where an image came from.
struct ImageOrigin: Sendable {
    let layer: ImageResponse.Origin
    var decision: CacheDecisionReport?
}
