#if HEIF
    import CHEIF

    /// A primary image made of tiles of one size, in rows from left to right (ISO/IEC 23008-12, 6.6.2.3). Phones and cameras
    /// store photographs in this way.
    struct HEIFGrid {
        /// The size of the image in pixels, before it is turned. The last tiles may extend beyond it.
        let size: PixelSize
        let columns: Int
        let rows: Int
        let tileSize: PixelSize
        /// The EXIF orientation equivalent to irot followed by imir.
        let orientation: Int
        private let tiles: [HEIFTile]

        /// Returns `nil` unless the file's primary image is a grid whose tiles can be decoded one by one, to the same pixels
        /// as libheif decodes the whole: tiles without alpha that are neither turned nor cropped, and as many as the image
        /// needs.
        init?(_ items: HEIFItems) {
            let primary = items.primary
            guard items.kind(of: primary) == .grid, let shape = HEIFGridShape(items.location(of: primary)),
                let parts = items.references.parts[primary], parts.count == shape.columns * shape.rows,
                let properties = items.properties(of: primary),
                let transformations = HEIFTransformations(properties), !transformations.isCropped
            else { return nil }
            let nclx = Self.colorsReplaceThoseOfTiles ? properties.last { $0.isNCLX }?.box.content : nil
            let tiles = parts.compactMap { part in
                items.references.auxiliaries[part] == nil ? HEIFTile(part, of: items, nclx: nclx) : nil
            }
            guard let first = tiles.first, tiles.count == parts.count,
                tiles.allSatisfy({ $0.kind == first.kind && $0.size == first.size }),
                shape.isCovered(by: first.size)
            else { return nil }
            (size, columns, rows) = (shape.size, shape.columns, shape.rows)
            (tileSize, orientation, self.tiles) = (first.size, transformations.orientation, tiles)
            // Tiles that share their bytes would be copied more often than the file is long.
            guard tiles.reduce(0, { $0 + ($1.byteCount ?? 0) }) <= items.byteCount else { return nil }
        }

        func tile(_ column: Int, _ row: Int) -> HEIFTile { tiles[row * columns + column] }

        /// Returns the memory in bytes for a row of tiles as pixels and the decode of one tile, without the filter.
        func bandBytes(_ header: ImageHeader) -> Int {
            // The file of a tile, libheif's copy, and the decoder's.
            let coded = 3 * (tiles.lazy.compactMap(\.byteCount).max() ?? 0)
            let band = PixelSize(width: size.width, height: min(tileSize.height, size.height))
            let bytes = header.bitsPerSample > 8 ? DeepPixels.bytes(band) : band.bitmapBytes
            return bytes + HEIFDecoder.memory.decodingBytes(of: tileSize, header) + coded
        }

        /// Whether libheif applies the code points of the grid to its tiles. Earlier versions convert each tile by its own.
        private static let colorsReplaceThoseOfTiles = heif_get_version_number() >= 0x0113_0000
    }
#endif
