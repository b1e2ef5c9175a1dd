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
}
