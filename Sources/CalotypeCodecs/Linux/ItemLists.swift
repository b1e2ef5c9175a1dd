/// The lists of items in an AVIF or HEIC file, which are limited before a library reads them.
///
/// An item has an entry in three lists, and a tile a reference. For each entry, the libraries go through all items: 30,000 items
/// in an AVIF of 1.2 MB took libavif seconds, and 19,000 in a HEIC took libheif more than 30.
enum ItemLists {
    /// Throws `tooLarge` for lists with more than `limit` entries together.
    static func check(_ file: ByteReader, of format: String, limit: Int) throws(CodecError) {
        let tracks = file.boxes("moov", from: 0).flatMap { $0.boxes("trak", from: 0) }
        let entries = ([file] + tracks).flatMap { $0.boxes("meta", from: 0) }.reduce(0) { $0 + $1.itemEntries }
        guard entries <= limit else {
            throw CodecError(.tooLarge, "\(format) with \(entries) entries in its lists of images: at most \(limit)")
        }
    }
}

extension ByteReader {
    /// The number of entries in the lists of a meta box (ISO/IEC 14496-12, 8.11), as the lists announce it.
    fileprivate var itemEntries: Int {
        let described = boxes("iinf", from: 4).compactMap { $0.uint8(at: 0) == 0 ? $0.uint16(at: 4) : $0.uint32(at: 4) }
        let located = boxes("iloc", from: 4).compactMap {
            $0.uint8(at: 0) ?? 0 < 2 ? $0.uint16(at: 6) : $0.uint32(at: 6)
        }
        let associated = boxes("iprp", from: 4).flatMap { $0.boxes("ipma", from: 0) }.compactMap { $0.uint32(at: 4) }
        // A reference takes two bytes, or four, and those from one item have a head.
        let referring = boxes("iref", from: 4).map { max(0, $0.count - 4) / ($0.uint8(at: 0) == 0 ? 2 : 4) }
        return (described + located + associated + referring).reduce(0, +)
    }
}
