/// The references between the images and tracks of an AVIF file, as far as libavif before 1.1 misreads them: it ignores
/// the alpha of single tiles, places tiles in the order of the items, and takes every auxiliary track for alpha.
struct AVIFReferences {
    /// The tiles of each grid, in order.
    private var tiles: [Int: [Int]] = [:]
    /// The auxiliary images of each image.
    private var auxiliaries: [Int: [Int]] = [:]
    /// The order of the items in each list of items.
    private var orders: [[Int]] = []

    /// Throws `unsupported` if libavif would decode the file without an error, but to other pixels.
    static func check(_ file: ByteReader) throws(CodecError) {
        for meta in file.boxes("meta", from: 0) {
            // Skip the version and flags.
            try AVIFReferences(meta: meta).check(primary: meta.primaryItem)
        }
        for movie in file.boxes("moov", from: 0) {
            for track in movie.boxes("trak", from: 0) where track.isAuxiliaryTrack && !track.isAlphaTrack {
                throw unsupported("an auxiliary track that is not alpha")
            }
        }
    }

    private init(meta: ByteReader) {
        for list in meta.boxes("iref", from: 4) { read(references: list) }
        orders = meta.boxes("iloc", from: 4).map(\.locatedItems) + meta.boxes("iinf", from: 4).map(\.describedItems)
    }

    private func check(primary: Int?) throws(CodecError) {
        guard let primary else { return }
        for grid in [primary] + auxiliaries[primary, default: []] {
            let tiles = tiles[grid, default: []]
            for order in orders where tiles != order.filter(Set(tiles).contains) {
                throw Self.unsupported("tiles in another order than the file's images")
            }
        }
        guard tiles[primary, default: []].allSatisfy({ auxiliaries[$0] == nil }) else {
            throw Self.unsupported("tiles that each have an alpha image")
        }
    }

    private static func unsupported(_ feature: String) -> CodecError {
        CodecError(.unsupported, "AVIF with \(feature): needs libavif 1.1 or newer")
    }

    /// Reads an iref box (ISO/IEC 14496-12, 8.11.12). libavif has checked its structure.
    private mutating func read(references list: ByteReader) {
        let width = list.uint8(at: 0) != 0 ? 4 : 2
        var offset = 4
        while let size = list.uint32(at: offset), size >= 8, let from = list.item(at: offset + 8, width),
            let count = list.uint16(at: offset + 8 + width)
        {
            for index in 0..<count {
                guard let to = list.item(at: offset + 10 + width * (index + 1), width) else { return }
                if list.has("dimg", at: offset + 4) { tiles[from, default: []].append(to) }
                if list.has("auxl", at: offset + 4) { auxiliaries[to, default: []].append(from) }
            }
            offset += size
        }
    }
}

// The boxes of ISO/IEC 14496-12 that contain item IDs or describe tracks. A list that is malformed ends early.
extension ByteReader {
    fileprivate func item(at offset: Int, _ width: Int) -> Int? {
        width == 4 ? uint32(at: offset) : uint16(at: offset)
    }

    fileprivate var primaryItem: Int? {
        boxes("pitm", from: 4).first.flatMap { $0.item(at: 4, $0.uint8(at: 0) == 0 ? 2 : 4) }
    }

    /// The items of an iloc box.
    fileprivate var locatedItems: [Int] {
        guard let version = uint8(at: 0), let sizes = uint16(at: 4) else { return [] }
        let width = version < 2 ? 2 : 4
        guard let count = item(at: 6, width) else { return [] }
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let extentSize = offsetSize + lengthSize + (version == 0 ? 0 : sizes & 15)
        var (offset, items) = (6 + width, [Int]())
        for _ in 0..<count {
            guard let item = item(at: offset, width) else { break }
            items.append(item)
            offset += width + (version == 0 ? 0 : 2) + 2 + baseSize
            guard let extents = uint16(at: offset) else { break }
            offset += 2 + extents * extentSize
        }
        return items
    }

    /// The items of an iinf box.
    fileprivate var describedItems: [Int] {
        boxes("infe", from: uint8(at: 0) == 0 ? 6 : 8)
            .compactMap { $0.item(at: 4, $0.uint8(at: 0) ?? 0 < 3 ? 2 : 4) }
    }

    fileprivate var isAuxiliaryTrack: Bool {
        boxes("tref", from: 0).contains { !$0.boxes("auxl", from: 0).isEmpty }
    }

    /// Whether a track has the type of alpha (ISO/IEC 23008-12, 7.5.3), or none, as in files of old encoders.
    fileprivate var isAlphaTrack: Bool {
        var boxes = [self]
        for type in ["mdia", "minf", "stbl", "stsd"] as [StaticString] {
            boxes = boxes.flatMap { $0.boxes(type, from: 0) }
        }
        // Skip the count of entries, and the fields of a visual sample entry.
        let entries = boxes.flatMap { $0.boxes("av01", from: 8) }
        return entries.flatMap { $0.boxes("auxi", from: 78) }.allSatisfy { type in
            type.has("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0", at: 4)
                || type.has("urn:mpeg:hevc:2015:auxid:1\0", at: 4)
        }
    }
}
