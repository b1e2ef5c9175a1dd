import CTurboJPEG
import CalotypeCodecs
import CalotypeTesting
import Foundation

/// Drawings of 2560 × 1600 pixels that reveal a filter's flaws.
enum Chart: String, CaseIterable {
    case zonePlate = "zone-plate"
    case noise, text, stripes, gradients

    private static let width = 2560, height = 1600

    func bitmap() throws -> Bitmap {
        switch self {
        case .zonePlate: try ZonePlate.bitmap(width: Self.width, height: Self.height)
        case .noise: try noise()
        case .text: try text()
        case .stripes: try Self.drawn { x, y in x / (1 + y / 100) % 2 == 0 ? 0xFF20_2020 : 0xFFE0_E0E0 }
        case .gradients: try Self.drawn(gradient)
        }
    }

    static func drawn(
        width: Int = width, height: Int = height, _ pixel: (_ x: Int, _ y: Int) -> UInt32
    ) throws -> Bitmap {
        try Bitmap(width: width, height: height, hasAlpha: false) { bytes, stride in
            for y in 0..<height {
                for x in 0..<width {
                    bytes.storeBytes(of: pixel(x, y), toByteOffset: y * stride + 4 * x, as: UInt32.self)
                }
            }
        }
    }

    static func gray(_ level: Double) -> UInt32 {
        0xFF00_0000 | UInt32(min(max(level, 0), 255).rounded()) * 0x0001_0101
    }

    /// Draws noise as the sum of six grain sizes, from 1 to 32 pixels, with equal contrast.
    private func noise() throws -> Bitmap {
        let octaves = (0..<6).map { octave -> (size: Int, levels: [Double]) in
            var random = SplitMix(seed: UInt64(octave + 1))
            let size = 1 << octave
            let count = (Self.width / size + 1) * (Self.height / size + 1)
            return (size, (0..<count).map { _ in Double.random(in: -1...1, using: &random) })
        }
        return try Self.drawn { x, y in
            let sum = octaves.reduce(0) { sum, octave in
                sum + octave.levels[y / octave.size * (Self.width / octave.size + 1) + x / octave.size]
            }
            return Self.gray(128 + 40 * sum)
        }
    }

    /// Draws rows of letters, five by seven dots, smaller from top to bottom, dark on light and light on dark.
    private func text() throws -> Bitmap {
        let letters: [[UInt8]] = [
            [0x0E, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11], [0x1E, 0x11, 0x1E, 0x11, 0x11, 0x11, 0x1E],
            [0x0E, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0E], [0x1F, 0x10, 0x1E, 0x10, 0x10, 0x10, 0x1F],
            [0x11, 0x12, 0x14, 0x18, 0x14, 0x12, 0x11], [0x11, 0x1B, 0x15, 0x15, 0x11, 0x11, 0x11],
            [0x1F, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04], [0x11, 0x0A, 0x04, 0x04, 0x0A, 0x11, 0x11],
        ]
        return try Self.drawn { x, y in
            let dot = max(12 - y / 140, 1)
            let (column, row) = (x / dot, y / dot)
            let letter = letters[(column / 6 * 7 + row / 9 * 3) % letters.count]
            let isInk = column % 6 < 5 && row % 9 < 7 && letter[row % 9] >> (4 - column % 6) & 1 == 1
            return isInk != (x > Self.width / 2) ? 0xFF10_1010 : 0xFFF8_F8F8
        }
    }

    /// Returns the pixel of a slow color gradient that is crossed by hard edges at many angles.
    private func gradient(x: Int, y: Int) -> UInt32 {
        let (dx, dy) = (Double(x - Self.width / 2), Double(y - Self.height / 2))
        let ray = Int((atan2(dy, dx) + .pi) / (2 * .pi) * 48)
        let red = UInt32(255 * x / Self.width), green = UInt32(255 * y / Self.height)
        return 0xFF00_0000 | red << 16 | green << 8 | (ray % 2 == 0 ? 60 : 200)
    }

    // MARK: - Files

    /// Encodes as JPEG without chroma subsampling, so that only the filter makes a difference.
    static func jpeg(_ bitmap: Bitmap) throws -> Data {
        guard let handle = tjInitCompress() else { throw BenchError("libjpeg-turbo gave no handle") }
        defer { tjDestroy(handle) }
        var jpeg: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        defer { tjFree(jpeg) }
        let status = bitmap.withUnsafeBytes { pixels in
            tjCompress2(
                handle, pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(bitmap.width),
                Int32(bitmap.stride), Int32(bitmap.height), TJPF_BGRX.rawValue, &jpeg, &count,
                Int32(TJSAMP_444.rawValue), 95, 0)
        }
        guard status == 0, let jpeg else { throw BenchError("libjpeg-turbo wrote nothing") }
        return Data(bytes: jpeg, count: Int(count))
    }
}
