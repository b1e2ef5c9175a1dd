import CalotypeCodecs

/// The image of the option `watermark`.
struct WatermarkImage: Sendable {
    let bitmap: Bitmap
    /// Identifies the pixels. Computed once, because it reads all of them.
    let key: String

    init(_ bitmap: Bitmap) {
        self.bitmap = bitmap
        key = Overlay(bitmap).key
    }
}

/// Draws the watermark on the image. It may extend over the edges.
struct WatermarkStep: ImageStep {
    let image: WatermarkImage
    let mark: RenditionOptions.Watermark
    /// The factor for offsets in pixels.
    let offsetScale: Double

    var key: String { "watermark(\(image.key),\(mark),\(offsetScale))" }

    func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        let drawn = try image.bitmap.applying(
            .resize(width: size(on: bitmap).width, height: size(on: bitmap).height, upscales: true))
        let place = mark.anchor.place(of: drawn.size, in: bitmap.size, scale: offsetScale, mayLeave: true)
        let left = max(place.x, 0), top = max(place.y, 0)
        let visible = try drawn.cropped(
            to: PixelRect(
                x: left - place.x, y: top - place.y, width: bitmap.width - left, height: bitmap.height - top))
        let canvas = try visible.applying(Pad(top: top, left: left))
        return try Overlay(canvas, gravity: .topLeft, opacity: mark.opacity).apply(to: bitmap)
    }

    /// Returns the size into which the watermark is fitted.
    private func size(on bitmap: Bitmap) -> PixelSize {
        guard mark.scale > 0 else { return image.bitmap.size }
        return PixelSize(
            width: max((Double(bitmap.width) * mark.scale).toEvenPixels, 1),
            height: max((Double(bitmap.height) * mark.scale).toEvenPixels, 1))
    }
}
