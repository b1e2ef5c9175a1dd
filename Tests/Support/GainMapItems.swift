package import Foundation

/// A HEIC or AVIF of a base and its gain map, whose boxes a test chooses. libheif 1.15 and libavif 1.0 write none.
package struct GainMapItems {
    /// A coded image: the only item of a file of libheif or libavif, or a grid of such items.
    package struct Image {
        package var tiles: [Data]
        package var width: Int
        package var height: Int
        /// The number of tiles in a row; `nil` for a single item.
        package var columns: Int?
        package var tileSize: (width: Int, height: Int)
        /// Boxes of properties, such as irot.
        package var properties: [Data] = []
        /// Boxes of properties in place of those of their type; an empty list removes these.
        package var replaced: [String: [Data]] = [:]
        /// The number of a further property, which the file may lack.
        package var strayProperty: Int?

        package init(_ file: Data, width: Int, height: Int) {
            (tiles, self.width, self.height, tileSize) = ([file], width, height, (width, height))
        }
    }

    /// The place that tests damage: of the map, or of the metadata.
    package enum Lie { case none, outside, atBase, metadataOutside }

    package typealias Reference = (type: String, from: Int, to: [Int])

    package var base: Image
    package var map: Image
    /// The numbers of ISO 21496-1; `nil` for a file without a derived image.
    package var iso: Data?
    /// The properties of the derived image besides its size.
    package var alternateProperties: [Data] = []
    /// The items that the derived image is made of: 0 is the base, 1 the map.
    package var derivedFrom = [0, 1]
    /// Whether readers prefer the derived image to the base.
    package var isPreferred = true
    /// Whether the map is Apple's auxiliary image, too.
    package var isApples = false
    /// The XMP of the map.
    package var xmp: Data?
    /// The EXIF block of the base.
    package var exif: Data?
    package var lie = Lie.none
    /// Further auxiliary images of the base, with their kinds. Their items are the last ones.
    package var auxiliaries: [(image: Image, kind: String)] = []
    /// Further references. The item 1 is the base, 2 the map.
    package var references: [Reference] = []
    /// The number of bytes of the map's entry in the list of items; `nil` for all.
    package var entryLength: Int?
    /// Whether the map has no place in the file.
    package var isNowhere = false
    /// Whether readers must know all properties of an item.
    package var hasEssentialProperties = false

    package init(base: Image, map: Image, iso: Data?) { (self.base, self.map, self.iso) = (base, map, iso) }

    package static func irot(_ quarterTurns: UInt8) -> Data { box("irot", Data([quarterTurns])) }

    package static func imir(_ axis: UInt8) -> Data { box("imir", Data([axis])) }

    /// The property of a clean aperture of this size, whose center is that of the image moved by `x` and `y`.
    package static func clap(width: Int, height: Int, x: (Int, Int) = (0, 1), y: (Int, Int) = (0, 1)) -> Data {
        let numbers = [width, 1, height, 1, x.0, x.1, y.0, y.1]
        return box("clap", numbers.reduce(Data()) { $0 + number($1) })
    }

    package static func nclx(primaries: Int, transfer: Int) -> Data {
        box("colr", Data("nclx".utf8) + [0, UInt8(primaries), 0, UInt8(transfer), 0, 6, 0x80])
    }

    package static func profile(_ bytes: Data) -> Data { box("colr", Data("prof".utf8) + bytes) }

    package static func box(_ type: String, _ content: Data) -> Data {
        number(8 + content.count) + Data(type.utf8) + content
    }

    // MARK: - The file

    private struct Item {
        var type: String
        var content: Data
        var properties: [Data] = []
        var isHidden = false
        var strayProperty: Int?
    }

    /// The file. The base is the first item, the map the second; tiles, the derived image and metadata follow.
    package var data: Data {
        var (items, references) = ([Item](), references)
        let derived = alternate
        items = [top(base, []), top(map, isApples ? [Self.auxC("urn:com:apple:photo:2020:aux:hdrgainmap")] : [])]
        for (index, image) in [base, map].enumerated() where image.columns != nil {
            let first = items.count + 1
            items += image.tiles.map { tile(image, $0, []) }
            references.append(("dimg", index + 1, Array(first..<first + image.tiles.count)))
        }
        if let derived {
            items.append(derived)
            references.append(("dimg", items.count, derivedFrom.map { $0 + 1 }))
        }
        let preferred = items.count
        if isApples { references.append(("auxl", 2, [1])) }
        if let exif {
            items.append(Item(type: "Exif", content: Data(count: 4) + exif, isHidden: true))
            references.append(("cdsc", items.count, [1]))
        }
        if let xmp {
            items.append(Item(type: "mime", content: xmp, isHidden: true))
            references.append(("cdsc", items.count, [2]))
        }
        for (image, kind) in auxiliaries {
            items.append(top(image, [Self.auxC(kind)]))
            references.append(("auxl", items.count, [1]))
        }
        let group = derived == nil ? [] : isPreferred ? [preferred, 1] : [1, preferred]
        let start = boxes(items, references, group, dataAt: 0).count + 8
        let content = Data(items.map(\.content).joined())
        return boxes(items, references, group, dataAt: start) + Self.box("mdat", content)
    }

    private var alternate: Item? {
        iso.map {
            Item(
                type: "tmap", content: [0] + $0,
                properties: [Self.extent(base.width, base.height)] + alternateProperties)
        }
    }

    private static func auxC(_ kind: String) -> Data { box("auxC", Data(count: 4) + Data("\(kind)\0".utf8)) }

    private func top(_ image: Image, _ more: [Data]) -> Item {
        guard let columns = image.columns else { return tile(image, image.tiles[0], image.properties + more) }
        let rows = image.tiles.count / columns
        var shape = Data([0, 0, UInt8(rows - 1), UInt8(columns - 1)])
        shape += Self.short(image.width) + Self.short(image.height)
        return Item(
            type: "grid", content: shape,
            properties: image.replacing([Self.extent(image.width, image.height)] + image.properties + more),
            strayProperty: image.strayProperty)
    }

    private func tile(_ image: Image, _ file: Data, _ more: [Data]) -> Item {
        let codec = file.boxContent("hvcC") == nil ? "av1C" : "hvcC"
        let size = Self.extent(image.tileSize.width, image.tileSize.height)
        var properties: [Data] = [Self.box(codec, file.boxContent(codec) ?? Data()), size]
        let replacesColors = more.contains { $0.dropFirst(4).starts(with: Data("colr".utf8)) }
        if !replacesColors, let colors = file.boxContent("colr") { properties.append(Self.box("colr", colors)) }
        return Item(
            type: codec == "hvcC" ? "hvc1" : "av01", content: file.boxContent("mdat") ?? Data(),
            properties: image.replacing(properties + more), isHidden: image.columns != nil,
            strayProperty: image.strayProperty)
    }

    private func boxes(
        _ items: [Item], _ references: [Reference], _ group: [Int], dataAt start: Int
    ) -> Data {
        var (offset, places, entries, associations) = (start, Data(), Data(), Data())
        var properties: [Data] = []
        for (index, item) in items.enumerated() {
            var place = (offset, item.content.count)
            if index == 1, lie == .outside { place = (1 << 30, 100) }
            if index == 1, lie == .atBase { place = (start, items[0].content.count) }
            if ["mime", "Exif"].contains(item.type), lie == .metadataOutside { place = (1 << 30, 100) }
            places += Self.short(index == 1 && isNowhere ? 1000 : index + 1) + Self.short(0) + Self.short(1)
            places += Self.number(place.0) + Self.number(place.1)
            offset += item.content.count
            var entry = Data([2, 0, 0, item.isHidden ? 1 : 0]) + Self.short(index + 1) + Data([0, 0])
            entry += Data(item.type.utf8)
            entry += item.type == "mime" ? Data("\0application/rdf+xml\0".utf8) : Data([0])
            entries += Self.box("infe", index == 1 ? entry.prefix(entryLength ?? entry.count) : entry)
            let count = item.properties.count + (item.strayProperty == nil ? 0 : 1)
            associations += Self.short(index + 1) + Data([UInt8(count)])
            for property in item.properties {
                if !properties.contains(property) { properties.append(property) }
                let place = (properties.firstIndex(of: property) ?? 0) + 1
                associations += Self.short(hasEssentialProperties ? place | 0x8000 : place)
            }
            if let stray = item.strayProperty { associations += Self.short(stray) }
        }
        let zeros = Data(count: 4)
        var lists = Data()
        for reference in references {
            var content = Self.short(reference.from) + Self.short(reference.to.count)
            for item in reference.to { content += Self.short(item) }
            lists += Self.box(reference.type, content)
        }
        let handler: Data = zeros + zeros + Data("pict".utf8) + Data(count: 13)
        var meta = zeros + Self.box("hdlr", handler)
        meta += Self.box("pitm", zeros + Self.short(1))
        meta += Self.box("iloc", Data([0, 0, 0, 0, 0x44, 0]) + Self.short(items.count) + places)
        meta += Self.box("iinf", zeros + Self.short(items.count) + entries)
        let heads = Data([0, 0, 0, 1]) + Self.number(items.count)
        meta += Self.box(
            "iprp", Self.box("ipco", Data(properties.joined())) + Self.box("ipma", heads + associations))
        meta += Self.box("iref", zeros + lists)
        if !group.isEmpty {
            var members = zeros + Self.number(1 << 10) + Self.number(group.count)
            for item in group { members += Self.number(item) }
            meta += Self.box("grpl", Self.box("altr", members))
        }
        let isAVIF = base.tiles[0].boxContent("av1C") != nil
        let brands = isAVIF ? "avif\0\0\0\0avifmif1miaftmap" : "heic\0\0\0\0mif1heictmap"
        return Self.box("ftyp", Data(brands.utf8)) + Self.box("meta", meta)
    }

    private static func extent(_ width: Int, _ height: Int) -> Data {
        box("ispe", Data(count: 4) + number(width) + number(height))
    }

    private static func number(_ value: Int) -> Data {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian) { Data($0) }
    }

    private static func short(_ value: Int) -> Data {
        withUnsafeBytes(of: UInt16(truncatingIfNeeded: value).bigEndian) { Data($0) }
    }
}

extension GainMapItems.Image {
    /// Returns these properties, and boxes in place of some.
    fileprivate func replacing(_ properties: [Data]) -> [Data] {
        properties.flatMap { property -> [Data] in
            replaced[String(decoding: property.dropFirst(4).prefix(4), as: UTF8.self)] ?? [property]
        }
    }
}

extension Data {
    /// Returns the content of the first box of this type, at any depth.
    package func boxContent(_ type: String) -> Data? {
        guard let name = range(of: Data(type.utf8)), name.lowerBound >= startIndex + 4 else { return nil }
        let size = self[(name.lowerBound - 4)..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
        return Data(self[name.upperBound..<Swift.min(name.lowerBound - 4 + size, endIndex)])
    }
}
