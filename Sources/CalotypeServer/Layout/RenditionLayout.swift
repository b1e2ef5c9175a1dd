import CalotypeCodecs
import CalotypeURLs

/// The layout of a rendition: the size to which an image is scaled, the part of it to keep, and the steps after that.
///
/// For trimming, and for a `crop` with the place `smart`, the image is decoded at full size, and the whole layout runs
/// as a step on the decoded image.
struct RenditionLayout: ImageLayout {
    let options: RenditionOptions
    let limits: RenditionLimits
    let watermark: WatermarkImage?
    let gamut: ColorGamut
    let gainMapSide: Int?

    /// - Parameters:
    ///   - longestSide: The longest side of a result, in pixels. The options may contain a lower limit.
    ///   - maxPixels: The maximum number of pixels of a result. The default is no limit.
    ///   - gainMapSide: The shortest longer side of results that keep a gain map. If `nil` (the default), none does.
    ///   - gamut: The widest gamut of a result. The default is sRGB.
    init(
        _ options: RenditionOptions, longestSide: Int, maxPixels: Int = .max, watermark: WatermarkImage? = nil,
        gainMapSide: Int? = nil, gamut: ColorGamut = .sRGB
    ) {
        self.options = options
        limits = RenditionLimits(side: min(longestSide, options.maxResultSide ?? longestSide), pixels: maxPixels)
        self.watermark = options.watermark == nil ? nil : watermark
        self.gamut = gamut
        self.gainMapSide = gainMapSide
    }

    /// Returns the layout with other options, under the same limits.
    private func changing(_ options: RenditionOptions) -> RenditionLayout {
        RenditionLayout(
            options, longestSide: limits.side, maxPixels: limits.pixels, watermark: watermark, gainMapSide: gainMapSide,
            gamut: gamut)
    }

    var key: String {
        let mark = watermark.map { ",\($0.key)" } ?? "", map = gainMapSide.map { ",map \($0)" } ?? ""
        let colors = gamut == .sRGB ? "" : ",\(gamut)"
        let text = OptionTable.canonicalText(of: options)
        return "rendition(\(text),\(limits.side),\(limits.pixels)\(mark)\(map)\(colors))"
    }

    var turnsUpright: Bool { options.turnsUpright }

    var keepsCredits: Bool { options.keepsCredits }

    /// The layout for the frames of an animation, which all have the same size and window: nothing is trimmed, and the
    /// place `smart` becomes `center`.
    var ofFrames: RenditionLayout {
        var frames = options
        frames.trim = nil
        if frames.gravity.place == .smart { frames.gravity = .center }
        if frames.crop?.anchor?.place == .smart { frames.crop?.anchor = .center }
        return changing(frames)
    }

    func placement(of size: PixelSize, isScalable: Bool) -> ImagePlacement {
        guard !needsAllPixels else { return ImagePlacement(size) }
        let shown = view.shown(size)
        let geometry = geometry(of: size, isScalable: isScalable)
        let (area, cut) = (areaWindow(geometry, in: shown), cutWindow(geometry))
        func scaled(_ length: Int, _ side: KeyPath<PixelSize, Int>) -> Int {
            let factor = Double(geometry.scaled[keyPath: side]) / Double(geometry.area[keyPath: side])
            return (Double(length) * factor).toPixels
        }
        let full = PixelSize(width: scaled(shown.width, \.width), height: scaled(shown.height, \.height))
        // Both positions are rounded, so their sum may exceed the image by a pixel.
        let window = PixelRect(
            x: min(scaled(area.x, \.width) + cut.x, full.width - cut.width),
            y: min(scaled(area.y, \.height) + cut.y, full.height - cut.height), width: cut.width, height: cut.height)
        return ImagePlacement(
            view.stored(full), window: view.stored(window, in: full),
            followsContent: options.gravity.place == .smart)
    }

    func steps(after size: PixelSize, isScalable: Bool) -> [any ImageStep] {
        guard needsAllPixels else { return finishing.steps(geometry(of: size, isScalable: isScalable)) }
        var rest = options
        rest.trim = nil
        let placing = PlacingStep(layout: changing(rest), followsTrim: options.trim != nil)
        return (options.trim.map { [TrimStep(trim: $0)] } ?? []) + [placing]
    }

    /// Whether the result can be drawn from a bitmap that other results share: upright, and smaller than the image.
    var canShareDecode: Bool { turnsUpright && !needsAllPixels }

    /// Whether the result's size or its window depends on the pixels of the whole image.
    private var needsAllPixels: Bool {
        options.trim != nil
            || options.crop != nil && (areaAnchor.place == .smart || options.gravity.place == .smart)
    }

    private var view: RenditionView { RenditionView(options: options) }
    private var finishing: RenditionFinishing { RenditionFinishing(options: options, watermark: watermark) }
    private var areaAnchor: RenditionOptions.Anchor { options.crop?.anchor ?? options.gravity }

    /// - Parameter size: The size of the image before it is rotated.
    func geometry(of size: PixelSize, isScalable: Bool = false) -> RenditionGeometry {
        RenditionGeometry(of: view.shown(size), options, isScalable: isScalable, limits: limits)
    }

    /// Returns the window of the crop in the image before scaling, so that the crop's offsets do not grow with `dpr`.
    private func areaWindow(_ geometry: RenditionGeometry, in shown: PixelSize) -> PixelRect {
        PixelRect(areaAnchor.place(of: geometry.area, in: shown, scale: 1), geometry.area)
    }

    private func cutWindow(_ geometry: RenditionGeometry) -> PixelRect {
        PixelRect(
            options.gravity.place(of: geometry.cut, in: geometry.scaled, scale: geometry.offsetScale), geometry.cut)
    }

    /// Returns all steps of the layout for a decoded image of this size.
    fileprivate func allSteps(of size: PixelSize) -> [any ImageStep] {
        let geometry = geometry(of: size)
        func part(_ window: PixelRect, of whole: PixelSize, _ anchor: RenditionOptions.Anchor) -> any ImageStep {
            anchor.place == .smart
                ? ImageSteps.Crop(view.stored(window.size), gravity: .attention)
                : CutStep(window: view.stored(window, in: whole))
        }
        let shown = view.shown(size), scaled = view.stored(geometry.scaled)
        return [
            part(areaWindow(geometry, in: shown), of: shown, areaAnchor),
            .resize(width: scaled.width, height: scaled.height, mode: .exact, upscales: true),
            part(cutWindow(geometry), of: geometry.scaled, options.gravity),
        ] + finishing.steps(geometry)
    }

    /// Crops, scales and finishes a decoded image.
    private struct PlacingStep: MeasuredStep {
        let layout: RenditionLayout
        /// Whether the size is that of the image before its border is removed.
        let followsTrim: Bool

        var key: String { layout.key }

        func resultSize(of size: PixelSize) -> PixelSize {
            let results = contents(of: size).map { layout.allSteps(of: $0).memory(on: $0).result }
            return results.max { $0.bitmapMemory < $1.bitmapMemory } ?? size
        }

        func workingBytes(for size: PixelSize) -> Int {
            contents(of: size).map { layout.allSteps(of: $0).memory(on: $0).peak }.max() ?? 0
        }

        /// Returns sizes that the image may have: without its border, other proportions may make the result larger.
        private func contents(of size: PixelSize) -> [PixelSize] {
            guard followsTrim else { return [size] }
            let side = min(size.width, size.height)
            return [
                size, PixelSize(width: side, height: side), PixelSize(width: size.width, height: 1),
                PixelSize(width: 1, height: size.height),
            ]
        }

        func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
            try bitmap.applying(layout.allSteps(of: bitmap.size))
        }
    }
}

extension RenditionOptions {
    /// Whether the result may be transparent although the source is not.
    var addsTransparency: Bool { extend != nil || extendAspectRatio != nil || padding != nil }
}

/// The rotation and mirroring that turn the decoded image into the image as shown.
struct RenditionView {
    let options: RenditionOptions

    /// The steps from the image as decoded to the image as shown: first rotation, then mirroring.
    var steps: [any ImageStep] {
        var steps: [any ImageStep] = []
        if options.quarterTurns != 0 { steps.append(ImageSteps.Rotate(quarterTurns: options.quarterTurns)) }
        if options.flipsHorizontally { steps.append(.flip(.horizontal)) }
        if options.flipsVertically { steps.append(.flip(.vertical)) }
        return steps
    }

    func shown(_ size: PixelSize) -> PixelSize {
        options.quarterTurns.isMultiple(of: 2) ? size : PixelSize(width: size.height, height: size.width)
    }

    func stored(_ size: PixelSize) -> PixelSize { shown(size) }

    /// Converts a window in the image as shown to the same window in the image as decoded.
    func stored(_ window: PixelRect, in shown: PixelSize) -> PixelRect {
        let right = shown.width - window.x - window.width, bottom = shown.height - window.y - window.height
        // The position of the window in the image before mirroring.
        let left = options.flipsHorizontally ? right : window.x
        let top = options.flipsVertically ? bottom : window.y
        let farX = shown.width - left - window.width, farY = shown.height - top - window.height
        return switch options.quarterTurns {
        case 1: PixelRect(x: top, y: farX, width: window.height, height: window.width)
        case 2: PixelRect(x: farX, y: farY, width: window.width, height: window.height)
        case 3: PixelRect(x: farY, y: left, width: window.height, height: window.width)
        default: PixelRect(x: left, y: top, width: window.width, height: window.height)
        }
    }
}

extension PixelRect {
    fileprivate init(_ place: (x: Int, y: Int), _ size: PixelSize) {
        self.init(x: place.x, y: place.y, width: size.width, height: size.height)
    }

    fileprivate var size: PixelSize { PixelSize(width: width, height: height) }
}
