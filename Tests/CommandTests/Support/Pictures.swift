import CalotypeCodecs
import Foundation

/// Pictures drawn by code.
enum Pictures {
    static func jpeg(width: Int = 120, height: Int = 80, seed: Int = 1) throws -> Data {
        try bitmap(width: width, height: height, seed: seed).encoded(as: .jpeg(quality: 0.9))
    }

    static func png(width: Int = 120, height: Int = 80, seed: Int = 1, hasAlpha: Bool = false) throws -> Data {
        try bitmap(width: width, height: height, seed: seed, hasAlpha: hasAlpha).encoded(as: .png)
    }

    static func webp(width: Int = 120, height: Int = 80) throws -> Data {
        try bitmap(width: width, height: height, seed: 1).encoded(as: .webp())
    }

    /// Slopes of colour, others for each seed.
    static func bitmap(width: Int, height: Int, seed: Int, hasAlpha: Bool = false) throws -> Bitmap {
        try Bitmap(width: width, height: height, hasAlpha: hasAlpha) { pixels, stride in
            for y in 0..<height {
                for x in 0..<width {
                    let alpha = hasAlpha ? x * 255 / width : 255
                    let colors = [x * 255 / width, y * 255 / height, (x + y + 40 * seed) % 256]
                    for (channel, color) in colors.enumerated() {
                        pixels[y * stride + x * 4 + channel] = UInt8(color * alpha / 255)
                    }
                    pixels[y * stride + x * 4 + 3] = UInt8(alpha)
                }
            }
        }
    }

    static func header(_ data: Data) throws -> ImageHeader { try DecoderRegistry.standard.header(of: data) }

    static func size(_ data: Data) throws -> PixelSize { try header(data).uprightSize }
}

extension PixelSize {
    init(_ width: Int, _ height: Int) { self.init(width: width, height: height) }
}
