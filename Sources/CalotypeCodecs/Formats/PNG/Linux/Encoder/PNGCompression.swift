import CSpng

/// The filters of a PNG's rows, and zlib's search in what they leave.
enum PNGCompression: CaseIterable {
    /// No filter, and a long search: for text and flat areas, whose repeats lie anywhere.
    case repeats
    /// The filter of each row with the smallest differences, and a search.
    case differences
    /// The same filters without a search except for runs: for photographs, whose differences do not repeat. Takes a seventh of the
    /// time.
    case runs

    var hasFilters: Bool { self != .repeats }

    /// zlib's level. A long search of repeats takes up to 1.5 seconds per megapixel of patterns, so that large images have less.
    func level(forPixels count: Int) -> Int32 { self == .repeats && count <= 1 << 20 ? 8 : 6 }

    /// zlib's strategy: `Z_DEFAULT_STRATEGY`, `Z_FILTERED` or `Z_RLE`.
    var strategy: Int32 {
        switch self {
        case .repeats: 0
        case .differences: 1
        case .runs: 3
        }
    }

    /// Chooses by the bytes that six bands of rows take. With more colors than a drawing has, the bands are thin, and nothing is tried
    /// without filters.
    init(_ rows: BitmapRows, _ layout: PNGLayout) throws(CodecError) {
        if case .palette = layout {
            // Differences between the numbers of colors mean nothing (PNG, section 12.7).
            self = .repeats
            return
        }
        let bands = rows.bands(6, ofHeight: 8)
        guard bands.hasFewColors(outOf: 4) else {
            let thin = rows.bands(6, ofHeight: 2)
            let (runs, differences) = (try Self.runs.bytes(thin, layout), try Self.differences.bytes(thin, layout))
            // In a drawn gradient, differences repeat: it then takes a tenth of the bytes.
            self = differences < runs / 4 * 3 ? .differences : .runs
            return
        }
        var best = (compression: Self.runs, bytes: Int.max)
        for compression in [Self.runs, .repeats, .differences] {
            let bytes = try compression.bytes(bands, layout)
            // Runs are quick, and worth two percent.
            let least = best.compression == .runs ? best.bytes / 100 * 98 : best.bytes
            if bytes < least { best = (compression, bytes) }
        }
        self = best.compression
    }

    private func bytes(_ rows: BitmapRows, _ layout: PNGLayout) throws(CodecError) -> Int {
        try PNGEncoder.file(of: rows, layout, self, isInterlaced: false).count
    }
}

extension BitmapRows {
    /// Whether the distinct colors are at most one in `share` pixels.
    func hasFewColors(outOf share: Int) -> Bool {
        let limit = width * height / share
        var places = 4
        while places < 2 * limit { places *= 2 }
        // A hash table, whose empty places hold a color that no pixel has: blue without alpha.
        let empty: UInt32 = 0xFF
        var table = [UInt32](repeating: empty, count: places)
        var count = 0
        for y in 0..<height {
            for pixel in row(y) {
                let color = pixel | opaqueMask
                var place = Int(truncatingIfNeeded: (color &* 0x9E37_79B1) >> 7) & (places - 1)
                while table[place] != empty, table[place] != color { place = (place + 1) & (places - 1) }
                guard table[place] == empty, color != empty else { continue }
                table[place] = color
                count += 1
                if count > limit { return false }
            }
        }
        return true
    }
}
