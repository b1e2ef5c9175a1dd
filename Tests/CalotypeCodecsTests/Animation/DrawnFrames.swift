@testable import CalotypeCodecs

/// Frames drawn by code, as any format's decoder returns them, with a count of decodes.
final class DrawnFrames: FrameDecoder {
    let index: AnimationIndex
    private let bitmaps: [Bitmap]
    private(set) var decoded: [Int] = []

    init(_ canvas: PixelSize, loopCount: Int? = nil, _ frames: [(AnimationFrame, Bitmap)]) {
        index = AnimationIndex(canvas: canvas, loopCount: loopCount, frames: frames.map(\.0))
        bitmaps = frames.map(\.1)
    }

    func pixels(of frame: Int) -> Bitmap {
        decoded.append(frame)
        return bitmaps[frame]
    }
}

/// The canvas after each frame, pixel by pixel, drawn from the first frame on.
struct PlainCanvas {
    private var pixels: [[Pixel]]

    init(_ size: PixelSize) {
        pixels = [[Pixel]](repeating: [Pixel](repeating: .clear, count: size.width), count: size.height)
    }

    mutating func show(_ frame: AnimationFrame, _ bitmap: Bitmap) -> [[Pixel]] {
        let before = pixels
        change(frame.rect) { x, y, below in
            let pixel = bitmap[x, y]
            return frame.blends ? pixel.over(below) : pixel
        }
        let shown = pixels
        switch frame.disposal {
        case .keep: break
        case .clear: change(frame.rect) { _, _, _ in .clear }
        case .restore: pixels = before
        }
        return shown
    }

    private mutating func change(_ rect: PixelRect, _ body: (Int, Int, Pixel) -> Pixel) {
        for y in 0..<rect.height {
            for x in 0..<rect.width {
                pixels[rect.y + y][rect.x + x] = body(x, y, pixels[rect.y + y][rect.x + x])
            }
        }
    }
}

extension Pixel {
    fileprivate func over(_ below: Pixel) -> Pixel {
        func mix(_ above: UInt8, _ below: UInt8) -> UInt8 {
            above &+ UInt8((Double(below) * Double(255 - alpha) / 255).rounded())
        }
        return Pixel(
            mix(blue, below.blue), mix(green, below.green), mix(red, below.red), mix(alpha, below.alpha))
    }
}
