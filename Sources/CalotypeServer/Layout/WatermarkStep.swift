import CalotypeBase
import CalotypeCodecs
import CalotypeHTTPCache
import CalotypeURLs

/// The image of the option `watermark`.
struct WatermarkImage: Sendable {
    let bitmap: Bitmap
    /// The opacity by which that of each URL is multiplied.
    let opacity: Double
    /// A key that identifies the pixels. Computed once, because that reads all pixels.
    let key: String
    /// A digest of ``key``, for the keys of results.
    let digest: ByteString

    init(_ bitmap: Bitmap, opacity: Double = 1) {
        (self.bitmap, self.opacity) = (bitmap, opacity)
        let key = ImageSteps.Overlay(bitmap).key + (opacity == 1 ? "" : ",\(opacity)")
        self.key = key
        digest = ByteString(ByteString(key).withBytes { KeyDigest.hex(of: $0) }.prefix(32))
    }
}

/// Draws the watermark on the image, once or as tiles. The watermark may extend beyond the image's edges.
struct WatermarkStep: MeasuredStep {
    let image: WatermarkImage
    let mark: RenditionOptions.Watermark
    /// The factor by which the watermark's offsets in pixels are multiplied.
    let offsetScale: Double

    var key: String { "watermark(\(image.key),\(mark),\(offsetScale))" }

    /// The watermark in its size, the part of it that is visible, the canvas with it, and the canvas that it is drawn over.
    func workingBytes(for size: PixelSize) -> Int {
        StepMemory(resizing(on: size), on: image.bitmap.size).bytes + 3 * size.bitmapMemory
    }

    func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        let drawn = try resizing(on: bitmap.size).apply(to: image.bitmap)
        let canvas =
            try mark.anchor.place == .tiles ? tiles(of: drawn, on: bitmap.size) : placed(drawn, on: bitmap.size)
        return try ImageSteps.Overlay(canvas, gravity: .topLeft, opacity: mark.opacity * image.opacity).apply(
            to: bitmap)
    }

    /// Returns the step that fits the watermark into its size on an image of this size.
    private func resizing(on image: PixelSize) -> ImageSteps.Resize {
        guard mark.scale > 0 else {
            let own = self.image.bitmap.size
            return .resize(width: own.width, height: own.height, upscales: true)
        }
        return .resize(
            width: max((Double(image.width) * mark.scale).toEvenPixels, 1),
            height: max((Double(image.height) * mark.scale).toEvenPixels, 1), upscales: true)
    }

    private func placed(_ drawn: Bitmap, on size: PixelSize) throws(CodecError) -> Bitmap {
        let place = mark.anchor.place(of: drawn.size, in: size, scale: offsetScale, mayLeave: true)
        let left = max(place.x, 0), top = max(place.y, 0)
        let visible = try drawn.cropped(
            to: PixelRect(x: left - place.x, y: top - place.y, width: size.width - left, height: size.height - top))
        return try visible.applying(ImageSteps.Pad(top: top, left: left))
    }

    private func tiles(of drawn: Bitmap, on size: PixelSize) throws(CodecError) -> Bitmap {
        let space = mark.anchor.offsets(in: size, scale: offsetScale)
        let columns = TileAxis(tile: drawn.width, space: space.x, length: size.width).positions
        let rows = TileAxis(tile: drawn.height, space: space.y, length: size.height).positions
        return try Bitmap(width: size.width, height: size.height, hasAlpha: true) { pixels, stride in
            pixels.initializeMemory(as: UInt8.self, repeating: 0)
            drawn.withUnsafeBytes { source in
                for (y, row) in rows.enumerated() {
                    guard let row else { continue }
                    for (x, column) in columns.enumerated() {
                        guard let column else { continue }
                        let pixel = source.loadUnaligned(
                            fromByteOffset: row * drawn.stride + 4 * column, as: UInt32.self)
                        pixels.storeBytes(of: pixel, toByteOffset: y * stride + 4 * x, as: UInt32.self)
                    }
                }
            }
        }
    }
}

/// Tiles along one side of an image. The middle tile, with its space around it, is in the center.
private struct TileAxis {
    private let tile: Int
    private let length: Int
    /// The distance from one tile to the next.
    private let period: Int
    /// The start of the middle tile.
    private let origin: Int

    init(tile: Int, space: Int, length: Int) {
        self.tile = tile
        self.length = length
        // A negative space makes each tile cover the end of the previous one.
        period = max(tile + space, 1)
        origin = (length - period) / 2 + (period - tile) / 2
    }

    /// The position within a tile for each pixel of the side, or `nil` between two tiles.
    var positions: [Int?] {
        (0..<length).map { pixel in
            let offset = (pixel - origin) % period
            let position = offset < 0 ? offset + period : offset
            return position < tile ? position : nil
        }
    }
}
