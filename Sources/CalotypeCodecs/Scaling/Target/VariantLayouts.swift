/// The layouts of several results of one image. As a layout, that of the one bitmap from which all of them are scaled.
package struct VariantLayouts: ImageLayout {
    private let targets: [(any ImageLayout)?]
    private let limits: DecodeLimits
    package let keepsCredits: Bool
    package let gamut: ColorGamut
    package let gainMapSide: Int?

    /// - Parameter targets: The layout of each result, of the upright image. If `nil`, the full size, reduced to fit
    ///   ``DecodeLimits/maxBitmapBytes``.
    package init(
        _ targets: [(any ImageLayout)?], limits: DecodeLimits, keepsCredits: Bool = false, gainMapSide: Int? = nil,
        gamut: ColorGamut = .sRGB
    ) {
        self.targets = targets
        self.gainMapSide = gainMapSide
        self.gamut = gamut
        self.keepsCredits = keepsCredits
        self.limits = limits
    }

    package var key: String { "variants(\(targets.map { $0?.key ?? "-" }.joined(separator: ";")))" }

    package func placement(of size: PixelSize, isScalable: Bool) -> ImagePlacement {
        ImagePlacement(source(of: size, isScalable: isScalable).result)
    }

    package func decodeSize(of size: PixelSize, isScalable: Bool) -> DecodeSize? {
        source(of: size, isScalable: isScalable)
    }

    /// Returns the layouts of the results, in order.
    ///
    /// - Parameter plan: The plan for this layout.
    /// - Throws: `tooLarge` if a limit forbids a result.
    package func results(by plan: DecodePlan) throws(CodecError) -> [VariantLayout] {
        var results: [VariantLayout] = []
        for target in targets { results.append(try result(of: target, from: plan.outputSize, plan.header)) }
        return results
    }

    /// Returns the layout of one result, and the steps that follow it.
    ///
    /// - Parameters:
    ///   - index: The place among the results.
    ///   - size: The size of the bitmap from which all are scaled.
    /// - Throws: `tooLarge` if a limit forbids the result.
    package func result(
        at index: Int, from size: PixelSize, of header: ImageHeader
    ) throws(CodecError) -> (layout: VariantLayout, steps: [any ImageStep]) {
        let target = targets[index]
        let steps = target?.steps(after: header.uprightSize, isScalable: header.isScalable) ?? []
        return (try result(of: target, from: size, header), steps)
    }

    private func result(
        of target: (any ImageLayout)?, from size: PixelSize, _ header: ImageHeader
    ) throws(CodecError) -> VariantLayout {
        let placement = try placement(of: header.uprightSize, for: target, isScalable: header.isScalable).validated()
        let result = VariantLayout(source: size, placement: placement, filter: target?.filter ?? .automatic)
        try limits.check(result.size, cost: size.bitmapMemory + result.workingBytes, of: header)
        return result
    }

    /// Returns the size of the bitmap from which every result is as sharp as from the stored image.
    ///
    /// That is the largest result if the others need no more. Otherwise each result gets the size that a decoder would
    /// give to its filter.
    private func source(of full: PixelSize, isScalable: Bool) -> DecodeSize {
        let sizes = targets.map { target in
            let scaled = placement(of: full, for: target, isScalable: isScalable).scaled
            return DecodeSize(scaled, of: isScalable ? scaled : full, filter: target?.filter ?? .automatic)
        }
        guard let largest = sizes.max(by: { $0.result.bitmapBytes < $1.result.bitmapBytes }) else {
            return DecodeSize(full, of: full)
        }
        let others = sizes.filter { $0 != largest }
        // Other filters leave too little of the detail that a smaller result can show.
        let isSharp = [.automatic, .lanczos3].contains(largest.filter)
        if others.isEmpty || isSharp && others.allSatisfy({ largest.result.covers($0.least) }) { return largest }
        let least = sizes.reduce(largest.least) { $0.union($1.least) }
        return DecodeSize(result: least, least: least, filter: .automatic)
    }

    private func placement(of full: PixelSize, for target: (any ImageLayout)?, isScalable: Bool) -> ImagePlacement {
        target?.placement(of: full, isScalable: isScalable) ?? ImagePlacement(limits.defaultSize(of: full))
    }
}

/// The layout of one result that is scaled from a bitmap of a known size.
package struct VariantLayout: Sendable {
    fileprivate let source: PixelSize
    fileprivate let placement: ImagePlacement
    fileprivate let filter: ResizeFilter

    /// The size of the result in pixels.
    package var size: PixelSize { placement.window.size }

    /// Whether the result is the source itself, and takes no further memory.
    private var isSource: Bool { placement == ImagePlacement(source) }

    /// The memory in bytes for making the result, including the result but not the source.
    package var workingBytes: Int {
        if isSource { return 0 }
        let window = placement.followsContent ? ImagePlacement(placement.scaled).window : placement.window
        let whole = placement.followsContent ? window.size.bitmapMemory : 0
        guard placement.scaled != source else { return size.bitmapMemory }
        let scaling = ImageScaling(
            from: ImageExtent(source), to: placement.scaled, window: window, filter: filter)
        return size.bitmapMemory + whole + scaling.workingBytes
    }

    /// Returns the peak memory in bytes of making the result and of later work on it, without the source.
    ///
    /// - Parameter laterBytes: The peak memory of the later work, including the result.
    package func peakBytes(laterBytes: Int) -> Int {
        max(workingBytes, isSource ? laterBytes - size.bitmapMemory : laterBytes)
    }

    /// - Parameter bitmap: The source, which has the size that its plan announced.
    package func result(of bitmap: Bitmap) throws(CodecError) -> Bitmap {
        try bitmap.fitted(to: placement, filter: filter)
    }
}

extension PixelSize {
    fileprivate func covers(_ other: PixelSize) -> Bool { width >= other.width && height >= other.height }

    fileprivate func union(_ other: PixelSize) -> PixelSize {
        PixelSize(width: max(width, other.width), height: max(height, other.height))
    }
}
