import Foundation

/// An AVIF with a gain map: the items of the base's file, that of the map, and one for the image that both make (ISO/IEC 23008-12,
/// 6.6.2.4). Readers that do not know the last one show the base.
///
/// libavif writes such files from 1.2 on, and reads these.
struct GainMapItemFile {
    /// The AVIF of the base, as libavif writes it.
    let base: Data
    /// The AVIF of the map's samples.
    let samples: Data
    let map: GainMap
    /// The gamut of the base.
    let gamut: ColorGamut

    /// Returns the file, or that of the base if a version of libavif writes items in a form that is not known here.
    func write() -> Data {
        let numbers = [0] + map.numbers.iso
        let file: [UInt8]? = base.reading { base in
            samples.reading { samples in
                numbers.withUnsafeBytes { numbers in
                    items(ByteReader(base), ByteReader(samples), ByteReader(numbers))?.write()
                }
            }
        }
        return file.map { Data($0) } ?? base
    }

    private func items(_ base: ByteReader, _ samples: ByteReader, _ numbers: ByteReader) -> ItemFile? {
        guard let brands = base.boxes("ftyp", from: 0).first, let own = HEIFItems(base),
            let other = HEIFItems(samples), let map = other.copy(of: other.primary),
            let size = own.properties(of: own.primary)?.first(where: { $0.isOf("ispe") })
        else { return nil }
        // The base, its alpha, and its metadata.
        let (auxiliaries, descriptions) = (own.references.auxiliaries, own.references.descriptions)
        var items = [own.copy(of: own.primary)]
        items += auxiliaries[own.primary, default: []].map { own.copy(of: $0, referring: "auxl") }
        items += descriptions[own.primary, default: []].map { own.copy(of: $0, referring: "cdsc") }
        items.append(map)
        items.append(
            ItemFile.Item(
                type: "tmap", properties: [size.box.bytes] + brighter, content: [numbers],
                references: ("dimg", [1, items.count])))
        let all = items.compactMap(\.self)
        guard all.count == items.count else { return nil }
        return ItemFile(brands: brands.copy() + Array("tmap".utf8), all, primary: 1, preferred: all.count)
    }

    /// The properties of the brighter image: its bits, and its colors in PQ, to whose primaries the gain applies unless it
    /// applies to the base's.
    private var brighter: [[UInt8]] {
        let bits = ItemFile.box("pixi", [0, 0, 0, 0, 3, 10, 10, 10])
        let primaries = map.profile == nil ? gamut.primaries : map.primaries
        guard let primaries else { return [bits, ItemFile.box("colr", Array("prof".utf8) + (map.profile ?? []))] }
        let (pq, matrix, fullRange): (UInt8, UInt8, UInt8) = (16, 6, 0x80)
        return [
            bits, ItemFile.box("colr", Array("nclx".utf8) + [0, UInt8(primaries), 0, pq, 0, matrix, fullRange]),
        ]
    }
}

extension HEIFItems {
    /// Returns an item with its properties for another file, with a reference to the first item there; `nil` if bytes are missing.
    fileprivate func copy(of item: Int, referring reference: String? = nil) -> ItemFile.Item? {
        guard let type = type(of: item), let properties = properties(of: item), let location = location(of: item),
            location.extents.allSatisfy({ $0.upperBound <= location.source.count })
        else { return nil }
        return ItemFile.Item(
            type: String(decoding: type.copy(), as: UTF8.self), properties: properties.map(\.box.bytes),
            content: location.extents.map { location.source.slice($0) }, references: reference.map { ($0, [1]) })
    }
}

extension ByteReader.Box {
    /// The box, with its header.
    fileprivate var bytes: [UInt8] { ItemFile.box(String(decoding: type.copy(), as: UTF8.self), content.copy()) }
}
