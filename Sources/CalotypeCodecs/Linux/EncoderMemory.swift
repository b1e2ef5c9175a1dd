import CWebP

// Measured with images of 1 to 6 megapixels, as the growth of the process's peak: see `EncodingUse` in the tests. The files
// of photographs are a few hundredths more.

extension JPEGEncoder: MeasuredEncoder {
    // The coefficients other than 0, of which noise has one for each sample, in two bytes. Photographs have a tenth.
    var memoryInHundredths: Int { keepsColors == false && quality < 90 ? 180 : 260 }

    /// A row of MCUs and the rows above and below it.
    func tableBytes(for size: PixelSize) -> Int { 144 * (min(max(size.width, 0), Self.longestSide) + 16) + 1 << 16 }
}

extension PNGEncoder: MeasuredEncoder {
    // Almost all of it is the file, which an image that does not compress makes as large.
    var memoryInHundredths: Int { colorLimit == nil ? 140 : 280 }

    /// The cells of a palette's search: 64 bytes each, in an array that doubles, and their numbers.
    func tableBytes(for size: PixelSize) -> Int {
        guard colorLimit != nil else { return 0 }
        return 1 << 21 + min(size.bitmapMemory / 4, 1 << 18) * 64 * 3
    }
}

extension WebPEncoder: MeasuredEncoder {
    // The planes from which sharp chroma is computed have 16 bits.
    var memoryInHundredths: Int { compression.isLossless ? 930 : isSharp ? 460 : 260 }

    /// The tables of a lossless file: two histograms for each tile, of 8.6 kB with the largest cache of colors, and chains of
    /// equal pixels. Tiles have 8 pixels a side, or so many more, doubled, that there are 2,600 at most.
    func tableBytes(for size: PixelSize) -> Int {
        guard compression.isLossless else { return 0 }
        var side = 8
        while tiles(of: size, side) > 2600 { side *= 2 }
        return tiles(of: size, side) * 2 * 8600 + 3 << 19
    }

    private func tiles(of size: PixelSize, _ side: Int) -> Int {
        // The encoder refuses larger images.
        let limit = Int(WEBP_MAX_DIMENSION)
        let columns = (min(max(size.width, 0), limit) + side - 1) / side
        return columns * ((min(max(size.height, 0), limit) + side - 1) / side)
    }
}

#if JPEGXL
    extension JPEGXLEncoder: MeasuredEncoder {
        var memoryInHundredths: Int { compression == .lossless ? 2000 : 1500 }

        func tableBytes(for size: PixelSize) -> Int { jpeg == nil ? 4 << 20 : 32 << 20 }
    }
#endif

extension AVIFEncoder: MeasuredEncoder {
    // Slower speeds look ahead further, and colors of full resolution take as much as luma.
    var memoryInHundredths: Int { (speed >= 9 ? 600 : 800) + (keepsColors ?? (quality >= 90) ? 200 : 0) }
}
