import Foundation

/// An image of a HEIC or AVIF as it is coded, neither cropped nor turned: one item, or a grid of tiles.
struct ItemImage {
    /// The size in pixels as stored.
    let size: PixelSize
    let transformations: HEIFTransformations
    /// The number of coded bytes.
    let byteCount: Int
    private let shape: HEIFGridShape?
    private let tiles: [HEIFTile]

    /// Cameras write some ten tiles for a small image.
    private static let mostTiles = 1 << 10

    /// Returns `nil` if the item is no image of HEVC or AV1, is incomplete, or has a property that is unknown and essential.
    init?(_ item: Int, of items: HEIFItems) {
        guard let properties = items.properties(of: item), let transformations = HEIFTransformations(properties),
            items.references.auxiliaries[item] == nil
        else { return nil }
        self.transformations = transformations
        if items.kind(of: item) == .grid {
            guard let shape = HEIFGridShape(items.location(of: item)), let parts = items.references.parts[item],
                parts.count == shape.columns * shape.rows, parts.count <= Self.mostTiles
            else { return nil }
            let nclx = properties.last { $0.isNCLX }?.box.content
            tiles = parts.compactMap { HEIFTile($0, of: items, nclx: nclx) }
            guard let first = tiles.first, tiles.count == parts.count,
                tiles.allSatisfy({ $0.kind == first.kind && $0.size == first.size }), shape.isCovered(by: first.size)
            else { return nil }
            (self.shape, size) = (shape, shape.size)
        } else {
            guard let tile = HEIFTile(item, of: items, nclx: nil, isTransformed: true) else { return nil }
            (tiles, shape, size) = ([tile], nil, tile.size)
        }
        let counts = tiles.compactMap(\.byteCount)
        byteCount = counts.reduce(0, +)
        guard tiles.allSatisfy(\.isConfigured) else { return nil }
        // Tiles that share their bytes would be copied more often than the file is long.
        guard counts.count == tiles.count, byteCount <= items.byteCount, byteCount < 1 << 31 else { return nil }
    }

    var isAVIF: Bool { tiles[0].kind == .av1 }
    var isGray: Bool { tiles[0].isGray }

    /// The header of ``file()``.
    var header: ImageHeader {
        ImageHeader(
            format: isAVIF ? .avif : .heic, width: size.width, height: size.height,
            samplesPerPixel: tiles[0].samplesPerPixel, bitsPerSample: tiles[0].bitsPerSample)
    }

    /// Returns a file of the image alone, whose colors no decoder converts: to them, they are sRGB.
    func file() -> [UInt8] {
        let profile = ItemFile.box("colr", Array("prof".utf8) + GamutProfile.sRGB)
        var items = tiles.map { $0.item(adding: [profile]) }
        guard let shape else { return ItemFile(items, isAVIF: isAVIF).write() }
        return shape.bytes.withUnsafeBytes { content in
            items.append(
                ItemFile.Item(
                    type: "grid", properties: [ItemFile.extent(size), profile], content: [ByteReader(content)],
                    references: ("dimg", Array(1...tiles.count))))
            return ItemFile(items, isAVIF: isAVIF).write()
        }
    }
}
