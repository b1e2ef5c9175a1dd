/// The search for colors beyond sRGB, which alone are a reason to keep a wider gamut: most photographs of phones have none,
/// though their profile is Display P3.
struct WideColors {
    /// The share of pixels that must be beyond sRGB.
    static let share = 0.001
    /// The distance from sRGB in linear light that counts: about one step of 8 bits, so that noise does not.
    static let distance: Float = 1 / 255
    /// The number of pixels that are looked at, in rows at equal distances.
    static let sampledPixels = 1 << 16

    private let conversion: GamutConversion

    /// - Parameter gamut: The gamut of the pixels to look at. Returns `nil` for sRGB.
    init?(in gamut: ColorGamut) {
        guard let conversion = GamutConversion(from: gamut, to: .sRGB) else { return nil }
        self.conversion = conversion
    }

    /// Returns whether pixels have colors beyond sRGB.
    ///
    /// - Parameter fill: Fills a row of straight pixels of the gamut with those of the row of this number.
    func areIn(
        _ size: PixelSize, filling fill: (UnsafeMutableBufferPointer<UInt32>, Int) -> Void
    ) throws(CodecError) -> Bool {
        let memory = try WorkMemory(bytes: 4 * size.width)
        let row = UnsafeMutableBufferPointer(
            start: memory.start.assumingMemoryBound(to: UInt32.self), count: size.width)
        let step = max(1, size.width * size.height / Self.sampledPixels)
        var (beyond, all) = (0, 0)
        for y in stride(from: step / 2, to: size.height, by: step) {
            fill(row, y)
            beyond += row.count { isBeyond($0) }
            all += size.width
        }
        return Double(beyond) > Self.share * Double(all)
    }

    private func isBeyond(_ pixel: UInt32) -> Bool {
        // Of other pixels, the color is not exact.
        guard pixel >> 24 == 255 else { return false }
        let light = conversion.light(of: pixel)
        return light.min() < -Self.distance || max(light.x, light.y, light.z) > 1 + Self.distance
    }
}
