/// A HEIC or AVIF of a few items, for a decoder that shall see no others. The last item is the primary one.
struct ItemFile {
    struct Item {
        let type: String
        /// The boxes of its properties.
        let properties: [[UInt8]]
        /// The parts of its content, in their order.
        let content: [ByteReader]
        /// The numbers of the items that it is made of, from 1 on.
        var parts: [Int] = []

        var byteCount: Int { content.reduce(0) { $0 + $1.count } }
    }

    let items: [Item]
    let isAVIF: Bool

    /// Returns the file.
    func write() -> [UInt8] {
        let count = items.reduce(0) { $0 + $1.byteCount }
        // An item is where its file says, so that the boxes in front of it are written twice, with the same length.
        let start = boxes(dataAt: 0).count + 8
        var file = boxes(dataAt: start)
        file.reserveCapacity(start + count)
        file += UInt32(8 + count).bigEndianBytes + Array("mdat".utf8)
        for item in items {
            for part in item.content { file += part.copy() }
        }
        return file
    }

    private func boxes(dataAt start: Int) -> [UInt8] {
        let lists = [
            Self.box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)),
            Self.box("pitm", [0, 0, 0, 0] + Self.short(items.count)),
            Self.box("iloc", [0, 0, 0, 0, 0x44, 0] + Self.short(items.count) + places(from: start)),
            Self.box("iinf", [0, 0, 0, 0] + Self.short(items.count) + entries), properties, references,
        ]
        return Self.box("ftyp", Array((isAVIF ? "avif\0\0\0\0mif1avif" : "heic\0\0\0\0mif1heic").utf8))
            + Self.box("meta", [0, 0, 0, 0] + lists.joined())
    }

    private func places(from start: Int) -> [UInt8] {
        var (offset, places) = (start, [UInt8]())
        for (index, item) in items.enumerated() {
            places += Self.short(index + 1) + [0, 0, 0, 1] + UInt32(offset).bigEndianBytes
            places += UInt32(item.byteCount).bigEndianBytes
            offset += item.byteCount
        }
        return places
    }

    private var entries: [UInt8] {
        var entries: [UInt8] = []
        for (index, item) in items.enumerated() {
            // All items but the primary one are hidden.
            let flags: UInt8 = index + 1 < items.count ? 1 : 0
            let name = Array(item.type.utf8) + [0]
            entries += Self.box("infe", [2, 0, 0, flags] + Self.short(index + 1) + [0, 0] + name)
        }
        return entries
    }

    /// Tiles share most properties, which are written once.
    private var properties: [UInt8] {
        var (places, list, associations) = ([[UInt8]: Int](), [UInt8](), [UInt8]())
        for (index, item) in items.enumerated() {
            associations += Self.short(index + 1) + [UInt8(item.properties.count)]
            for property in item.properties {
                if places[property] == nil {
                    places[property] = places.count + 1
                    list += property
                }
                associations += Self.short(places[property] ?? 0)
            }
        }
        let count = UInt32(items.count).bigEndianBytes
        return Self.box("iprp", Self.box("ipco", list) + Self.box("ipma", [0, 0, 0, 1] + count + associations))
    }

    private var references: [UInt8] {
        var references: [UInt8] = []
        for (index, item) in items.enumerated() where !item.parts.isEmpty {
            references += Self.box(
                "dimg", Self.short(index + 1) + Self.short(item.parts.count) + item.parts.flatMap(Self.short))
        }
        return references.isEmpty ? [] : Self.box("iref", [0, 0, 0, 0] + references)
    }

    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        UInt32(8 + content.count).bigEndianBytes + Array(type.utf8) + content
    }

    /// Returns the property of an item's size in pixels.
    static func extent(_ size: PixelSize) -> [UInt8] {
        box("ispe", [0, 0, 0, 0] + UInt32(size.width).bigEndianBytes + UInt32(size.height).bigEndianBytes)
    }

    private static func short(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 255), UInt8(number & 255)] }
}

extension UInt32 {
    var bigEndianBytes: [UInt8] {
        [UInt8(self >> 24), UInt8(self >> 16 & 255), UInt8(self >> 8 & 255), UInt8(self & 255)]
    }
}
