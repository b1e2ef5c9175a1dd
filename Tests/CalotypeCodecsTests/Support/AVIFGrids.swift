import CAvif
import CalotypeCodecs
import Foundation
import Testing

extension AVIFFile {
    /// Encodes a grid of one row, whose tiles have this width.
    func encodedGrid(_ bitmap: Bitmap, tileWidth: Int) throws -> Data {
        let encoder = try #require(avifEncoderCreate())
        defer { avifEncoderDestroy(encoder) }
        (encoder.pointee.speed, encoder.pointee.minQuantizer, encoder.pointee.maxQuantizer) = (10, 0, 2)
        (encoder.pointee.minQuantizerAlpha, encoder.pointee.maxQuantizerAlpha) = (0, 2)
        let columns = bitmap.width / tileWidth
        var tiles: [UnsafePointer<avifImage>?] = []
        defer { for tile in tiles { avifImageDestroy(UnsafeMutablePointer(mutating: tile)) } }
        for column in 0..<columns {
            let tile = try #require(
                avifImageCreate(UInt32(tileWidth), UInt32(bitmap.height), depth, AVIF_PIXEL_FORMAT_YUV444))
            tiles.append(tile)
            describe(tile)
            let rect = PixelRect(x: column * tileWidth, y: 0, width: tileWidth, height: bitmap.height)
            try fill(tile, bitmap.cropped(to: rect))
        }
        let flags = AVIF_ADD_IMAGE_FLAG_SINGLE.rawValue
        try #require(avifEncoderAddImageGrid(encoder, UInt32(columns), 1, &tiles, flags) == AVIF_RESULT_OK)
        var file = avifRWData()
        defer { avifRWDataFree(&file) }
        try #require(avifEncoderFinish(encoder, &file) == AVIF_RESULT_OK)
        return Data(bytes: try #require(file.data), count: file.size)
    }
}

/// The references of an AVIF that libavif has written: IDs have two bytes, and offsets four.
struct AVIFReferenceBox {
    struct Reference {
        var type: String
        var from: Int
        var to: [Int]
    }

    var references: [Reference] = []
    private let file: Data
    private let range: Range<Int>

    init(_ file: Data) throws {
        self.file = file
        let start = try #require(file.range(of: Data("iref".utf8))).lowerBound - 4
        range = start..<start + file.number(start, 4)
        var offset = start + 12
        while offset < range.upperBound {
            let count = file.number(offset + 10, 2)
            references.append(
                Reference(
                    type: String(decoding: file[offset + 4..<offset + 8], as: UTF8.self),
                    from: file.number(offset + 8, 2), to: (0..<count).map { file.number(offset + 12 + 2 * $0, 2) }))
            offset += 12 + 2 * count
        }
    }

    /// Returns the file with these references. Moves what follows, and the offsets to it.
    func written() throws -> Data {
        var box = Data("iref".utf8) + Data(count: 4)
        for reference in references {
            box = box.bigEndian(12 + 2 * reference.to.count, bytes: 4) + Data(reference.type.utf8)
            box = box.bigEndian(reference.from, bytes: 2).bigEndian(reference.to.count, bytes: 2)
            for item in reference.to { box = box.bigEndian(item, bytes: 2) }
        }
        var changed = file
        let delta = box.count + 4 - range.count
        let meta = try #require(file.range(of: Data("meta".utf8))).lowerBound - 4
        changed.replaceSubrange(
            meta..<meta + 4, with: Data().bigEndian(file.number(meta, 4) + delta, bytes: 4))
        let locations = try #require(file.range(of: Data("iloc".utf8))).upperBound
        try #require(file[locations] == 0 && file.number(locations + 4, 2) == 0x4400)
        var offset = locations + 8
        for _ in 0..<file.number(locations + 6, 2) {
            for extent in 0..<file.number(offset + 4, 2) {
                let place = offset + 6 + 8 * extent
                changed.replaceSubrange(
                    place..<place + 4, with: Data().bigEndian(file.number(place, 4) + delta, bytes: 4))
            }
            offset += 6 + 8 * file.number(offset + 4, 2)
        }
        changed.replaceSubrange(range, with: Data().bigEndian(box.count + 4, bytes: 4) + box)
        return changed
    }
}

extension Data {
    fileprivate func number(_ offset: Int, _ bytes: Int) -> Int {
        self[startIndex + offset..<startIndex + offset + bytes].reduce(0) { $0 << 8 | Int($1) }
    }

    func replacing(_ text: String, with other: String) -> Data {
        var (changed, start) = (self, startIndex)
        while let range = changed.range(of: Data(text.utf8), in: start..<changed.endIndex) {
            changed.replaceSubrange(range, with: Data(other.utf8))
            start = range.upperBound
        }
        return changed
    }
}
