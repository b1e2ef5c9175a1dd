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
            guard items.kind(of: primary) == .grid, let shape = Shape(items.location(of: primary)),
                let parts = items.references.parts[primary], parts.count == shape.columns * shape.rows,
                let properties = items.properties(of: primary), let orientation = Self.orientation(properties)
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
            (tileSize, self.orientation, self.tiles) = (first.size, orientation, tiles)
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

        /// Returns the EXIF orientation for these properties, or `nil` if they crop the image, turn or mirror it in another
        /// order than the standard's, or are unknown and essential.
        private static func orientation(_ properties: [HEIFItems.Property]) -> Int? {
            let transformations = properties.filter(\.isTransformation)
            guard properties.allSatisfy({ $0.isKnown || !$0.isEssential }) else { return nil }
            var rest = transformations[...]
            var turns = 0
            if let turn = rest.first, turn.isOf("irot") {
                guard let angle = turn.box.content.uint8(at: 0) else { return nil }
                (turns, rest) = (angle & 3, rest.dropFirst())
            }
            guard let mirror = rest.first else { return [1, 8, 3, 6][turns] }
            guard rest.count == 1, mirror.isOf("imir"), let axis = mirror.box.content.uint8(at: 0) else { return nil }
            return axis & 1 == 0 ? [4, 5, 2, 7][turns] : [2, 7, 4, 5][turns]
        }

        /// The content of a grid item.
        private struct Shape {
            let columns: Int
            let rows: Int
            let size: PixelSize

            init?(_ location: HEIFItems.Location?) {
                guard let location, location.extents.count == 1,
                    location.extents[0].upperBound <= location.source.count
                else { return nil }
                let content = location.source.slice(location.extents[0])
                guard content.uint8(at: 0) == 0, let flags = content.uint8(at: 1), let lastRow = content.uint8(at: 2),
                    let lastColumn = content.uint8(at: 3),
                    let width = flags & 1 == 0 ? content.uint16(at: 4) : content.uint32(at: 4),
                    let height = flags & 1 == 0 ? content.uint16(at: 6) : content.uint32(at: 8)
                else { return nil }
                (columns, rows, size) = (lastColumn + 1, lastRow + 1, PixelSize(width: width, height: height))
            }

            /// Whether the image ends within the last tiles of this size, and most of their pixels are inside it.
            func isCovered(by tile: PixelSize) -> Bool {
                let whole = PixelSize(width: columns * tile.width, height: rows * tile.height)
                return whole.width >= size.width && whole.width - tile.width < size.width
                    && whole.height >= size.height && whole.height - tile.height < size.height
                    && whole.bitmapBytes <= max(4 * size.bitmapBytes, 4 << 20)
            }
        }
    }
#endif
