import Calotype
import CalotypeCodecs
import Foundation

/// A picture ready to be written.
struct PictureFile: Sendable {
    let data: Data
    let format: ImageFormat
    /// As shown: upright.
    let size: PixelSize
    let origin: ImageResponse.Origin
}
