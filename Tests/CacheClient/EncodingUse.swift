import Calotype
import CalotypeCodecs
import Foundation

/// Measures the peak memory of one encoder, while nothing else runs.
enum EncodingUse {
    /// - Parameter words: the format, then width and height.
    /// - Returns: "5242880 6291456": the growth of the process's peak while it encodes, and the growth that a loader expects,
    ///   in bytes, both without the bitmap and with the file.
    static func line(_ words: [String]) throws -> String {
        let sides = words.dropFirst().compactMap { Int($0) }
        guard let format = words.first.flatMap(format), sides.count == 2 else { return "a format and two numbers" }
        _ = try BurstMemory.photograph(width: 64, height: 64).encoded(as: format)
        let bitmap = try bitmap(words[0], width: sides[0], height: sides[1])
        // The peak so far may be higher than the memory in use.
        try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        let before = BurstMemory.peakBytes
        let file = try bitmap.encoded(as: format)
        let expected = format.peakBytes(of: bitmap.size, hasAlpha: bitmap.hasAlpha) - bitmap.byteCount + 2 * file.count
        return "\(BurstMemory.peakBytes - before) \(expected) \(bitmap.byteCount) \(file.count)"
    }

    private static func bitmap(_ name: String, width: Int, height: Int) throws -> Bitmap {
        switch name.split(separator: "-").last {
        // 1,000 colors without order, for which a cache of colors is of use: the encoder's tables are largest.
        case "colors": try drawn(width, height) { 0xFF00_0000 | UInt32.random(in: 0..<1000, using: &$0) &* 16_411 }
        case "noise": try drawn(width, height) { 0xFF00_0000 | UInt32.random(in: 0..<1 << 24, using: &$0) }
        case "flat": try drawn(width, height) { _ in 0xFF28_5AC8 }
        // Premultiplied: gray from clear to half transparent.
        case "clear": try drawn(width, height, hasAlpha: true) { UInt32.random(in: 0..<128, using: &$0) &* 0x0101_0101 }
        default: try BurstMemory.photograph(width: width, height: height)
        }
    }

    private static func drawn(
        _ width: Int, _ height: Int, hasAlpha: Bool = false, _ color: (inout SystemRandomNumberGenerator) -> UInt32
    ) throws -> Bitmap {
        var random = SystemRandomNumberGenerator()
        return try Bitmap(width: width, height: height, hasAlpha: hasAlpha) { pixels, stride in
            for y in 0..<height {
                for x in 0..<width {
                    pixels.storeBytes(of: color(&random), toByteOffset: y * stride + 4 * x, as: UInt32.self)
                }
            }
        }
    }

    private static func format(_ name: String) -> EncodingFormat? {
        switch name {
        case "jpeg", "jpeg-noise", "jpeg-flat", "jpeg-clear": .jpeg()
        case "progressive", "progressive-noise": .jpeg(isProgressive: true)
        case "full-noise": .jpeg(quality: 100, isProgressive: true, keepsColors: true)
        case "png": .png
        case "webp": .webp()
        case "sharp-webp": .webp(ofGraphic: 80)
        case "lossless", "lossless-colors": .webpLossless
        case "near-lossless", "near-lossless-colors": .webp(ofGraphic: nil)
        case "avif-colors": .avif(ofGraphic: 63, speed: 8)
        case "avif": .avif(quality: 63, speed: 9)
        case "slow-avif": .avif()
        #if JPEGXL
            case "jxl": .jpegXL()
            case "quick-jxl": .jpegXL(effort: 4)
            case "lossless-jxl": .jpegXLLossless
        #endif
        default: nil
        }
    }
}
