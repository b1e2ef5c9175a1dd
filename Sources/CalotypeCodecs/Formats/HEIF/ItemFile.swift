/// A HEIC or AVIF of a few items. Their numbers begin with 1.
struct ItemFile {
    struct Item {
        let type: String
        /// The boxes of its properties.
        let properties: [[UInt8]]
        /// The parts of its content, in their order.
        let content: [ByteReader]
        /// The type of its references to other items, such as `dimg`, and the numbers of these.
        var references: (type: String, items: [Int])?

        var byteCount: Int { content.reduce(0) { $0 + $1.count } }
    }

    /// The content of the box ftyp.
    let brands: [UInt8]
    let items: [Item]
    let primary: Int
    /// The item that readers show in place of the primary one if they can.
    var preferred: Int?

    /// Creates a file for a decoder that shall see no other items. The last item is the primary one.
    init(_ items: [Item], isAVIF: Bool) {
        brands = Array((isAVIF ? "avif\0\0\0\0mif1avif" : "heic\0\0\0\0mif1heic").utf8)
        (self.items, primary) = (items, items.count)
    }

    init(brands: [UInt8], _ items: [Item], primary: Int, preferred: Int) {
        (self.brands, self.items, self.primary, self.preferred) = (brands, items, primary, preferred)
    }

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
            Self.box("pitm", [0, 0, 0, 0] + Self.short(primary)),
            Self.box("iloc", [0, 0, 0, 0, 0x44, 0] + Self.short(items.count) + places(from: start)),
            Self.box("iinf", [0, 0, 0, 0] + Self.short(items.count) + entries), properties, references,
            alternatives,
        ]
        return Self.box("ftyp", brands) + Self.box("meta", [0, 0, 0, 0] + lists.joined())
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
            // All items but the primary one and its alternative are hidden.
            let flags: UInt8 = index + 1 == primary || index + 1 == preferred ? 0 : 1
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
                let isEssential = Self.essential.contains { property.dropFirst(4).starts(with: $0.utf8) }
                associations += Self.short((places[property] ?? 0) | (isEssential ? 0x8000 : 0))
            }
        }
        let count = UInt32(items.count).bigEndianBytes
        return Self.box("iprp", Self.box("ipco", list) + Self.box("ipma", [0, 0, 0, 1] + count + associations))
    }

    /// The properties without which an item is not what it should be.
    private static let essential = ["av1C", "hvcC", "irot", "imir", "clap"]

    private var references: [UInt8] {
        var lists: [UInt8] = []
        for (index, item) in items.enumerated() {
            guard let references = item.references else { continue }
            let numbers = [index + 1, references.items.count] + references.items
            lists += Self.box(references.type, numbers.flatMap(Self.short))
        }
        return lists.isEmpty ? [] : Self.box("iref", [0, 0, 0, 0] + lists)
    }

    /// The group of the primary item and its alternative, in the order of preference (ISO/IEC 14496-12, 8.18).
    private var alternatives: [UInt8] {
        guard let preferred else { return [] }
        // The group's number, which no item has, and that of its members.
        let numbers = [items.count + 1, 2, preferred, primary].flatMap { UInt32($0).bigEndianBytes }
        return Self.box("grpl", Self.box("altr", [0, 0, 0, 0] + numbers))
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
