package import Foundation

/// A gain map, by which displays with a larger range show more light. Decoders ignore it.
package enum GainMap {
    /// Returns whether a file announces a gain map: an Ultra HDR JPEG, one of Apple's, HEIC and AVIF by ISO 21496-1 or as
    /// Apple writes it, or a JPEG XL in boxes.
    package static func isPresent(in data: Data) -> Bool {
        data.reading { bytes in
            let file = ByteReader(bytes)
            if let segments = JPEGSegments(file) { return segments.hasGainMap(data) }
            let metas = file.boxes("meta", from: 0)
            return metas.contains(where: \.hasGainMap) || file.isJPEGXL && !file.boxes("jhgm", from: 0).isEmpty
        }
    }
}

extension JPEGSegments {
    /// Returns whether the segments in front of the pixels name a gain map, or those of an image behind them.
    fileprivate func hasGainMap(_ data: Data) -> Bool {
        func contains(_ text: String, _ range: Range<Int>) -> Bool {
            data.dropFirst(range.lowerBound).prefix(range.count).range(of: Data(text.utf8)) != nil
        }
        return hasGainMapSegment || xmp.map { contains("http://ns.adobe.com/hdr-gain-map/", $0) } ?? false
            || hasFurtherImages && contains("hdrgainmap", scanOffset..<data.count)
    }
}

extension ByteReader {
    /// Whether a meta box has an item with a tone map (ISO/IEC 23008-12, 6.6.2.4), or Apple's auxiliary image.
    fileprivate var hasGainMap: Bool {
        let hasToneMap = boxes("iinf", from: 4).contains { list in
            list.boxes("infe", from: list.uint8(at: 0) == 0 ? 6 : 8)
                .contains { $0.has("tmap", at: $0.uint8(at: 0) == 3 ? 10 : 8) }
        }
        let properties = boxes("iprp", from: 4).flatMap { $0.boxes("ipco", from: 0) }
        return hasToneMap
            || properties.flatMap { $0.boxes("auxC", from: 0) }
                .contains { $0.has("urn:com:apple:photo:2020:aux:hdrgainmap", at: 4) }
    }
}
