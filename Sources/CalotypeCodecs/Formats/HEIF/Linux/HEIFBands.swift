#if HEIF
    /// The decode of a grid in bands: each row of tiles is decoded tile by tile, and scaled before the next one.
    struct HEIFBands {
        private let grid: HEIFGrid
        private let bitsPerSample: Int
        private let samples: DeepSamples?
        /// Whether a tile that cannot be decoded becomes transparent. If `false`, it is an error.
        private let acceptsLosses: Bool
        /// The number of tiles decoded so far.
        private(set) var decodedCount = 0
        /// The number of tiles that could not be decoded although all their bytes are in the file.
        private var damagedCount = 0

        /// The number of damaged tiles after which the other ones, too, are lost: each may take the time of a large image,
        /// whatever size the file states.
        private static let mostDamaged = 32

        /// - Parameter samples: The conversion of samples of more than 8 bits, or `nil` for those of 8.
        init(_ grid: HEIFGrid, _ header: ImageHeader, _ samples: DeepSamples?, acceptsLosses: Bool = false) {
            (self.grid, bitsPerSample, self.samples) = (grid, header.bitsPerSample, samples)
            self.acceptsLosses = acceptsLosses
        }

        /// Decodes to upright pixels.
        ///
        /// - Parameter colors: The conversion of the colors, or `nil` if they are sRGB.
        mutating func upright(scaledTo size: DecodeSize, _ colors: ColorConversion?) throws(CodecError) -> Bitmap {
            let stored = size.result.turned(from: grid.orientation)
            let finish = DecodePostprocessing(size: size, orientation: grid.orientation, colors: colors)
            guard let samples else { return try finish.apply(to: bitmap(scaledTo: stored, by: size.filter)) }
            let band = try DeepPixels(width: grid.size.width, height: min(grid.tileSize.height, grid.size.height))
            let (start, rowBytes) = (UnsafeMutableRawBufferPointer(band.row(0)).baseAddress, 8 * grid.size.width)
            var (row, next, count) = (0, 0, 0)
            return try finish.bitmap(
                rowsOf: grid.size, samples, hasAlpha: acceptsLosses
            ) { (target) throws(CodecError) in
                if next == count, let start {
                    count = try decode(row: row, to: start, stride: rowBytes)
                    (row, next) = (row + 1, 0)
                }
                _ = target.update(from: band.row(next))
                next += 1
            }
        }

        /// Decodes the image before it is turned, to a bitmap of this size.
        private mutating func bitmap(scaledTo size: PixelSize, by filter: ResizeFilter) throws(CodecError) -> Bitmap {
            try Bitmap(size, hasAlpha: acceptsLosses) { (pixels, stride) throws(CodecError) in
                guard let result = pixels.baseAddress else { return }
                guard size != grid.size else {
                    for row in 0..<grid.rows {
                        _ = try decode(row: row, to: result + row * grid.tileSize.height * stride, stride: stride)
                    }
                    return
                }
                let scaler = try RowScaler(
                    ImageScaling(from: ImageExtent(grid.size), to: size, filter: filter),
                    of: PixelChannels(hasAlpha: acceptsLosses), into: result.assumingMemoryBound(to: UInt8.self),
                    stride: stride)
                let rowBytes = 4 * grid.size.width
                let band = try WorkMemory(bytes: rowBytes * min(grid.tileSize.height, grid.size.height))
                for row in 0..<grid.rows {
                    let count = try decode(row: row, to: band.start, stride: rowBytes)
                    scaler.add(band.bytes, count: count, stride: rowBytes)
                }
                scaler.finish()
            }
        }

        /// Decodes a row of tiles. Returns the number of its pixels' rows that are inside the image.
        private mutating func decode(
            row: Int, to band: UnsafeMutableRawPointer, stride: Int
        ) throws(CodecError) -> Int {
            let (side, size, pixelBytes) = (grid.tileSize, grid.size, samples == nil ? 4 : 8)
            let height = min(side.height, size.height - row * side.height)
            for column in 0..<grid.columns {
                let left = column * side.width
                let part = TileArea(
                    start: band + pixelBytes * left,
                    size: PixelSize(width: min(side.width, size.width - left), height: height),
                    stride: stride)
                let tile = grid.tile(column, row)
                guard damagedCount < Self.mostDamaged else {
                    part.clear(pixelBytes)
                    continue
                }
                do throws(CodecError) {
                    try decode(tile, to: part)
                    decodedCount += 1
                } catch {
                    guard acceptsLosses, error.code == .damaged else { throw error }
                    if tile.byteCount != nil { damagedCount += 1 }
                    part.clear(pixelBytes)
                }
            }
            return height
        }

        private func decode(_ tile: HEIFTile, to area: TileArea) throws(CodecError) {
            let header = ImageHeader(
                format: .heic, width: tile.size.width, height: tile.size.height, bitsPerSample: bitsPerSample)
            let file = try tile.file()
            try file.withUnsafeBufferPointer { (bytes) throws(CodecError) in
                let reader = try HEIFReader(UnsafeRawBufferPointer(bytes))
                // libheif decodes the tiles of a grid without regard to unknown code points.
                let pixels = try reader.decode(reader.primary, as: header, samples, isStrict: false)
                for y in 0..<area.size.height {
                    if samples == nil {
                        pixels.read(y, into: area.row(y, of: UInt32.self))
                    } else {
                        pixels.read(y, into: area.row(y, of: SIMD4<UInt16>.self))
                    }
                }
            }
        }
    }

    /// The place of a tile among the pixels of its band: the part that is inside the image.
    private struct TileArea {
        let start: UnsafeMutableRawPointer
        let size: PixelSize
        let stride: Int

        func row<Pixel>(_ y: Int, of pixel: Pixel.Type) -> UnsafeMutableBufferPointer<Pixel> {
            UnsafeMutableBufferPointer(
                start: (start + y * stride).assumingMemoryBound(to: pixel), count: size.width)
        }

        func clear(_ pixelBytes: Int) {
            for y in 0..<size.height {
                (start + y * stride).initializeMemory(as: UInt8.self, repeating: 0, count: pixelBytes * size.width)
            }
        }
    }
#endif
