import CalotypeBase
import CalotypeCodecs
import CalotypeURLs

/// The steps after an image has been scaled and cut, in imgproxy's order.
struct RenditionFinishing {
    let options: RenditionOptions
    let watermark: WatermarkImage?

    /// - Parameter geometry: The geometry by which the image was scaled and cut.
    func steps(_ geometry: RenditionGeometry) -> [any ImageStep] {
        RenditionView(options: options).steps + filters + canvases(geometry) + background + watermarks(geometry)
    }

    private var filters: [any ImageStep] {
        var steps: [any ImageStep] = []
        if options.brightness != 0 { steps.append(.brightness(1 + Double(options.brightness) / 255)) }
        if options.contrast != 1 { steps.append(.contrast(options.contrast)) }
        if options.saturation != 1 { steps.append(.saturation(options.saturation)) }
        if options.blur > 0 { steps.append(.blur(sigma: options.blur)) }
        // An approximation: libvips, which imgproxy uses, amplifies edges up to threefold but not flat areas.
        if options.sharpen > 0 { steps.append(.sharpen(sigma: options.sharpen, amount: 1)) }
        if options.pixelate > 1 { steps.append(.pixelate(options.pixelate)) }
        return steps
    }

    private func canvases(_ geometry: RenditionGeometry) -> [any ImageStep] {
        var steps: [any ImageStep] = []
        func extend(_ image: PixelSize, to canvas: PixelSize, _ anchor: RenditionOptions.Anchor?) {
            guard canvas != image, let anchor else { return }
            let place = anchor.place(of: image, in: canvas, scale: geometry.offsetScale)
            steps.append(
                ImageSteps.Pad(
                    top: place.y, left: place.x, bottom: canvas.height - image.height - place.y,
                    right: canvas.width - image.width - place.x))
        }
        extend(geometry.cut, to: geometry.canvas, options.extend)
        extend(geometry.canvas, to: geometry.ratioCanvas, options.extendAspectRatio)
        let padding = geometry.padding
        if padding != RenditionOptions.Padding() {
            steps.append(
                ImageSteps.Pad(top: padding.top, left: padding.left, bottom: padding.bottom, right: padding.right))
        }
        return steps
    }

    private var background: [any ImageStep] {
        guard var color = options.background else { return [] }
        color.alpha = UInt8((255 * options.backgroundAlpha).rounded())
        return [.background(color)]
    }

    private func watermarks(_ geometry: RenditionGeometry) -> [any ImageStep] {
        guard let mark = options.watermark, let watermark else { return [] }
        return [WatermarkStep(image: watermark, mark: mark, offsetScale: geometry.offsetScale)]
    }
}

/// Crops the image to ``window``.
struct CutStep: MeasuredStep {
    let window: PixelRect

    var key: String { "cut(\(window.x),\(window.y),\(window.width)x\(window.height))" }

    func resultSize(of size: PixelSize) -> PixelSize {
        PixelSize(width: min(window.width, size.width), height: min(window.height, size.height))
    }

    func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap { try bitmap.cropped(to: window) }
}

/// Removes the border around the content. If the options demand it, removes equal amounts on opposite sides.
struct TrimStep: ImageStep {
    let trim: RenditionOptions.Trim

    var key: String {
        "trim(\(trim.tolerance),\(trim.color.map(\.description) ?? ""),\(trim.isEqualHorizontally),"
            + "\(trim.isEqualVertically))"
    }

    func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
        // In imgproxy's URLs, this color stands for transparency.
        let isClear = trim.color == ImageColor(red: 255, green: 0, blue: 255)
        let border = ImageSteps.Trim(isClear ? .clear : trim.color, tolerance: Int(trim.tolerance))
        guard var content = border.contentRect(of: bitmap) else { return bitmap }
        if trim.isEqualHorizontally {
            content.x = min(content.x, bitmap.width - content.x - content.width)
            content.width = bitmap.width - 2 * content.x
        }
        if trim.isEqualVertically {
            content.y = min(content.y, bitmap.height - content.y - content.height)
            content.height = bitmap.height - 2 * content.y
        }
        return try bitmap.cropped(to: content)
    }
}
