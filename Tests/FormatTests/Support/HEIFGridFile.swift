#if HEIF && JPEGXL && SVG && TIFF
    import CHEIF
    import CalotypeCodecs
    import Foundation
    import TestSupport
    import Testing

    /// A HEIC whose image is a grid of tiles of one size, as phones store photographs: libheif 1.15 writes none.
    struct HEIFGridFile {
        /// A coded image: a file of libheif with one item.
        struct Coded {
            let file: Data
            let size: PixelSize
        }

        var size: PixelSize
        var columns: Int
        var tiles: [Coded]
        var rows: Int { tiles.count / columns }
        /// The properties of the grid besides its size, such as irot and imir.
        var properties: [Data] = []
        /// The properties of each tile besides its size, its codec's and those of `file`.
        var tileProperties: [Data] = []
        var thumbnail: Coded?
        var thumbnailProperties: [Data] = []
        /// An alpha image for the grid, or for its first tile.
        var alpha: Coded?
        var alphaIsOfTile = false
        /// A gain map. It, EXIF and the thumbnail belong to the image and to its HDR variant, as in the files of phones.
        var gainMap: Coded?
        /// Whether an alpha image belongs to the HDR variant, too.
        var sharesAlpha = false
        /// The orientation in EXIF, which readers of HEIF ignore.
        var exifOrientation: UInt8?
        /// Whether the tiles are in the idat box, behind the grid's shape.
        var hasTilesInIdat = false
        /// Whether all tiles are the first one.
        var sharesTile = false
        /// Whether the places of items are numbers of 64 bits.
        var hasWidePlaces = false
        /// The offset and the length of the second tile, in place of its own.
        var secondPlace: (offset: UInt64, length: UInt64)?
        /// The number of extents of the second tile, of a byte each but the last one.
        var secondExtents = 1
        /// The items of which the first tile is made, if it is a grid itself, of one column.
        var firstTileParts: [Int]?
        var type = "hvc1"

        static let side = 64

        /// Codes an image as tiles of 64 × 64 pixels. The last ones repeat its last row and column.
        static func drawn(
            _ bitmap: Bitmap, _ format: heif_compression_format = heif_compression_HEVC
        ) throws -> HEIFGridFile {
            try of(bitmap.size) { place in
                let tile = try Drawings.drawn(side, side) { x, y in
                    bitmap.pixel(min(place.x + x, bitmap.width - 1), min(place.y + y, bitmap.height - 1))
                }
                return try HEIFFile.encoded(tile, format)
            }
        }

        /// Makes a grid of tiles of 64 × 64 pixels.
        ///
        /// - Parameter tile: Returns the file of the tile at this place in the image.
        static func of(_ size: PixelSize, _ tile: ((x: Int, y: Int)) throws -> Data) rethrows -> HEIFGridFile {
            let (columns, rows) = ((size.width + side - 1) / side, (size.height + side - 1) / side)
            let tiles = try (0..<columns * rows).map { index in
                Coded(
                    file: try tile((side * (index % columns), side * (index / columns))),
                    size: PixelSize(width: side, height: side))
            }
            var grid = HEIFGridFile(size: size, columns: columns, tiles: tiles)
            if tiles[0].file.boxContent("hvcC") == nil { grid.type = "av01" }
            return grid
        }

        static func irot(_ quarterTurns: UInt8) -> Data { box("irot", Data([quarterTurns])) }

        static func imir(_ axis: UInt8) -> Data { box("imir", Data([axis])) }

        static func box(_ type: String, _ content: Data) -> Data {
            number(8 + content.count) + Data(type.utf8) + content
        }

        static func number(_ value: Int) -> Data { withUnsafeBytes(of: UInt32(value).bigEndian) { Data($0) } }

        static func short(_ value: Int) -> Data { withUnsafeBytes(of: UInt16(value).bigEndian) { Data($0) } }

        // MARK: - The file

        /// An entry of the lists of items, from 1 on.
        private struct Item {
            var type: String
            var content: Data
            var isInIdat = false
            var properties: [Data] = []
        }

        private var shape: Data {
            Data([0, 0, UInt8(rows - 1), UInt8(columns - 1)]) + Self.short(size.width) + Self.short(size.height)
        }

        private func item(_ coded: Coded, _ more: [Data], isInIdat: Bool = false) -> Item {
            Item(
                type: type, content: coded.file.boxContent("mdat") ?? Data(), isInIdat: isInIdat,
                properties: Self.properties(of: coded, type) + more)
        }

        private static func properties(of coded: Coded, _ type: String) -> [Data] {
            let name = type == "hvc1" ? "hvcC" : "av1C"
            let configuration = [box(name, coded.file.boxContent(name) ?? Data())]
            let colors = coded.file.boxContent("colr").map { [box("colr", $0)] } ?? []
            return configuration + [extent(coded.size)] + colors
        }

        private static func extent(_ size: PixelSize) -> Data {
            box("ispe", Data([0, 0, 0, 0]) + number(size.width) + number(size.height))
        }

        private var items: [Item] {
            var items = tiles.map { item($0, tileProperties, isInIdat: hasTilesInIdat) }
            if sharesTile { items = [items[0]] }
            if let parts = firstTileParts {
                let shape = Data([0, 0, UInt8(parts.count - 1), 0]) + Self.short(Self.side) + Self.short(Self.side)
                items[0] = Item(
                    type: "grid", content: shape, isInIdat: true, properties: [Self.extent(tiles[0].size)])
            }
            items.append(
                Item(type: "grid", content: shape, isInIdat: true, properties: [Self.extent(size)] + properties))
            if let thumbnail { items.append(item(thumbnail, thumbnailProperties)) }
            if let alpha {
                let name = Data("urn:mpeg:hevc:2015:auxid:1\0".utf8)
                items.append(item(alpha, [Self.box("auxC", Data([0, 0, 0, 0]) + name)]))
            }
            if let exifOrientation {
                let tag = Data([0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, exifOrientation, 0, 0, 0, 0, 0, 0])
                items.append(Item(type: "Exif", content: Data([0, 0, 0, 0]) + Data("MM\0*\0\0\0\u{8}".utf8) + tag))
            }
            if let gainMap {
                let name = Data("urn:com:apple:photo:2020:aux:hdrgainmap\0".utf8)
                items.append(item(gainMap, [Self.box("auxC", Data([0, 0, 0, 0]) + name)]))
                items.append(Item(type: "tmap", content: Data(count: 62), properties: [Self.extent(size)]))
            }
            return items
        }

        private func references(_ items: [Item]) -> Data {
            let tiles = sharesTile ? [Int](repeating: 1, count: self.tiles.count) : Array(1...self.tiles.count)
            let grid = (sharesTile ? 1 : self.tiles.count) + 1
            func reference(_ type: String, _ from: Int, _ to: [Int]) -> Data {
                Self.box(type, Self.short(from) + Self.short(to.count) + to.map(Self.short).joined())
            }
            var references = reference("dimg", grid, tiles)
            if let firstTileParts { references += reference("dimg", 1, firstTileParts) }
            let both = gainMap == nil ? [grid] : [grid, items.count]
            if thumbnail != nil { references += reference("thmb", grid + 1, both) }
            if alpha != nil {
                let owners = sharesAlpha ? both : [alphaIsOfTile ? 1 : grid]
                references += reference("auxl", grid + (thumbnail == nil ? 1 : 2), owners)
            }
            if exifOrientation != nil {
                references += reference("cdsc", (items.firstIndex { $0.type == "Exif" } ?? 0) + 1, both)
            }
            if gainMap != nil {
                references += reference("auxl", items.count - 1, both)
                references += reference("dimg", items.count, [grid, items.count - 1])
            }
            return Self.box("iref", Data([0, 0, 0, 0]) + references)
        }

        private func place(_ value: UInt64) -> Data {
            hasWidePlaces ? withUnsafeBytes(of: value.bigEndian) { Data($0) } : Self.number(Int(value))
        }

        var data: Data {
            let items = items
            let start = boxes(items, dataAt: 0).count + 8
            let content = Data(items.filter { !$0.isInIdat }.map(\.content).joined())
            return boxes(items, dataAt: start) + Self.box("mdat", content)
        }

        private func boxes(_ items: [Item], dataAt start: Int) -> Data {
            var (inFile, inIdat, list, entries, associations) = (start, 0, Data(), Data(), Data())
            var (properties, idat) = ([Data](), Data())
            for (index, item) in items.enumerated() {
                let count = index == 1 ? secondExtents : 1
                list += Self.short(index + 1) + Data([0, item.isInIdat ? 1 : 0, 0, 0]) + Self.short(count)
                let start = UInt64(item.isInIdat ? inIdat : inFile)
                for part in 0..<UInt64(count) {
                    let length = part < count - 1 ? 1 : UInt64(item.content.count) - part
                    let own = (offset: start + part, length: length)
                    let place = index == 1 ? secondPlace ?? own : own
                    list += [place.offset, place.length].map(self.place).joined()
                }
                if item.isInIdat { (inIdat, idat) = (inIdat + item.content.count, idat + item.content) }
                if !item.isInIdat { inFile += item.content.count }
                let isHidden: UInt8 = index < tiles.count && !sharesTile ? 1 : 0
                entries += Self.box(
                    "infe",
                    Data([2, 0, 0, isHidden]) + Self.short(index + 1) + Data([0, 0]) + Data(item.type.utf8) + Data([0]))
                associations += Self.short(index + 1) + Data([UInt8(item.properties.count)])
                for property in item.properties {
                    if !properties.contains(property) { properties.append(property) }
                    associations += Self.short((properties.firstIndex(of: property) ?? 0) + 1)
                }
            }
            let zeros = Data([0, 0, 0, 0])
            let grid = (sharesTile ? 1 : tiles.count) + 1
            let meta =
                [
                    zeros, Self.box("hdlr", zeros + zeros + Data("pict".utf8) + Data(count: 13)),
                    Self.box("pitm", zeros + Self.short(grid)),
                    Self.box(
                        "iloc", Data([1, 0, 0, 0, hasWidePlaces ? 0x88 : 0x44, 0]) + Self.short(items.count) + list),
                    Self.box("iinf", zeros + Self.short(items.count) + entries),
                    Self.box(
                        "iprp",
                        Self.box("ipco", Data(properties.joined()))
                            + Self.box("ipma", Data([0, 0, 0, 1]) + Self.number(items.count) + associations)),
                    references(items), Self.box("idat", idat),
                ] as [Data]
            let brands = type == "hvc1" ? "heic\0\0\0\0mif1heic" : "mif1\0\0\0\0mif1"
            return Self.box("ftyp", Data(brands.utf8)) + Self.box("meta", Data(meta.joined()))
        }
    }
#endif
