import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeURLs
import Foundation

/// One of several results that are drawn from one bitmap.
struct SharedResult: Sendable {
    let layout: RenditionLayout
    let encoding: RenditionEncoding

    /// The key of the layout: results with equal ones are drawn alike.
    var key: ByteString { ByteString(layout.key) }

    /// Returns how the result is drawn.
    ///
    /// - Parameters:
    ///   - size: The size of the bitmap.
    ///   - header: The header of the original.
    /// - Throws: `tooLarge` if a limit forbids the result.
    func drawing(
        from size: PixelSize, of header: ImageHeader, _ limits: DecodeLimits
    ) throws(CodecError) -> (layout: VariantLayout, steps: [any ImageStep]) {
        try VariantLayouts([layout], limits: limits).result(at: 0, from: size, of: header)
    }

    /// The peak memory in bytes of drawing and encoding the result, with the bitmap; that of the bitmap alone if a limit
    /// forbids the result.
    func peakBytes(from size: PixelSize, hasAlpha: Bool, of header: ImageHeader, _ limits: DecodeLimits) -> Int {
        guard let drawing = try? drawing(from: size, of: header, limits) else { return size.bitmapMemory }
        return size.bitmapMemory + peakBytes(drawing.layout, drawing.steps, hasAlpha: hasAlpha)
    }

    private func peakBytes(_ drawn: VariantLayout, _ steps: [any ImageStep], hasAlpha: Bool) -> Int {
        let finishing = steps.memory(on: drawn.size)
        let hasAlpha = hasAlpha || encoding.options.addsTransparency
        return drawn.peakBytes(
            laterBytes: max(finishing.peak, encoding.peakBytes(of: finishing.result, hasAlpha: hasAlpha)))
    }

    /// Draws the result, and encodes it, within the reservation of the bitmap.
    func file(
        from image: ImageResponse, of header: ImageHeader, _ loader: ImageLoader
    ) async throws(ImageError) -> (data: Data, format: RenditionFormat) {
        let bitmap = image.bitmap
        let (layout, steps): (VariantLayout, [any ImageStep])
        do throws(CodecError) {
            (layout, steps) = try drawing(from: bitmap.size, of: header, loader.options.limits)
        } catch {
            throw ImageError(error, url: nil)
        }
        // A gain map, its changed copy and its encoder.
        let map = 3 * (bitmap.heldBytes - bitmap.byteCount)
        let cost = bitmap.byteCount + map + peakBytes(layout, steps, hasAlpha: bitmap.hasAlpha)
        return try await encoding.file(from: image, cost: cost, loader) { (bitmap) throws(CodecError) in
            try layout.result(of: bitmap).applying(steps).declaring(originOf: bitmap)
        }
    }

    /// The memory of encoding the result if it is decoded alone.
    var peak: EncodingMemory { RenditionPeak(layout: layout, encoding: encoding).memory }

    /// The size that the result asks of a decoder if it is decoded alone.
    func decodeSize(of header: ImageHeader) -> DecodeSize {
        let full = header.uprightSize
        return DecodeSize(layout.placement(of: full, isScalable: header.isScalable).scaled, of: full)
    }
}
