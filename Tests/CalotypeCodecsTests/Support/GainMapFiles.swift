import CTurboJPEG
import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing

/// JPEGs with gain maps, as cameras and programs write them, and such as nobody should.
struct GainMapFile {
    /// The numbers of ISO 21496-1: fractions in the order of the standard.
    struct ISO {
        var flags: UInt8 = 0x40
        var minimumVersion = 0
        /// The headrooms of base and alternate, then for each channel the least and the most gain, gamma, and both offsets.
        var fractions: [(Int, Int)]

        /// A map of up to two stops.
        static let plain = ISO(fractions: [(0, 1), (2, 1), (0, 1), (2, 1), (1, 1), (1, 64), (1, 64)])

        func replacing(_ index: Int, _ numerator: Int, _ denominator: Int = 1) -> ISO {
            var other = self
            other.fractions[index] = (numerator, denominator)
            return other
        }

        var bytes: Data {
            fractions.reduce(
                Data([UInt8(minimumVersion >> 8), UInt8(minimumVersion & 255), 0, 0, flags])
            ) { $0.bigEndian($1.0, bytes: 4).bigEndian($1.1, bytes: 4) }
        }
    }

    enum Index { case mpf, directory, both }

    var base: Data
    var map: Data
    var iso: Data? = ISO.plain.bytes
    /// The attributes of Adobe's namespace, such as `hdrgm:GainMapMax="2"`.
    var hdrgm: String?
    /// Further XML in the description of the map.
    var mapXML = ""
    var index = Index.mpf
    /// The place of the map in the index, in place of the true one.
    var place: (offset: Int, size: Int)?
    /// The number of other images that the index lists in front of the map, all of them the base.
    var otherImages = 0

    static let isoName = Data("urn:iso:std:iso:ts:21496:-1\0".utf8)
    static let xmpName = Data("http://ns.adobe.com/xap/1.0/\0".utf8)
    static let plainHDRGM = #"hdrgm:GainMapMin="0" hdrgm:GainMapMax="2" hdrgm:HDRCapacityMax="2""#

    static func xmp(_ attributes: String, _ content: String = "") -> Data {
        let namespaces = [
            "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "hdrgm": "http://ns.adobe.com/hdr-gain-map/1.0/",
            "Container": "http://ns.google.com/photos/1.0/container/",
            "Item": "http://ns.google.com/photos/1.0/container/item/",
            "apdi": "http://ns.apple.com/pixeldatainfo/1.0/", "HDRGainMap": "http://ns.apple.com/HDRGainMap/1.0/",
        ].map { " xmlns:\($0)=\"\($1)\"" }.joined()
        let text =
            "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF\(namespaces)>"
            + "<rdf:Description \(attributes)>\(content)</rdf:Description></rdf:RDF></x:xmpmeta>"
        return xmpName + Data(text.utf8)
    }

    private var mapImage: Data {
        var image = map
        if let iso { image = image.addingSegment(0xE2, Self.isoName + iso) }
        if hdrgm != nil || !mapXML.isEmpty {
            let version = hdrgm == nil ? "" : "hdrgm:Version=\"1.0\" "
            image = image.addingSegment(0xE1, Self.xmp(version + (hdrgm ?? ""), mapXML))
        }
        return image
    }

    /// The file.
    var data: Data {
        let image = mapImage
        var file = base
        if iso != nil { file = file.addingSegment(0xE2, Self.isoName + Data(count: 4)) }
        if index != .mpf {
            file = file.addingSegment(
                0xE1,
                Self.xmp(
                    "hdrgm:Version=\"1.0\"",
                    """
                    <Container:Directory><rdf:Seq>
                    <rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="image/jpeg" Item:Semantic="Primary"/></rdf:li>
                    <rdf:li rdf:parseType="Resource">
                      <Container:Item Item:Length="\(image.count)" Item:Mime="image/jpeg" Item:Semantic="GainMap"/>
                    </rdf:li></rdf:Seq></Container:Directory>
                    """))
        }
        if index != .directory {
            let indexBytes = 4 + 4 + 8 + 2 + 24 + 4 + 16 * (2 + otherImages)
            // Offsets count from behind the name of the segment, which is the first of the file.
            let offset = file.count + indexBytes - 10
            file = file.addingSegment(0xE2, mpf(map: (place?.offset ?? offset, place?.size ?? image.count)))
        }
        return file + image
    }

    private func mpf(map: (offset: Int, size: Int)) -> Data {
        var index = Data("MPF\0MM\0*".utf8).bigEndian(8, bytes: 4).bigEndian(2, bytes: 2)
        let count = 2 + otherImages
        index = index.bigEndian(0xB001, bytes: 2).bigEndian(4, bytes: 2).bigEndian(1, bytes: 4)
        index = index.bigEndian(count, bytes: 4)
        index = index.bigEndian(0xB002, bytes: 2).bigEndian(7, bytes: 2).bigEndian(16 * count, bytes: 4)
        index = index.bigEndian(8 + 2 + 24 + 4, bytes: 4).bigEndian(0, bytes: 4)
        for number in 0..<count {
            let entry = number == count - 1 ? map : (offset: 0, size: base.count)
            index = index.bigEndian(number == 0 ? 0x030000 : 0, bytes: 4).bigEndian(entry.size, bytes: 4)
            index = index.bigEndian(entry.offset, bytes: 4).bigEndian(0, bytes: 4)
        }
        return index
    }
}

extension GainMapFile {
    /// Draws a photograph of a lamp, of which the map makes the brightest part brighter.
    static func lamp(_ width: Int, _ height: Int) throws(CodecError) -> Bitmap {
        try Bitmap.drawn(width, height) { x, y in
            let light = glow(Double(x) / Double(width), Double(y) / Double(height))
            return Pixel(UInt8(40 + 160 * light), UInt8(60 + 195 * light), UInt8(30 + 225 * light))
        }
    }

    /// Draws its map, in which red gains more than blue if it is in color.
    static func glowMap(_ width: Int, _ height: Int, inColor: Bool = false) throws(CodecError) -> Bitmap {
        try Bitmap.drawn(width, height) { x, y in
            let light = glow(Double(x) / Double(width), Double(y) / Double(height))
            let value = UInt8(250 * light)
            return inColor ? Pixel(value / 2, value, UInt8(255 * light)) : Pixel.gray(value)
        }
    }

    private static func glow(_ x: Double, _ y: Double) -> Double {
        let distance = hypot(x - 0.6, y - 0.4)
        return exp(-distance * distance * 12) * (0.8 + 0.2 * sin(40 * x) * cos(30 * y))
    }

    /// - Parameter ratio: The size of the base in relation to that of the map.
    static func make(
        _ width: Int = 320, _ height: Int = 240, ratio: Int = 4, inColor: Bool = false
    ) throws -> GainMapFile {
        let map = try glowMap(width / ratio, height / ratio, inColor: inColor)
        return GainMapFile(
            base: try JPEGFiles.make(lamp(width, height)),
            map: try JPEGFiles.make(map, sampling: inColor ? TJSAMP_444 : TJSAMP_GRAY))
    }

    /// Returns a file as iPhones write it.
    static func apple(maker: (first: Int, second: Int), headroom: Double? = nil) throws -> GainMapFile {
        var file = try make()
        file.base = file.base.addingSegment(0xE1, appleEXIF(maker.first, maker.second))
        file.iso = nil
        file.mapXML =
            "<apdi:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap</apdi:AuxiliaryImageType>"
            + "<HDRGainMap:HDRGainMapVersion>65536</HDRGainMap:HDRGainMapVersion>"
            + (headroom.map { "<HDRGainMap:HDRGainMapHeadroom>\($0)</HDRGainMap:HDRGainMapHeadroom>" } ?? "")
        return file
    }

    /// Returns an EXIF block whose maker's note has one number or two, in thousandths.
    static func appleEXIF(_ first: Int, _ second: Int?) -> Data {
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> Data {
            Data().bigEndian(tag, bytes: 2).bigEndian(type, bytes: 2).bigEndian(count, bytes: 4)
                .bigEndian(value, bytes: 4)
        }
        let numbers = [(33, first)] + (second.map { [(48, $0)] } ?? [])
        var note = Data("Apple iOS\0\0\u{1}MM".utf8).bigEndian(numbers.count, bytes: 2)
        let values = note.count + numbers.count * 12 + 4
        for (index, number) in numbers.enumerated() { note += entry(number.0, 10, 1, values + 8 * index) }
        note += Data(count: 4)
        for number in numbers { note = note.bigEndian(number.1, bytes: 4).bigEndian(1000, bytes: 4) }
        let main =
            Data("MM\0*".utf8).bigEndian(8, bytes: 4).bigEndian(1, bytes: 2) + entry(0x8769, 4, 1, 26)
            + Data(count: 4)
        let photo = Data().bigEndian(1, bytes: 2) + entry(0x927C, 7, note.count, 26 + 18) + Data(count: 4)
        return Data("Exif\0\0".utf8) + main + photo + note
    }
}
