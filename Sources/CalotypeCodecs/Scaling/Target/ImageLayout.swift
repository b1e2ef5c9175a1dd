/// A rule that derives from an image's size how to scale and crop it, with a key that identifies the rule.
///
/// `ResizeTarget` is the public layout. Other layouts may crop an image before scaling it, or keep its stored
/// orientation.
package protocol ImageLayout: Sendable {
    /// The layout's part of cache keys. Layouts with equal keys produce equal results.
    var key: String { get }
    /// Appends the layout's part of a cache key. The default implementation appends ``key``.
    func appendKey(to key: inout [UInt8])
    /// The resize filter. The default is `automatic`.
    var filter: ResizeFilter { get }
    /// Whether the result has the image's full size, reduced to fit ``DecodeLimits/maxBitmapBytes``. The default is `false`.
    var isFullSize: Bool { get }
    /// Whether the image is turned upright before it is scaled and cropped. The default is `true`.
    var turnsUpright: Bool { get }
    /// Whether the decoded bitmap contains the author and copyright from the file. The default is `false`.
    var keepsCredits: Bool { get }
    /// The widest gamut that the decoded bitmap may have. The default is sRGB.
    var gamut: ColorGamut { get }
    /// The shortest longer side of results that have the gain map of the file, in pixels; `nil` (the default) if none has.
    var gainMapSide: Int? { get }

    /// Returns the size to scale to, and the part of the scaled image to keep.
    ///
    /// - Parameters:
    ///   - size: The size of the image: upright if ``turnsUpright`` is `true`, otherwise as stored.
    ///   - isScalable: Whether the image is a vector image, which may be drawn at any size.
    func placement(of size: PixelSize, isScalable: Bool) -> ImagePlacement

    /// Returns the size to request from the decoder, or `nil` (the default) for the one that a sharp result needs.
    ///
    /// - Parameter size: The size of the image, as for ``placement(of:isScalable:)``.
    func decodeSize(of size: PixelSize, isScalable: Bool) -> DecodeSize?

    /// Returns the steps to apply after scaling and cropping an image of this size. The default is no steps.
    ///
    /// - Parameter size: The size of the image, as for ``placement(of:isScalable:)``.
    func steps(after size: PixelSize, isScalable: Bool) -> [any ImageStep]
}

/// A layout that may change until its decode has its turn, because more results of the image are wanted by then.
package protocol OpenLayout: ImageLayout {
    /// Ends the changes. Called before the memory for the decode is reserved, perhaps more than once.
    func close(for header: ImageHeader)
}

extension ImageLayout {
    package var filter: ResizeFilter { .automatic }
    package var isFullSize: Bool { false }
    package var turnsUpright: Bool { true }
    package var keepsCredits: Bool { false }
    package var gamut: ColorGamut { .sRGB }
    package var gainMapSide: Int? { nil }

    package func appendKey(to key: inout [UInt8]) { key += self.key.utf8 }

    package func decodeSize(of size: PixelSize, isScalable: Bool) -> DecodeSize? { nil }

    package func steps(after size: PixelSize, isScalable: Bool) -> [any ImageStep] { [] }
}

/// A resize target, or the full size, whose bitmap may have a gamut wider than sRGB, and the gain map of the file.
package struct GamutLayout: ImageLayout {
    private let target: ResizeTarget?
    package let gamut: ColorGamut
    package let gainMapSide: Int?

    /// - Parameters:
    ///   - target: If `nil`, the full size.
    ///   - gainMapSide: The shortest longer side of results with a gain map. If `nil` (the default), none has it.
    package init(_ target: ResizeTarget?, in gamut: ColorGamut, gainMapSide: Int? = nil) {
        (self.target, self.gamut, self.gainMapSide) = (target, gamut, gainMapSide)
    }

    package var key: String {
        "\(target?.key ?? "full") in \(gamut)" + (gainMapSide.map { " with maps from \($0)" } ?? "")
    }
    package var filter: ResizeFilter { target?.filter ?? .automatic }
    package var isFullSize: Bool { target == nil }

    package func placement(of size: PixelSize, isScalable: Bool) -> ImagePlacement {
        target?.placement(of: size, isScalable: isScalable) ?? ImagePlacement(size)
    }
}

/// The size to which an image is scaled, and the part of the scaled image that is the result.
package struct ImagePlacement: Hashable, Sendable {
    /// The size of the whole image after scaling.
    package var scaled: PixelSize
    /// The part of the scaled image that is the result.
    package var window: PixelRect
    /// Whether the window moves to the most salient part of the image.
    package var followsContent: Bool

    /// - Parameter window: If `nil` (the default), the whole scaled image.
    package init(_ scaled: PixelSize, window: PixelRect? = nil, followsContent: Bool = false) {
        self.scaled = scaled
        self.window = window ?? PixelRect(x: 0, y: 0, width: scaled.width, height: scaled.height)
        self.followsContent = followsContent
    }

    /// Returns the placement with its window clipped to the scaled image.
    ///
    /// - Throws: `unsupported` if the window lies outside the scaled image.
    func validated() throws(CodecError) -> ImagePlacement {
        guard let part = window.clipped(to: scaled) else {
            throw CodecError(
                .unsupported,
                "nothing of \(scaled) pixels lies in \(window.size) at \(window.x), \(window.y)")
        }
        var placement = self
        placement.window = part
        return placement
    }
}

extension ResizeTarget: ImageLayout {
    package func placement(of size: PixelSize, isScalable: Bool) -> ImagePlacement {
        var target = self
        if isScalable { target.upscales = true }
        let (scaled, cropped) = (target.scaledSize(for: size), target.croppedSize(for: size))
        guard cropped != scaled else { return ImagePlacement(scaled) }
        return ImagePlacement(
            scaled, window: PixelRect(cropped, in: scaled, gravity: gravity), followsContent: gravity.isAttention)
    }
}

extension Bitmap {
    /// Scales the image and crops it to the layout's window.
    ///
    /// Computes only the pixels in the window, with the same values as if the whole image were scaled.
    package func laidOut(by layout: some ImageLayout) throws(CodecError) -> Bitmap {
        try laidOut(as: layout.placement(of: size, isScalable: false).validated(), filter: layout.filter)
    }

    /// Scales and crops the image. If the crop depends on the content, scales first: the most salient part is searched for
    /// at the final scale.
    ///
    /// - Parameter placement: A validated placement.
    func fitted(to placement: ImagePlacement, filter: ResizeFilter) throws(CodecError) -> Bitmap {
        let image = try placement.followsContent ? scaled(to: placement.scaled, filter: filter) : self
        return try image.laidOut(as: placement, filter: filter)
    }

    /// - Parameter placement: A validated placement.
    func laidOut(as placement: ImagePlacement, filter: ResizeFilter) throws(CodecError) -> Bitmap {
        let (full, window) = (placement.scaled, placement.window)
        guard window.size != full else { return try scaled(to: full, filter: filter) }
        try refuseEnlargement(to: window.size)
        let seen = try placement.followsContent ? AttentionMap(self).window(like: window, in: full) : window
        guard full != size else { return try cropped(to: seen) }
        return try scaled(ImageScaling(from: ImageExtent(size), to: full, window: seen, filter: filter))
            .declaring(gainMap: gainMap.map { $0.changing($0.plan.cropped(to: seen, of: full).scaled(by: filter)) })
    }
}
