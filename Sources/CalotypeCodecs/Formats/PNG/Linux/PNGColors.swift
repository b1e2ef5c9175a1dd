import CSpng

/// The color space of a PNG by precedence: cICP, iCCP, sRGB, then gAMA and cHRM; sRGB if none is present (PNG, third
/// edition, 4.3).
struct PNGColors {
    /// Returns the conversion to sRGB, or `nil` if the pixels are sRGB or the profile does not suit them.
    static func conversion(_ file: ByteReader, _ reader: borrowing SpngReader) throws(CodecError) -> ColorConversion? {
        if var coded = codePoints(file)?.colors {
            if coded.curve == .pq { coded.peak = SourcePeak.ofPNG(file) ?? coded.peak }
            return .rgb(coded)
        }
        let isGray = try reader.header().colorType.isGray
        if let profile = try reader.profile() { return .rgb(profile, isGray: isGray) }
        if try reader.isMarkedSRGB() { return nil }
        return .rgb(try primariesAndGamma(reader, isGray: isGray))
    }

    private static func primariesAndGamma(
        _ reader: borrowing SpngReader, isGray: Bool
    ) throws(CodecError) -> CodedColors {
        var colors = CodedColors()
        // Encoders without color information write the gamma of a typical display, 1/2.2, which means sRGB.
        if let gamma = try reader.gamma(), gamma > 0.01, gamma < 10, abs(gamma * 2.2 - 1) > 0.05 {
            colors.curve = .power(1 / gamma)
        }
        // Gray has no primaries.
        if !isGray, let places = try reader.chromaticities() {
            (colors.white, colors.red, colors.green, colors.blue) = places
        }
        return colors
    }

    /// Reads the cICP chunk, which libspng does not support: primaries, curve, matrix (0 for RGB) and full-range flag.
    /// Returns `nil` if the chunk is absent or damaged, or does not describe full-range RGB.
    static func codePoints(_ file: ByteReader) -> CodePoints? {
        for chunk in PNGChunks(file) {
            if chunk.name == PNGChunks.Chunk.pixels { return nil }
            guard chunk.name == PNGChunks.Chunk.colors, chunk.content.count == 4 else { continue }
            guard let content = chunk.intactContent(), content[2] == 0, content[3] == 1 else { return nil }
            return CodePoints(primaries: Int(content[0]), transfer: Int(content[1]))
        }
        return nil
    }
}
