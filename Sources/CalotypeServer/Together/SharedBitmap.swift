import CalotypeCodecs

/// The bitmap from which results of an image are drawn: the smallest one from which each is as sharp as from the image.
struct SharedBitmap {
    /// At least one.
    let results: [SharedResult]
    let limits: DecodeLimits

    /// Whether there are several sizes, so that the bitmap is no result itself.
    var isOfSeveral: Bool { Set(results.map(\.key)).count > 1 }

    /// The layout of the bitmap, of any image.
    var layout: any ImageLayout {
        if let first = results.first, !isOfSeveral { return first.layout }
        return VariantLayouts(
            results.map(\.layout), limits: limits, keepsCredits: results.contains { $0.layout.keepsCredits },
            gainMapSide: results.compactMap(\.layout.gainMapSide).min(), gamut: results.first?.layout.gamut ?? .sRGB)
    }

    /// Returns the layout of the bitmap for an image with this header.
    func layout(of header: ImageHeader) -> any ImageLayout {
        guard isOfSeveral, let size = size(of: header) else { return layout }
        let layout = layout
        return SizeLayout(
            size: size, keepsCredits: layout.keepsCredits, gainMapSide: layout.gainMapSide, gamut: layout.gamut)
    }

    /// Returns the size of the bitmap, and the one that a codec may not fall below. Returns `nil` if no other result can be drawn
    /// from the bitmap: it is cropped or changed, or of a drawing.
    func size(of header: ImageHeader) -> DecodeSize? {
        let full = header.uprightSize, layout = layout
        guard !header.isScalable else { return nil }
        guard isOfSeveral else {
            let placement = layout.placement(of: full, isScalable: false)
            let isWhole = placement == ImagePlacement(placement.scaled)
            return isWhole && layout.steps(after: full, isScalable: false).isEmpty
                ? DecodeSize(placement.scaled, of: full) : nil
        }
        guard let size = layout.decodeSize(of: full, isScalable: false) else { return nil }
        // The codec's own size, if it is not much larger, saves a filter, and is nearer to that of each result alone.
        guard size.least == size.result, let own = header.codecSize(covering: size.least),
            own.bitmapMemory <= 3 * size.least.bitmapMemory
        else { return size }
        return DecodeSize(result: own, least: own, filter: .automatic)
    }
}

/// The layout of a bitmap whose size is known.
private struct SizeLayout: ImageLayout {
    let size: DecodeSize
    let keepsCredits: Bool
    let gainMapSide: Int?
    let gamut: ColorGamut

    var key: String { "bitmap(\(size.result.width)x\(size.result.height))" }

    func placement(of full: PixelSize, isScalable: Bool) -> ImagePlacement { ImagePlacement(size.result) }

    func decodeSize(of full: PixelSize, isScalable: Bool) -> DecodeSize? { size }
}
