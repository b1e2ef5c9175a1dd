import Foundation

/// The gain maps of HEIC and AVIF: an image derived from base and map by ISO 21496-1 (`tmap`, ISO/IEC 23008-12, 6.6.2.4), or Apple's
/// auxiliary image.
extension GainMapSource {
    /// Finds the gain map of a file's primary image. Reads no coded image.
    ///
    /// - Returns: `nil` if the image has none.
    /// - Throws: The reason why the map that the file announces is of no use.
    static func find(inItemsOf file: ByteReader) throws(GainMapFault) -> GainMapSource? {
        guard file.announcesGainMap else { return nil }
        // Lists that two readers may understand in two ways.
        guard let items = HEIFItems(file) else { throw .place }
        guard let statement = try Statement(items, in: file) else { return nil }
        guard let map = ItemImage(statement.item, of: items) else { throw .image }
        return try GainMapSource(statement, map, items)
    }

    private init(_ statement: Statement, _ map: ItemImage, _ items: HEIFItems) throws(GainMapFault) {
        let properties = items.properties(of: items.primary) ?? []
        guard let base = HEIFTransformations(properties), let stored = properties.last(where: { $0.isOf("ispe") }),
            let width = stored.box.content.uint32(at: 4), let height = stored.box.content.uint32(at: 8)
        else { throw .place }
        let size = PixelSize(width: width, height: height)
        guard Self.fits(map.size, size) else { throw .size }
        let crop = try Self.crop(of: size, base, map)
        guard !properties.contains(where: \.isHDR) else { throw .profile }
        var numbers = statement.numbers
        let isGray = map.isGray
        let profile = try Self.profile(
            numbers, isGray: isGray, base: properties, alternate: statement.alternate.flatMap(items.properties) ?? [])
        numbers.usesBaseColors = profile == nil
        self.init(
            dialect: statement.dialect, numbers: numbers, isAmbiguous: statement.isAmbiguous,
            place: .item(statement.item, base: crop, orientation: base.orientation), header: map.header,
            byteCount: map.byteCount, isGray: isGray, table: statement.table, profile: profile)
    }

    /// Returns the part of the stored base that is seen, of which the map shows the same part.
    private static func crop(
        of size: PixelSize, _ base: HEIFTransformations, _ map: ItemImage
    ) throws(GainMapFault) -> StoredPart {
        let own = map.transformations
        guard base.orientation == own.orientation, base.isCropped == own.isCropped, let seen = base.area(of: size),
            let other = own.area(of: map.size)
        else { throw .orientation }
        let x = Double(size.width) / Double(map.size.width), y = Double(size.height) / Double(map.size.height)
        let isSame =
            abs(other.x * x - seen.x) <= x && abs(other.y * y - seen.y) <= y
            && abs(other.width * x - seen.width) <= x && abs(other.height * y - seen.height) <= y
        guard isSame else { throw .orientation }
        // Apertures between pixels are rounded by each library in its own way.
        let rect = PixelRect(
            x: Int(seen.x.rounded()), y: Int(seen.y.rounded()), width: Int(seen.width.rounded()),
            height: Int(seen.height.rounded()))
        return StoredPart(rect: rect, whole: size)
    }

    private static func profile(
        _ numbers: GainMapNumbers, isGray: Bool, base: [HEIFItems.Property], alternate: [HEIFItems.Property]
    ) throws(GainMapFault) -> [UInt8]? {
        guard !isGray || numbers.channels.count > 1 else { return nil }
        let profile = try (numbers.usesBaseColors ? base : alternate).gainMapProfile()
        guard profile?.count ?? 0 <= longestProfile else { throw .profile }
        return profile
    }
}

/// What the items of a file state about the gain map of the primary image.
private struct Statement {
    let dialect: GainMapSource.Dialect
    let numbers: GainMapNumbers
    /// The item of the map.
    let item: Int
    /// The item whose colors are those of the brighter rendition.
    var alternate: Int?
    var isAmbiguous = false
    var table: [UInt8]?

    /// The numbers of three channels take 142 bytes. Later versions may add some.
    private static let longestNumbers = 4096
    private static let longestEXIF = 1 << 20
    private static let longestXMP = 1 << 16

    /// Returns `nil` if no image of the file is a gain map of the primary one.
    init?(_ items: HEIFItems, in file: ByteReader) throws(GainMapFault) {
        let apple = Self.appleItem(of: items)
        guard let tone = Self.toneMap(of: items) else {
            guard let apple else { return nil }
            guard let map = Self.apple(apple, items, file), let numbers = map.numbers else { throw .numbers }
            (dialect, self.numbers, item, table) = (.apple, numbers, apple, map.table)
            return
        }
        guard let content = items.content(of: tone.item, limit: Self.longestNumbers) else { throw .place }
        let numbers = content.withUnsafeBytes { bytes in
            let reader = ByteReader(bytes)
            return reader.uint8(at: 0) == 0 ? GainMapNumbers(iso: reader.slice(1..<bytes.count)) : nil
        }
        guard let numbers else { throw .numbers }
        (dialect, self.numbers, item, alternate) = (.iso, numbers, tone.map, tone.item)
        guard let apple, let other = Self.apple(apple, items, file)?.numbers else { return }
        // The values of both are about different curves; the light that they allow must be the same.
        isAmbiguous = abs(other.alternateHeadroom - numbers.alternateHeadroom) > 0.1
    }

    /// Returns the derived image of the primary image and a map, which readers show rather than the primary image.
    private static func toneMap(of items: HEIFItems) -> (item: Int, map: Int)? {
        for item in items.all(.toneMap) {
            guard let parts = items.references.parts[item], parts.count == 2, parts[0] == items.primary,
                parts[1] != items.primary
            else { continue }
            let isPreferred = items.alternatives.contains { group in
                guard let own = group.firstIndex(of: item), let base = group.firstIndex(of: items.primary) else {
                    return false
                }
                return own < base
            }
            if isPreferred { return (item, parts[1]) }
        }
        return nil
    }

    private static func appleItem(of items: HEIFItems) -> Int? {
        items.references.auxiliaries[items.primary, default: []].first { item in
            items.auxiliaryKinds(of: item).contains(where: \.isAppleGainMap)
        }
    }

    private static func apple(_ item: Int, _ items: HEIFItems, _ file: ByteReader) -> AppleGainMap? {
        func content(of kind: HEIFItems.Kind, about item: Int, limit: Int) -> [UInt8]? {
            items.references.descriptions[item]?.first { items.kind(of: $0) == kind }
                .flatMap { items.content(of: $0, limit: limit) }
        }
        let packet = content(of: .text, about: item, limit: longestXMP) ?? []
        let exif = content(of: .exif, about: items.primary, limit: longestEXIF) ?? []
        return packet.withUnsafeBytes { packet in
            exif.withUnsafeBytes { exif in
                let block = ByteReader(exif)
                // The offset of the block precedes it.
                let start = 4 + (block.uint32(at: 0) ?? 0)
                let isThere = start < block.count
                return AppleGainMap(
                    XMPProperties(packet), exif: isThere ? block.slice(start..<block.count) : nil)
            }
        }
    }
}

extension HEIFItems.Property {
    /// Whether the property says that the image is brighter than paper white: it becomes darker, and its map does not fit.
    fileprivate var isHDR: Bool {
        if isNCLX { return [16, 18].contains(box.content.uint16(at: 6)) }
        return profile.flatMap { ColorProfile($0.copy()) }?.highRange != nil
    }

    /// The bytes of a profile; `nil` if the property is another one.
    fileprivate var profile: ByteReader? {
        guard isOf("colr"), box.content.has("prof", at: 0) || box.content.has("rICC", at: 0) else { return nil }
        return box.content.slice(4..<box.content.count)
    }
}

extension [HEIFItems.Property] {
    /// Returns the profile of an image's colors, to which a gain applies; `nil` if they are sRGB.
    fileprivate func gainMapProfile() throws(GainMapFault) -> [UInt8]? {
        if let content = compactMap(\.profile).last, content.count > 0 {
            guard let own = ColorProfile(content.copy()) else { return nil }
            return own.isSRGB || own.space != .rgb ? nil : own.bytes
        }
        guard let primaries = last(where: \.isNCLX)?.box.content.uint16(at: 4) else { return nil }
        switch primaries {
        case 1, 2: return nil
        case 9: return [UInt8](GamutProfile.bt2020)
        case 12: return [UInt8](GamutProfile.displayP3)
        default: throw .profile
        }
    }
}
