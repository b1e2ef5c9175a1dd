extension ResizeTarget {
    /// Returns the size to scale to, before cropping. An empty source keeps its size.
    public func scaledSize(for source: PixelSize) -> PixelSize {
        guard source.width > 0, source.height > 0 else { return source }
        return switch mode {
        case .exact: stretchedSize(for: source)
        case .fill: proportionalSize(for: source, choose: max)
        default: proportionalSize(for: source, choose: min)
        }
    }

    /// Returns the size of the result: `scaledSize`, cropped to the target's sides if the mode is `fill`.
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

    /// Returns the target's size, without `upscales` at most the source's. A missing side is scaled proportionally.
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

    /// Returns a length rounded to pixels, at least 1. NaN counts as 1.
    static func pixels(_ length: Double) -> Int {
        // Limit the length to a number longer than any bitmap, yet small enough to multiply: creating the `Bitmap` then
        // throws `tooLarge`.
        let longest = Double(Int32.max)
        return length > 1 ? Int(min(length, longest).rounded()) : 1
    }

    /// Returns the longer side of the smallest image with this aspect ratio that covers `wanted`, but at most this
    /// size's longer side.
    func longestSide(covering wanted: PixelSize) -> Int {
        let factor = max(Double(wanted.width) / Double(width), Double(wanted.height) / Double(height))
        let longest = max(width, height)
        return factor < 1 ? Int((Double(longest) * factor).rounded(.up)) : longest
    }
}
