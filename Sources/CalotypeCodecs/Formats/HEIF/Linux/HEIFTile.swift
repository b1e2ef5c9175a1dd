#if HEIF
    /// A tile of a grid: its bytes, and the properties that a decoder of it needs.
    struct HEIFTile {
        let kind: HEIFItems.Kind
        let size: PixelSize
        private let location: HEIFItems.Location
        private let configuration: ByteReader
        /// The code points of its colors, or `nil` for those in its bitstream.
        private let nclx: ByteReader?

        /// Properties longer than these would be copied for each tile.
        private static let (longestConfiguration, longestNCLX) = (1 << 16, 64)

        /// - Parameter nclx: The code points of the grid, which replace those of the tile unless they are `nil`.
        init?(_ item: Int, of items: HEIFItems, nclx: ByteReader?) {
            kind = items.kind(of: item)
            let type: StaticString = kind == .av1 ? "av1C" : "hvcC"
            guard kind == .hevc || kind == .av1, let location = items.location(of: item),
                let properties = items.properties(of: item),
                properties.allSatisfy({ !$0.isTransformation && ($0.isKnown || !$0.isEssential) })
            else { return nil }
            let sizes = properties.filter { $0.isOf("ispe") }, configurations = properties.filter { $0.isOf(type) }
            let nclx = nclx ?? properties.last { $0.isNCLX }?.box.content
            guard sizes.count == 1, let width = sizes[0].box.content.uint32(at: 4),
                let height = sizes[0].box.content.uint32(at: 8), (1...65_535).contains(width),
                (1...65_535).contains(height), configurations.count == 1,
                configurations[0].box.content.count <= Self.longestConfiguration, nclx?.count ?? 0 <= Self.longestNCLX
            else { return nil }
            (size, self.location) = (PixelSize(width: width, height: height), location)
            (configuration, self.nclx) = (configurations[0].box.content, nclx)
        }

        /// The number of bytes of the coded tile, or `nil` if some of them are missing.
        var byteCount: Int? {
            var count = 0
            for extent in location.extents {
                guard extent.upperBound <= location.source.count else { return nil }
                count += extent.count
            }
            return count
        }

        /// Returns a file whose only image is the tile: libheif before 1.19 decodes no tile of a grid by itself.
        func file() throws(CodecError) -> [UInt8] {
            guard let count = byteCount, count < 1 << 31 else {
                throw CodecError(.damaged, "HEIC is damaged: a tile lies beyond the end of the file")
            }
            // An item is where its file says, so that the boxes in front of it are written twice, with the same length.
            let start = boxes(dataAt: 0, count: count).count + 8
            var file = boxes(dataAt: start, count: count)
            file.reserveCapacity(start + count)
            file += UInt32(8 + count).bigEndianBytes + Array("mdat".utf8)
            for extent in location.extents { file += location.source.slice(extent).copy() }
            return file
        }

        private func boxes(dataAt offset: Int, count: Int) -> [UInt8] {
            let isHEVC = kind == .hevc
            let type = Array((isHEVC ? "hvc1" : "av01").utf8)
            var properties = [
                Self.box(isHEVC ? "hvcC" : "av1C", configuration.copy()),
                Self.box(
                    "ispe",
                    [0, 0, 0, 0] + UInt32(size.width).bigEndianBytes + UInt32(size.height).bigEndianBytes),
            ]
            if let nclx { properties.append(Self.box("colr", nclx.copy())) }
            let associations = [1, UInt8(properties.count)] + (1...UInt8(properties.count))
            // The lists have one entry, of item 1.
            let lists = [
                Self.box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)),
                Self.box("pitm", [0, 0, 0, 0, 0, 1]),
                Self.box(
                    "iloc",
                    [0, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1] + UInt32(offset).bigEndianBytes
                        + UInt32(count).bigEndianBytes),
                Self.box("iinf", [0, 0, 0, 0, 0, 1] + Self.box("infe", [2, 0, 0, 0, 0, 1, 0, 0] + type + [0])),
                Self.box(
                    "iprp",
                    Self.box("ipco", Array(properties.joined()))
                        + Self.box("ipma", [0, 0, 0, 0, 0, 0, 0, 1, 0] + associations)),
            ]
            return Self.box("ftyp", Array((isHEVC ? "heic\0\0\0\0mif1heic" : "avif\0\0\0\0mif1avif").utf8))
                + Self.box("meta", [0, 0, 0, 0] + lists.joined())
        }

        private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
            UInt32(8 + content.count).bigEndianBytes + Array(type.utf8) + content
        }
    }

    extension UInt32 {
        fileprivate var bigEndianBytes: [UInt8] {
            [UInt8(self >> 24), UInt8(self >> 16 & 255), UInt8(self >> 8 & 255), UInt8(self & 255)]
        }
    }
#endif
