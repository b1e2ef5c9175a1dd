extension ResizeTarget {
    /// The size to scale to, before anything is cut off. A source without pixels stays as it is.
    public func scaledSize(for source: PixelSize) -> PixelSize {
        guard source.width > 0, source.height > 0 else { return source }
        return switch mode {
        case .exact: stretchedSize(for: source)
        case .fill: proportionalSize(for: source, choose: max)
        default: proportionalSize(for: source, choose: min)
        }
    }

    /// The size of the result: `scaledSize`, and for `fill` no longer than the target on either side.
    public func croppedSize(for source: PixelSize) -> PixelSize {
        let scaled = scaledSize(for: source)
        guard mode == .fill else { return scaled }
        return PixelSize(
            width: min(scaled.width, wantedWidth ?? scaled.width),
            height: min(scaled.height, wantedHeight ?? scaled.height))
    }

    private var wantedWidth: Int? { width.map { max($0, 1) } }
    private var wantedHeight: Int? { height.map { max($0, 1) } }

    private func proportionalSize(for source: PixelSize, choose: (Double, Double) -> Double) -> PixelSize {
        let horizontal = wantedWidth.map { Double($0) / Double(source.width) }
        let vertical = wantedHeight.map { Double($0) / Double(source.height) }
        let factor =
            switch (horizontal, vertical) {
            case (let horizontal?, let vertical?): choose(horizontal, vertical)
            case (let only?, nil), (nil, let only?): only
            case (nil, nil): 1.0
            }
        return source.scaled(by: upscales ? factor : min(factor, 1))
    }

    /// A free side follows the other's factor.
    private func stretchedSize(for source: PixelSize) -> PixelSize {
        guard let wantedWidth, let wantedHeight else { return proportionalSize(for: source, choose: min) }
        guard !upscales else { return PixelSize(width: wantedWidth, height: wantedHeight) }
        return PixelSize(width: min(wantedWidth, source.width), height: min(wantedHeight, source.height))
    }
}

extension PixelSize {
    func scaled(by factor: Double) -> PixelSize {
        PixelSize(width: Self.pixels(Double(width) * factor), height: Self.pixels(Double(height) * factor))
    }

    /// The nearest number of pixels that makes sense: 1 at least, what is not a number counts as 1.
    static func pixels(_ length: Double) -> Int {
        // Beyond any bitmap, yet small enough to be multiplied: `Bitmap` then answers `tooLarge`.
        let longest = Double(Int32.max)
        return length > 1 ? Int(min(length, longest).rounded()) : 1
    }
}

extension ResizeTarget {
    /// Returns the crop of an image of this size once it is scaled, or `nil` if nothing extends beyond the target.
    func crop(of source: PixelSize) -> Crop? {
        let cropped = croppedSize(for: source)
        return cropped == scaledSize(for: source) ? nil : Crop(cropped, gravity: gravity)
    }
}

extension PixelSize {
    /// How long the longer side has to be for an image of this size, scaled in proportion, to cover `wanted`. Never longer
    /// than it is.
    func longestSide(covering wanted: PixelSize) -> Int {
        let factor = max(Double(wanted.width) / Double(width), Double(wanted.height) / Double(height))
        let longest = max(width, height)
        return factor < 1 ? Int((Double(longest) * factor).rounded(.up)) : longest
    }
}
