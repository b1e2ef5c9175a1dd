import CalotypeCodecs
import CalotypeURLs

/// The intermediate and final sizes of a rendition, computed by imgproxy's rules.
///
/// All sizes refer to the image as the client will see it: upright, rotated and mirrored.
struct RenditionGeometry: Hashable, Sendable {
    /// The size of the part of the image that is scaled.
    let area: PixelSize
    /// The size to which ``area`` is scaled.
    let scaled: PixelSize
    /// The size that is cut out of the scaled image.
    let cut: PixelSize
    /// The size of the canvas for `extend`; ``cut`` without that option.
    let canvas: PixelSize
    /// The size of the canvas for `extend_aspect_ratio`; ``canvas`` without that option.
    let ratioCanvas: PixelSize
    let padding: RenditionOptions.Padding
    /// The factor by which offsets in pixels and padding are multiplied.
    let offsetScale: Double

    /// The size of the finished image.
    var result: PixelSize {
        PixelSize(
            width: ratioCanvas.width + padding.left + padding.right,
            height: ratioCanvas.height + padding.top + padding.bottom)
    }

    /// - Parameters:
    ///   - image: The size of the whole image as the client will see it.
    ///   - isScalable: Whether the image is a vector image, which may always be enlarged.
    ///   - limits: The limits on the result. A larger result is scaled down as a whole.
    init(
        of image: PixelSize, _ options: RenditionOptions, isScalable: Bool = false,
        limits: RenditionLimits = RenditionLimits()
    ) {
        let area = PixelSize(
            width: Self.side(options.crop?.width, of: image.width),
            height: Self.side(options.crop?.height, of: image.height))
        var scaling = Scaling(area, options, mayEnlarge: options.enlarges || isScalable)
        var geometry = RenditionGeometry(area, scaling, options)
        // Rounding may leave a row too many after the first time, and a side of one pixel does not shrink.
        for _ in 0..<32 {
            guard let factor = limits.reduction(of: geometry.result) else { break }
            scaling.reduce(by: factor, of: area)
            geometry = RenditionGeometry(area, scaling, options)
        }
        self = geometry
    }

    private init(_ area: PixelSize, _ scaling: Scaling, _ options: RenditionOptions) {
        let target = PixelSize(
            width: (Double(options.width) * (scaling.dpr * options.zoomX)).toPixels,
            height: (Double(options.height) * (scaling.dpr * options.zoomY)).toPixels)
        let scaled = PixelSize(
            width: (Double(area.width) * scaling.x).toPixels, height: (Double(area.height) * scaling.y).toPixels)
        let cut = Self.cut(of: scaled, to: target, options)
        self.area = area
        self.scaled = scaled
        self.cut = cut
        let canvas = options.extend == nil ? cut : cut.extended(to: target)
        self.canvas = canvas
        ratioCanvas = options.extendAspectRatio == nil ? canvas : canvas.extended(to: cut.extended(toRatioOf: target))
        let asked = options.padding ?? RenditionOptions.Padding()
        padding = asked.scaled(by: scaling.dpr)
        offsetScale = scaling.dpr
    }

    /// Returns a side of the area to scale: `side` or, with a `crop`, that many pixels or that fraction of `side`.
    private static func side(_ crop: Double?, of side: Int) -> Int {
        guard let crop, crop > 0 else { return side }
        return min(side, crop >= 1 ? Int(crop) : max(1, (Double(side) * crop).toPixels))
    }

    /// Returns the size of the part of the scaled image that fits into the target. For `fill-down`, that part has the
    /// target's proportions even if the image is smaller.
    private static func cut(
        of scaled: PixelSize, to target: PixelSize, _ options: RenditionOptions
    ) -> PixelSize {
        var wanted = target
        if options.resizing == .fillDown, !options.enlarges {
            let x = Double(target.width) / Double(scaled.width), y = Double(target.height) / Double(scaled.height)
            if x > y, x > 1 {
                wanted = PixelSize(
                    width: scaled.width,
                    height: (Double(scaled.width) * (Double(target.height) / Double(target.width))).toPixels)
            } else if y > x, y > 1 {
                wanted = PixelSize(
                    width: (Double(scaled.height) * (Double(target.width) / Double(target.height))).toPixels,
                    height: scaled.height)
            }
        }
        return PixelSize(
            width: wanted.width == 0 ? scaled.width : min(wanted.width, scaled.width),
            height: wanted.height == 0 ? scaled.height : min(wanted.height, scaled.height))
    }
}

/// The factors by which an area is scaled.
private struct Scaling {
    var x: Double
    var y: Double
    /// The factor applied for the option `dpr`. It may differ from the option if enlarging is not allowed.
    var dpr: Double

    init(_ area: PixelSize, _ options: RenditionOptions, mayEnlarge: Bool) {
        let (width, height) = (Double(area.width), Double(area.height))
        // `x` and `y` are divisors up to the last lines, so that the numbers are rounded as in imgproxy.
        var (x, y) = Self.divisors(width, height, options)
        x /= options.zoomX
        y /= options.zoomY
        var dpr = options.dpr
        if !mayEnlarge {
            let least = min(x, y)
            if least < 1 {
                (x, y) = (x / least, y / least)
                // The image keeps its size, which is smaller than the target. It shrinks only if `dpr` makes the target
                // smaller than the image; with `extend`, `dpr` scales the image together with its canvas.
                if options.extend == nil { dpr /= least }
            }
            dpr = min(dpr, x, y)
        }
        if options.minWidth > 0, width / Double(options.minWidth) < x {
            let least = width / Double(options.minWidth)
            (x, y) = (least, y / (x / least))
        }
        if options.minHeight > 0, height / Double(options.minHeight) < y {
            let least = height / Double(options.minHeight)
            (x, y) = (x / (y / least), least)
        }
        // Each side keeps at least one pixel.
        (self.x, self.y) = (1 / min(x / dpr, width), 1 / min(y / dpr, height))
        self.dpr = dpr
    }

    private static func divisors(_ width: Double, _ height: Double, _ options: RenditionOptions) -> (Double, Double) {
        let wanted = (
            width: options.width == 0 ? width : Double(options.width),
            height: options.height == 0 ? height : Double(options.height)
        )
        let (x, y) = (width / wanted.width, height / wanted.height)
        guard x != 1 || y != 1, options.resizing != .force else { return (x, y) }
        if options.width == 0 { return (y, y) }
        if options.height == 0 { return (x, x) }
        let isSameWay = (width >= height) == (wanted.width >= wanted.height)
        let fits = options.resizing == .fit || options.resizing == .auto && !isSameWay
        let factor = fits ? max(x, y) : min(x, y)
        return (factor, factor)
    }

    mutating func reduce(by factor: Double, of area: PixelSize) {
        x = max(x * factor, 1 / Double(area.width))
        y = max(y * factor, 1 / Double(area.height))
        dpr *= factor
    }
}

extension PixelSize {
    fileprivate func extended(to target: PixelSize) -> PixelSize {
        PixelSize(width: max(width, target.width), height: max(height, target.height))
    }

    /// Returns the smallest size around this one with the target's proportions, or this size if a target's side is 0.
    fileprivate func extended(toRatioOf target: PixelSize) -> PixelSize {
        guard target.width > 0, target.height > 0 else { return self }
        let x = Double(target.width) / Double(width), y = Double(target.height) / Double(height)
        if y > x {
            return PixelSize(
                width: width, height: (Double(width) * (Double(target.height) / Double(target.width))).toPixels)
        }
        if x > y {
            return PixelSize(
                width: (Double(height) * (Double(target.width) / Double(target.height))).toPixels, height: height)
        }
        return self
    }
}

extension RenditionOptions.Padding {
    fileprivate func scaled(by factor: Double) -> RenditionOptions.Padding {
        func scaled(_ side: Int) -> Int { (Double(side) * factor).toEvenPixels }
        return RenditionOptions.Padding(
            top: scaled(top), right: scaled(right), bottom: scaled(bottom), left: scaled(left))
    }
}

extension Double {
    /// The nearest whole number, clamped to ±1e9, beyond any bitmap's side; halves are rounded away from zero.
    var toPixels: Int { Int(min(max(rounded(), -1e9), 1e9)) }

    /// The nearest whole number, clamped to ±1e9; halves are rounded to the even neighbor.
    var toEvenPixels: Int { Int(min(max(rounded(.toNearestOrEven), -1e9), 1e9)) }
}
