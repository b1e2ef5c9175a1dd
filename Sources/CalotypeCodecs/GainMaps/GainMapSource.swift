import Foundation

/// A gain map in a file, found and checked but not decoded.
package struct GainMapSource: Sendable {
    /// The standard or the maker's form in which a file states the numbers.
    package enum Dialect: String, Sendable {
        case iso = "ISO 21496-1", adobe = "Ultra HDR", apple = "Apple"
    }

    package let dialect: Dialect
    package let numbers: GainMapNumbers
    /// Whether the file states other numbers in another form, too.
    package let isAmbiguous: Bool
    /// Where the map's image is in the file.
    let place: Place
    /// The header of the map's image, which is not turned.
    let header: ImageHeader
    /// The size of the map's image in bytes.
    let byteCount: Int
    package let isGray: Bool
    /// For each stored value, the value that ``numbers`` are about; `nil` if the stored ones are these.
    let table: [UInt8]?
    /// The profile of the colors to which the gain applies; `nil` if these are the colors of the result, or make no difference.
    let profile: [UInt8]?

    enum Place: Sendable {
        /// A JPEG behind the base.
        case range(Range<Int>)
        /// An item beside the base.
        case item(Int, base: StoredPart, orientation: Int)
    }

    /// A part of an image before it is turned.
    struct StoredPart: Sendable {
        let rect: PixelRect
        let whole: PixelSize
    }

    /// The range of the map's image in a JPEG; `nil` in other formats.
    package var range: Range<Int>? {
        if case .range(let range) = place { range } else { nil }
    }

    /// The size of the map in pixels.
    package var size: PixelSize { header.stored }
}

/// The reason why a gain map is not kept.
package enum GainMapFault: String, Error, CaseIterable, Sendable {
    /// The map lies outside the file, or inside the base.
    case place
    /// What is there is not an image that the decoder supports.
    case image
    /// The map has other proportions than the base, or more than twice its sides.
    case size
    /// The map is turned, mirrored or cropped in another way than the base.
    case orientation
    /// A number is missing, wrong or out of range.
    case numbers
    /// The profile of the colors to which the gain applies is larger than others of its kind, or there is none for them.
    case profile
    /// The map's pixels cannot be decoded.
    case damage
}

extension GainMapSource {
    /// Finds the gain map of a JPEG. Reads headers only, and each byte of the file twice at most.
    ///
    /// - Returns: `nil` if the file has none.
    /// - Throws: The reason why the map that the file announces is of no use.
    static func find(
        in file: ByteReader, _ segments: JPEGSegments
    ) throws(GainMapFault) -> GainMapSource? {
        guard let base = segments.frame else { return nil }
        let directory = XMPProperties(segments, in: file)
        var fault: GainMapFault?
        for place in places(in: file, segments, directory) {
            guard place.range.lowerBound > segments.scanOffset, place.range.upperBound <= file.count else {
                fault = fault ?? .place
                continue
            }
            let image = file.slice(place.range)
            guard let parts = JPEGSegments(image) else {
                fault = fault ?? .image
                continue
            }
            let xmp = XMPProperties(parts, in: image)
            let exif = segments.exif.map { file.slice($0) }
            guard let statement = try Statement(parts, xmp, in: image, exif) else {
                // It may be a preview, the other eye's view, or a map of depths.
                if place.isNamed { fault = fault ?? .numbers }
                continue
            }
            return try GainMapSource(statement, parts, at: place.range, of: segments, base)
        }
        // A file whose index lists only previews does not announce a map.
        guard let fault, segments.gainMap != nil || directory.has(XMPProperties.gainMap) else { return nil }
        throw fault
    }

    /// Returns whether the base's own segments say that a map follows.
    static func announces(_ file: ByteReader, _ segments: JPEGSegments) -> Bool {
        segments.gainMap != nil || XMPProperties(segments, in: file).has(XMPProperties.gainMap)
    }

    /// Returns the places of images behind the base: those of the index, then that of the directory in XMP, which is right where a
    /// program has moved the images and left the index as it was.
    private static func places(
        in file: ByteReader, _ segments: JPEGSegments, _ directory: XMPProperties
    ) -> [(range: Range<Int>, isNamed: Bool)] {
        let listed = segments.furtherImages.map { MPFIndex(file, at: $0).images } ?? []
        var places = listed.map { (range: $0, isNamed: false) }
        if let named = directory.gainMapRange(inFileOf: file.count), !listed.contains(named) {
            places.append((named, true))
        }
        return places
    }

    private init(
        _ statement: Statement, _ parts: JPEGSegments, at range: Range<Int>, of file: JPEGSegments,
        _ base: JPEGSegments.Frame
    ) throws(GainMapFault) {
        guard let frame = parts.frame, frame.isSupported, !frame.isCMYK else { throw .image }
        let size = PixelSize(width: frame.width, height: frame.height)
        guard Self.fits(size, PixelSize(width: base.width, height: base.height)) else { throw .size }
        // The base becomes darker, and its map does not fit.
        guard file.profile()?.highRange == nil else { throw .profile }
        let isGray = frame.sampling.count == 1
        let profile = Self.profile(statement.numbers, isGray: isGray, map: parts, base: file)
        guard profile?.count ?? 0 <= Self.longestProfile else { throw .profile }
        var numbers = statement.numbers
        numbers.usesBaseColors = profile == nil
        let header = ImageHeader(
            format: .jpeg, width: size.width, height: size.height,
            isProgressive: frame.isProgressive || parts.firstScanComponents < frame.sampling.count,
            samplesPerPixel: frame.samplesPerPixel)
        self.init(
            dialect: statement.dialect, numbers: numbers, isAmbiguous: statement.isAmbiguous, place: .range(range),
            header: header, byteCount: range.count, isGray: isGray, table: statement.table, profile: profile)
    }

    /// The longest profile in bytes. Those of cameras have about 600.
    static let longestProfile = 4096

    private static func profile(
        _ numbers: GainMapNumbers, isGray: Bool, map: JPEGSegments, base: JPEGSegments
    ) -> [UInt8]? {
        // The same gain for all colors has the same effect with all primaries.
        guard !isGray || numbers.channels.count > 1 else { return nil }
        // The base is converted to sRGB, so that its own colors become others for the map.
        guard numbers.usesBaseColors, let own = base.profile() else {
            return numbers.usesBaseColors ? nil : map.profile()?.bytes
        }
        return own.isSRGB || own.space != .rgb ? nil : own.bytes
    }

    /// Returns whether the map's proportions are the base's, except for rounding, and its sides are at most twice as long.
    static func fits(_ map: PixelSize, _ base: PixelSize) -> Bool {
        guard map.width > 0, map.height > 0, map.width <= 2 * base.width + 1, map.height <= 2 * base.height + 1
        else { return false }
        let width = Double(map.height) * Double(base.width) / Double(base.height)
        let height = Double(map.width) * Double(base.height) / Double(base.width)
        return abs(width - Double(map.width)) <= max(2, width / 50)
            || abs(height - Double(map.height)) <= max(2, height / 50)
    }
}

/// What the image of a map states about itself.
private struct Statement {
    let dialect: GainMapSource.Dialect
    let numbers: GainMapNumbers
    var isAmbiguous = false
    var table: [UInt8]?

    /// Returns `nil` if the image is no gain map.
    init?(
        _ parts: JPEGSegments, _ xmp: XMPProperties, in image: ByteReader, _ exif: ByteReader?
    ) throws(GainMapFault) {
        let adobe = xmp.has(XMPProperties.gainMap) ? GainMapNumbers(xmp) : nil
        if let range = parts.gainMap {
            guard let iso = GainMapNumbers(iso: image.slice(range)) else { throw .numbers }
            (dialect, numbers) = (.iso, iso)
            isAmbiguous = adobe.map { !$0.agree(with: iso) } ?? false
        } else if xmp.values(XMPProperties.gainMap, "GainMapMax") != nil {
            guard let adobe else { throw .numbers }
            (dialect, numbers) = (.adobe, adobe)
        } else if xmp.values(XMPProperties.applePixels, "AuxiliaryImageType")?.first == AppleGainMap.kind {
            guard let apple = AppleGainMap(xmp, exif: exif), let numbers = apple.numbers else { throw .numbers }
            (dialect, self.numbers, table) = (.apple, numbers, apple.table)
        } else {
            return nil
        }
    }
}

extension XMPProperties {
    /// Reads the first packet of an image.
    init(_ segments: JPEGSegments, in image: ByteReader) {
        let packet = segments.xmp.flatMap { range in
            image.bytes(at: range.lowerBound + Self.nameBytes, count: range.count - Self.nameBytes)
        }
        // Editors write packets of 64 KB that are about other things.
        guard let packet, Self.words.contains(where: { ByteReader(packet).contains($0) }) else {
            self.init(UnsafeRawBufferPointer(start: nil, count: 0))
            return
        }
        self.init(packet)
    }

    /// Words of which each packet about a gain map has one.
    private static let words: [StaticString] = ["gain-map", "GainMap", "hdrgainmap"]

    /// The length of the name in front of a packet in a JPEG.
    private static let nameBytes = 29

    /// Returns the place of the gain map that the directory names: images lie at the end of the file, in its order.
    fileprivate func gainMapRange(inFileOf count: Int) -> Range<Int>? {
        var (end, found) = (count, Range<Int>?.none)
        for item in directory.reversed() {
            guard let length = item.length, length > 0, length <= end - item.padding else { break }
            let range = end - item.padding - length..<end - item.padding
            if item.isGainMap { found = range }
            end = range.lowerBound
        }
        return found
    }

    /// The images of the directory, of which the first is the base.
    private var directory: [(isGainMap: Bool, length: Int?, padding: Int)] {
        var items: [(isGainMap: Bool, length: Int?, padding: Int)] = []
        for property in all {
            if property.namespace == Self.container, property.name == "Item" { items.append((false, nil, 0)) }
            guard property.namespace == Self.items, !items.isEmpty, let value = property.values.first else { continue }
            if property.name == "Semantic" { items[items.count - 1].isGainMap = value == "GainMap" }
            if property.name == "Length" { items[items.count - 1].length = Int(value) }
            if property.name == "Padding" { items[items.count - 1].padding = max(Int(value) ?? 0, 0) }
        }
        return items
    }
}

extension Range<Int> {
    /// Returns the range without its first elements.
    func dropFirst(_ count: Int) -> Range<Int> { Swift.min(lowerBound + count, upperBound)..<upperBound }
}
