import CalotypeCodecs
import CalotypeTesting
import Foundation

/// The images that the tests serve, and readers for the results.
enum Pictures {
    /// Returns 120 × 80 pixels, different for each seed.
    static func jpeg(seed: Int = 1) -> Data { SamplePhotos.jpeg(width: 120, height: 80, seed: seed) }
    static func png(hasAlpha: Bool = false) -> Data { SamplePhotos.png(width: 120, height: 80, hasAlpha: hasAlpha) }

    static func header(_ data: Data) throws -> ImageHeader { try DecoderRegistry.standard.header(of: data) }
    static func size(_ data: Data) throws -> PixelSize { try header(data).uprightSize }
}

extension PixelSize {
    init(_ width: Int, _ height: Int) { self.init(width: width, height: height) }
}
