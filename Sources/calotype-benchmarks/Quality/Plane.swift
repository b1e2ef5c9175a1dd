import CalotypeCodecs
import Foundation

/// One channel of an image, in double precision: what qualities are measured on.
struct Plane: Sendable {
    let width: Int
    let height: Int
    var values: [Double]

    init(width: Int, height: Int, values: [Double]) {
        (self.width, self.height, self.values) = (width, height, values)
    }

    /// The luma of opaque pixels (ITU-R BT.601).
    init(_ bitmap: Bitmap) {
        var values: [Double] = []
        values.reserveCapacity(bitmap.width * bitmap.height)
        bitmap.withUnsafeBytes { bytes in
            for y in 0..<bitmap.height {
                for x in 0..<bitmap.width {
                    let pixel = y * bitmap.stride + 4 * x
                    values.append(Self.luma(red: bytes[pixel + 2], green: bytes[pixel + 1], blue: bytes[pixel]))
                }
            }
        }
        self.init(width: bitmap.width, height: bitmap.height, values: values)
    }

    /// The luma of what libvips made: one or two bands of gray, or three and more of colour.
    init(_ pixels: Vips.Pixels, width: Int, height: Int) throws {
        guard pixels.bytes.count == width * height * pixels.bands else { throw BenchError("libvips gave another size") }
        let bytes = pixels.bytes
        let values = stride(from: 0, to: bytes.count, by: pixels.bands).map { pixel in
            pixels.bands < 3
                ? Double(bytes[pixel])
                : Self.luma(red: bytes[pixel], green: bytes[pixel + 1], blue: bytes[pixel + 2])
        }
        self.init(width: width, height: height, values: values)
    }

    private static func luma(red: UInt8, green: UInt8, blue: UInt8) -> Double {
        0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue)
    }

    var transposed: Plane {
        var result = [Double](repeating: 0, count: values.count)
        // In squares that stay in the processor's cache.
        let side = 32
        for top in stride(from: 0, to: height, by: side) {
            for left in stride(from: 0, to: width, by: side) {
                for y in top..<min(top + side, height) {
                    for x in left..<min(left + side, width) { result[x * height + y] = values[y * width + x] }
                }
            }
        }
        return Plane(width: height, height: width, values: result)
    }
}
