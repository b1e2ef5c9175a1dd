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

    /// - Parameters:
    ///   - nclx: The code points of the grid, which replace those of the tile unless they are `nil`.
    ///   - isTransformed: Whether the item may be cropped, turned or mirrored, which the tile is not, and be an auxiliary image.
    init?(_ item: Int, of items: HEIFItems, nclx: ByteReader?, isTransformed: Bool = false) {
        kind = items.kind(of: item)
        let type: StaticString = kind == .av1 ? "av1C" : "hvcC"
        guard kind == .hevc || kind == .av1, let location = items.location(of: item),
            let properties = items.properties(of: item),
            properties.allSatisfy({
                $0.isTransformation || $0.isOf("auxC") ? isTransformed : $0.isKnown || !$0.isEssential
            })
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
        return ItemFile([item()], isAVIF: kind == .av1).write()
    }

    /// Returns the tile as an item of another file.
    ///
    /// - Parameter more: Further properties.
    func item(adding more: [[UInt8]] = []) -> ItemFile.Item {
        let isHEVC = kind == .hevc
        var properties = [
            ItemFile.box(isHEVC ? "hvcC" : "av1C", configuration.copy()), ItemFile.extent(size),
        ]
        if let nclx { properties.append(ItemFile.box("colr", nclx.copy())) }
        return ItemFile.Item(
            type: isHEVC ? "hvc1" : "av01", properties: properties + more,
            content: location.extents.map { location.source.slice($0) })
    }
}

extension HEIFTile {
    /// Whether the codec's configuration has all of its fixed fields, in the version that decoders know.
    var isConfigured: Bool {
        kind == .av1
            ? configuration.count >= 4 && configuration.uint8(at: 0) == 0x81
            : configuration.count >= 23 && configuration.uint8(at: 0) == 1
    }

    var isGray: Bool { samplesPerPixel == 1 }

    /// The average number of stored samples per pixel, by the codec's configuration.
    var samplesPerPixel: Double {
        if kind == .av1 {
            guard let flags = configuration.uint8(at: 2) else { return 3 }
            if flags & 0x10 != 0 { return 1 }
            return flags & 8 == 0 ? 3 : flags & 4 == 0 ? 2 : 1.5
        }
        return configuration.uint8(at: 16).map { [1, 1.5, 2, 3][$0 & 3] } ?? 3
    }

    var bitsPerSample: Int {
        if kind == .av1 {
            guard let flags = configuration.uint8(at: 2) else { return 12 }
            return flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
        }
        return configuration.uint8(at: 17).map { 8 + ($0 & 7) } ?? 12
    }
}
