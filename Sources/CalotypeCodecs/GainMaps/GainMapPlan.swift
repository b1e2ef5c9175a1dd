/// The place of an image in the pixels of its gain map, as the image is cropped, scaled, turned and placed on canvases.
///
/// A value without pixels: whatever is done to the image changes the window, and one scaling draws the map in the end.
package struct GainMapPlan: Hashable, Sendable {
    /// A rectangle in samples of the map, whose edges may cut through samples.
    package struct Area: Hashable, Sendable {
        package var x: Double
        package var y: Double
        package var width: Double
        package var height: Double

        package init(x: Double, y: Double, width: Double, height: Double) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
    }

    /// The size of the map in samples.
    package private(set) var samples: PixelSize
    /// The part of the map that belongs to the image. It extends beyond the map where a canvas was added to the image.
    package private(set) var window: Area
    /// The part of the map that shows the original. Around it, the map is neutral.
    package private(set) var content: Area
    /// The number of samples for each pixel of the image along a side, from a quarter to 1.
    package let density: Double
    /// The filter that last scaled the image.
    package private(set) var filter = ResizeFilter.automatic

    /// - Parameters:
    ///   - extent: The extent of the map within its samples.
    ///   - full: The size of the whole map.
    ///   - base: The size of the whole image.
    init(_ extent: ImageExtent, of full: PixelSize, base: PixelSize) {
        samples = extent.size
        window = Area(x: 0, y: 0, width: extent.width, height: extent.height)
        content = window
        density = Self.density(of: full, base: base)
    }

    /// Returns the samples for each pixel of the image, limited to 1:4 and 1:1.
    static func density(of map: PixelSize, base: PixelSize) -> Double {
        let width = Double(map.width) / Double(max(base.width, 1))
        return min(max(width, Double(map.height) / Double(max(base.height, 1)), 0.25), 1)
    }

    // MARK: - Changes of the image

    /// Returns the plan of a part of the image, scaled or not.
    ///
    /// - Parameters:
    ///   - rect: The part that is kept.
    ///   - size: The size of the image of which `rect` is a part.
    package func cropped(to rect: PixelRect, of size: PixelSize) -> GainMapPlan {
        var plan = self
        plan.window = part(rect, of: size)
        plan.content = content.intersection(plan.window)
        return plan
    }

    /// Returns the plan of a larger canvas.
    ///
    /// - Parameters:
    ///   - rect: The place of the image on the canvas.
    ///   - canvas: The size of the canvas.
    package func placed(at rect: PixelRect, on canvas: PixelSize) -> GainMapPlan {
        var plan = self
        // The canvas, seen from the image.
        plan.window = part(
            PixelRect(x: -rect.x, y: -rect.y, width: canvas.width, height: canvas.height),
            of: PixelSize(width: rect.width, height: rect.height))
        return plan
    }

    /// Returns the plan after the map's samples and the image were turned by an EXIF orientation.
    package func turned(_ exif: Int) -> GainMapPlan {
        var plan = self
        (plan.window, plan.content) = (window.turned(exif, in: samples), content.turned(exif, in: samples))
        plan.samples = samples.turned(from: exif)
        return plan
    }

    package func scaled(by filter: ResizeFilter) -> GainMapPlan {
        var plan = self
        plan.filter = filter
        return plan
    }

    private func part(_ rect: PixelRect, of size: PixelSize) -> Area {
        let (x, y) = (window.width / Double(size.width), window.height / Double(size.height))
        return Area(
            x: window.x + Double(rect.x) * x, y: window.y + Double(rect.y) * y, width: Double(rect.width) * x,
            height: Double(rect.height) * y)
    }

    // MARK: - The result

    /// Returns the size of the map for an image of this size, in its proportions. It never has more samples than the window along
    /// both sides, because more add no detail.
    package func size(for image: PixelSize) -> PixelSize {
        let wide = window.width.rounded(.up) / (Double(image.width) * density)
        let high = window.height.rounded(.up) / (Double(image.height) * density)
        return size(for: image, scaledBy: min(max(wide, high), 1))
    }

    /// Returns the size that the map of an image of this size has at most, however the image is turned and placed before.
    func largestSize(for image: PixelSize) -> PixelSize { size(for: image, scaledBy: 1) }

    private func size(for image: PixelSize, scaledBy scale: Double) -> PixelSize {
        func side(_ pixels: Int) -> Int { max((Double(pixels) * density * scale).rounded(), 1).saturated }
        return PixelSize(width: side(image.width), height: side(image.height))
    }

    /// Whether the samples are the map for the image, as they are.
    func isDrawn(_ size: PixelSize) -> Bool {
        let whole = Area(x: 0, y: 0, width: Double(samples.width), height: Double(samples.height))
        return size == samples && window == whole && content == whole
    }

    /// The plan of a map that was drawn by this one.
    func drawn(_ size: PixelSize) -> GainMapPlan {
        var plan = self
        plan.samples = size
        plan.window = Area(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        plan.content = plan.window
        return plan
    }
}

extension GainMapPlan.Area {
    /// Returns the part inside another area; one without a size if there is none.
    fileprivate func intersection(_ other: Self) -> Self {
        let (left, top) = (max(x, other.x), max(y, other.y))
        return Self(
            x: left, y: top, width: max(min(x + width, other.x + other.width) - left, 0),
            height: max(min(y + height, other.y + other.height) - top, 0))
    }

    fileprivate func turned(_ exif: Int, in size: PixelSize) -> Self {
        let (right, bottom) = (Double(size.width) - x - width, Double(size.height) - y - height)
        return switch exif {
        case 2: Self(x: right, y: y, width: width, height: height)
        case 3: Self(x: right, y: bottom, width: width, height: height)
        case 4: Self(x: x, y: bottom, width: width, height: height)
        case 5: Self(x: y, y: x, width: height, height: width)
        case 6: Self(x: bottom, y: x, width: height, height: width)
        case 7: Self(x: bottom, y: right, width: height, height: width)
        case 8: Self(x: y, y: right, width: height, height: width)
        default: self
        }
    }
}

extension Double {
    /// The whole number of a value from 0 up, at most 2^31.
    fileprivate var saturated: Int { Int(Swift.min(self, 0x1p31)) }
}
