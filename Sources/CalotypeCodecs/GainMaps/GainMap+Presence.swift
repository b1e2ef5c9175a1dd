package import Foundation

extension GainMap {
    /// Returns whether a file announces a gain map: an Ultra HDR JPEG, one of Apple's, HEIC and AVIF by ISO 21496-1 or as
    /// Apple writes it, or a JPEG XL in boxes.
    package static func isPresent(in data: Data) -> Bool {
        data.reading { bytes in
            let file = ByteReader(bytes)
            if let segments = JPEGSegments(file) {
                do throws(GainMapFault) {
                    return try GainMapSource.find(in: file, segments) != nil || GainMapSource.announces(file, segments)
                } catch {
                    return true
                }
            }
            return file.announcesGainMap || file.isJPEGXL && !file.boxes("jhgm", from: 0).isEmpty
        }
    }

    /// Returns the gain map of a JPEG, HEIC or AVIF, found and checked; `nil` if the file has none.
    ///
    /// - Throws: The reason why the map that the file announces is of no use.
    package static func source(in data: Data) throws(GainMapFault) -> GainMapSource? {
        try data.reading { (bytes) throws(GainMapFault) in
            let file = ByteReader(bytes)
            if let segments = JPEGSegments(file) { return try GainMapSource.find(in: file, segments) }
            return file.has("ftyp", at: 4) ? try GainMapSource.find(inItemsOf: file) : nil
        }
    }
}

extension ByteReader {
    /// Whether a HEIC or AVIF announces a gain map.
    var announcesGainMap: Bool { boxes("meta", from: 0).contains(where: \.hasGainMap) }

    /// Whether a meta box has an item with a tone map (ISO/IEC 23008-12, 6.6.2.4), or Apple's auxiliary image.
    fileprivate var hasGainMap: Bool {
        let hasToneMap = boxes("iinf", from: 4).contains { list in
            list.boxes("infe", from: list.uint8(at: 0) == 0 ? 6 : 8)
                .contains { $0.has("tmap", at: $0.uint8(at: 0) == 3 ? 10 : 8) }
        }
        let properties = boxes("iprp", from: 4).flatMap { $0.boxes("ipco", from: 0) }
        return hasToneMap
            || properties.flatMap { $0.boxes("auxC", from: 0) }
                .contains { AuxiliaryKind(content: $0).isAppleGainMap }
    }
}
