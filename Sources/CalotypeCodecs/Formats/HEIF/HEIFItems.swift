/// The items of a HEIC or AVIF file with their bytes and properties (ISO/IEC 14496-12, 8.11).
///
/// Only unambiguous lists are read. libheif decodes a file with others, or refuses it.
struct HEIFItems {
    enum Kind {
        case grid
        /// One image, coded with HEVC or AV1.
        case hevc, av1
        /// An image that a gain map makes of another one (ISO/IEC 23008-12, 6.6.2.4).
        case toneMap
        case exif
        /// A text, such as XMP.
        case text
        case other
    }

    /// Where the bytes of an item are.
    struct Location {
        /// The file, or its idat box.
        let source: ByteReader
        /// The parts in their order. They may lie beyond the end of the source.
        let extents: [Range<Int>]
    }

    struct Property {
        let box: ByteReader.Box
        /// Whether a reader that does not know the property must not show the item.
        let isEssential: Bool

        func isOf(_ type: StaticString) -> Bool { box.isOf(type) }

        /// Whether the property turns, mirrors or crops the item.
        var isTransformation: Bool { isOf("irot") || isOf("imir") || isOf("clap") }

        /// Whether the property has the code points of colors.
        var isNCLX: Bool { isOf("colr") && box.content.has("nclx", at: 0) }

        /// Whether the property is one that libheif applies, or that does not affect the pixels.
        var isKnown: Bool { Self.known.contains { isOf($0) } }

        private static let known: [StaticString] = [
            "ispe", "hvcC", "av1C", "colr", "pixi", "pasp", "irot", "imir", "clli", "mdcv", "cclv", "amve",
        ]
    }

    /// The most extents and properties of an item. libheif, too, refuses items with more extents. Cameras write one, and some
    /// ten properties.
    private static let (mostExtents, mostProperties) = (32, 64)

    /// The length of the file.
    let byteCount: Int
    /// The item that the file shows.
    let primary: Int
    let references: HEIFReferences
    /// Groups of items of which a reader shows the first one that it can.
    let alternatives: [[Int]]
    private var kinds: [Int: Kind] = [:]
    private var entries: [Int: ByteReader.Box] = [:]
    private var locations: [Int: Location] = [:]
    private var boxes: [ByteReader.Box] = []
    private var associations: [Int: [(index: Int, isEssential: Bool)]] = [:]

    /// Returns `nil` if a list is missing or malformed, occurs twice, or lists an item twice.
    init?(_ file: ByteReader) {
        // Skip the version and flags of full boxes, in four bytes.
        guard let meta = file.onlyBox("meta", from: 0), let primary = meta.onlyBox("pitm", from: 4),
            let item = primary.number(at: 4, bytes: primary.uint8(at: 0) == 0 ? 2 : 4),
            let entries = meta.onlyBox("iinf", from: 4), let places = meta.onlyBox("iloc", from: 4),
            let properties = meta.onlyBox("iprp", from: 4), let list = properties.onlyBox("ipco", from: 0),
            meta.boxes("iref", from: 4).count < 2, let references = try? HEIFReferences([meta]),
            let boxes = list.wholeBoxes(from: 0, limit: 1 << 15)
        else { return nil }
        (byteCount, self.primary, self.references, self.boxes) = (file.count, item, references, boxes)
        alternatives = meta.boxes("grpl", from: 4).flatMap(\.alternatives)
        let data = meta.boxes("idat", from: 4)
        guard read(entries: entries), read(places: places, in: file, data.count == 1 ? data[0] : nil),
            properties.boxes("ipma", from: 0).allSatisfy({ read(associations: $0) })
        else { return nil }
    }

    func kind(of item: Int) -> Kind { kinds[item] ?? .other }

    /// Returns the entry of an item in the list of items.
    func entry(of item: Int) -> ByteReader.Box? { entries[item] }

    /// Returns the four bytes of an item's type, or fewer if its entry is cut short.
    func type(of item: Int) -> ByteReader? { entries[item].map { Self.type(in: $0.content) } }

    private static func type(in entry: ByteReader) -> ByteReader {
        let start = entry.uint8(at: 0) == 2 ? 8 : 10
        return entry.slice(start..<start + 4)
    }

    func location(of item: Int) -> Location? { locations[item] }

    /// Returns the bytes of an item, or `nil` if some are missing, or there are more than `limit`.
    func content(of item: Int, limit: Int) -> [UInt8]? {
        guard let location = locations[item] else { return nil }
        var content: [UInt8] = []
        for extent in location.extents {
            guard extent.upperBound <= location.source.count, extent.count <= limit - content.count else { return nil }
            content += location.source.slice(extent).copy()
        }
        return content
    }

    /// Returns the items of this kind, in ascending order.
    func all(_ kind: Kind) -> [Int] { kinds.filter { $0.value == kind }.keys.sorted() }

    /// Returns the properties of an item in their order, or `nil` if one does not exist.
    func properties(of item: Int) -> [Property]? {
        var properties: [Property] = []
        for (index, isEssential) in associations[item] ?? [] where index > 0 {
            guard index <= boxes.count else { return nil }
            properties.append(Property(box: boxes[index - 1], isEssential: isEssential))
        }
        return properties
    }

    /// Returns the kinds of an auxiliary image, which are names such as "urn:mpeg:hevc:2015:auxid:1".
    func auxiliaryKinds(of item: Int) -> [AuxiliaryKind] {
        (associations[item] ?? []).compactMap { index, _ in
            guard index > 0, index <= boxes.count, boxes[index - 1].isOf("auxC") else { return nil }
            return AuxiliaryKind(content: boxes[index - 1].content)
        }
    }

    /// Returns the boxes of the properties that no other items have.
    func properties(onlyOf items: Set<Int>) -> [ByteReader.Box] {
        var (own, others) = (Set<Int>(), Set<Int>())
        for (item, properties) in associations {
            let indices = properties.map(\.index).filter { $0 > 0 && $0 <= boxes.count }
            if items.contains(item) { own.formUnion(indices) } else { others.formUnion(indices) }
        }
        return own.subtracting(others).map { boxes[$0 - 1] }
    }

    /// Reads the types of items (8.11.6).
    private mutating func read(entries list: ByteReader) -> Bool {
        for box in list.typedBoxes("infe", from: list.uint8(at: 0) == 0 ? 6 : 8) {
            let entry = box.content
            guard let version = entry.uint8(at: 0), version == 2 || version == 3 else { return false }
            let width = version == 2 ? 2 : 4
            guard let item = entry.number(at: 4, bytes: width), kinds[item] == nil else { return false }
            entries[item] = box
            let isProtected = entry.uint16(at: 4 + width) != 0
            kinds[item] = isProtected ? .other : Self.kind(named: Self.type(in: entry))
        }
        return true
    }

    private static func kind(named type: ByteReader) -> Kind {
        let kinds: [(StaticString, Kind)] = [
            ("grid", .grid), ("hvc1", .hevc), ("av01", .av1), ("tmap", .toneMap), ("Exif", .exif), ("mime", .text),
        ]
        return kinds.first { type.has($0.0, at: 0) }?.1 ?? .other
    }

    /// Reads where items are (8.11.3).
    private mutating func read(places list: ByteReader, in file: ByteReader, _ data: ByteReader?) -> Bool {
        guard let version = list.uint8(at: 0), version < 3, let sizes = list.uint16(at: 4) else { return false }
        let (offsetBytes, lengthBytes, baseBytes) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexBytes = version == 0 ? 0 : sizes & 15
        let width = version < 2 ? 2 : 4
        let extentBytes = indexBytes + offsetBytes + lengthBytes
        guard lengthBytes > 0, let count = list.number(at: 6, bytes: width) else { return false }
        var place = 6 + width
        for _ in 0..<count {
            guard let item = list.number(at: place, bytes: width), locations[item] == nil else { return false }
            place += width
            // From version 1 on: 0 for an offset in the file, 1 for one in the idat box.
            let method = version == 0 ? 0 : list.uint16(at: place).map { $0 & 15 }
            place += version == 0 ? 0 : 2
            guard let method, let otherFile = list.uint16(at: place),
                let base = list.number(at: place + 2, bytes: baseBytes),
                let extents = list.uint16(at: place + 2 + baseBytes)
            else { return false }
            place += 4 + baseBytes
            guard extents <= Self.mostExtents, extents * extentBytes <= list.count - place else { return false }
            var ranges: [Range<Int>] = []
            for start in stride(from: place, to: place + extents * extentBytes, by: extentBytes) {
                guard let offset = list.number(at: start + indexBytes, bytes: offsetBytes),
                    let length = list.number(at: start + indexBytes + offsetBytes, bytes: lengthBytes)
                else { return false }
                ranges.append(base + offset..<base + offset + length)
            }
            place += extents * extentBytes
            guard otherFile == 0, method < 2, let source = method == 0 ? file : data else { continue }
            locations[item] = Location(source: source, extents: ranges)
        }
        return true
    }

    /// Reads the properties of each item, as numbers of the boxes in ipco (ISO/IEC 23008-12, 9.3).
    private mutating func read(associations list: ByteReader) -> Bool {
        guard let version = list.uint8(at: 0), let flags = list.uint8(at: 3), let count = list.uint32(at: 4) else {
            return false
        }
        let width = version == 0 ? 2 : 4
        let indexBytes = flags & 1 == 0 ? 1 : 2
        var place = 8
        for _ in 0..<count {
            guard let item = list.number(at: place, bytes: width), let properties = list.uint8(at: place + width),
                properties <= Self.mostProperties, associations[item] == nil
            else { return false }
            place += width + 1
            var indices: [(Int, Bool)] = []
            for _ in 0..<properties {
                guard let number = indexBytes == 1 ? list.uint8(at: place) : list.uint16(at: place) else {
                    return false
                }
                // The highest bit is the essential flag.
                let flag = 1 << (8 * indexBytes - 1)
                indices.append((number & (flag - 1), number & flag != 0))
                place += indexBytes
            }
            associations[item] = indices
        }
        return true
    }
}

extension ByteReader {
    /// Returns the content of the box of this type, or `nil` if there is none, or more than one.
    fileprivate func onlyBox(_ type: StaticString, from offset: Int) -> ByteReader? {
        let found = boxes(type, from: offset)
        return found.count == 1 ? found[0] : nil
    }

    /// The groups "altr" of a list (ISO/IEC 14496-12, 8.18).
    fileprivate var alternatives: [[Int]] {
        boxes("altr", from: 0).prefix(64).map { group in
            let count = min(group.uint32(at: 8) ?? 0, 1 << 10)
            return (0..<count).compactMap { group.uint32(at: 12 + 4 * $0) }
        }
    }

    /// Returns a number of 0, 2, 4 or 8 bytes, or `nil` for other sizes, and for 2^48 and more: no file is that long,
    /// and sums of such numbers do not overflow.
    fileprivate func number(at offset: Int, bytes: Int) -> Int? {
        switch bytes {
        case 0: return 0
        case 2: return uint16(at: offset)
        case 4: return uint32(at: offset)
        case 8:
            guard let high = uint32(at: offset), high < 1 << 16, let low = uint32(at: offset + 4) else {
                return nil
            }
            return high << 32 | low
        default: return nil
        }
    }
}
