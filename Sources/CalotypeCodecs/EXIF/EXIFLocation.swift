/// The search for the EXIF block in a file of any format. Swift parses the containers, so that no codec sees the file.
enum EXIFLocation {
    /// Returns the range of the block, or `nil` if the file contains none, or not in a place that its format prescribes.
    ///
    /// The block is a TIFF header with its content, optionally preceded by JPEG's "Exif" prefix. It may be damaged.
    static func range(in file: ByteReader) -> Range<Int>? {
        if file.uint16(at: 0) == 0xFFD8 { return JPEGSegments(file)?.exif }
        if file.uint32(at: 0) == 0x8950_4E47 {
            return PNGChunks(file).first { $0.name == PNGChunks.Chunk.exif && $0.end <= file.count }?.content
        }
        if file.has("RIFF", at: 0), file.has("WEBP", at: 8) { return webP(file) }
        if file.has("ftyp", at: 4) { return BoxItems(file)?.exif }
        if file.has("\0\0\0\u{C}JXL ", at: 0) {
            let box = Boxes(file, 0..<file.count).first { $0.name == "Exif" }
            return box.flatMap { afterOffset($0.content, in: file) }
        }
        if file.has("FUJIFILMCCD-RAW", at: 0) || file.has("FOVb", at: 0) { return CameraRaw(file)?.exifInPreview }
        // A TIFF is a block itself, whose first directory also describes the pixels.
        return EXIFDirectory.isBigEndian(file) == nil ? nil : 0..<file.count
    }

    private static func webP(_ file: ByteReader) -> Range<Int>? {
        var offset = 12
        while let length = file.uint32(at: offset + 4, bigEndian: false), offset + 8 + length <= file.count {
            if file.has("EXIF", at: offset) { return offset + 8..<offset + 8 + length }
            // Chunks begin at even offsets.
            offset += 8 + length + length % 2
        }
        return nil
    }

    /// Returns the block of an Exif item or box (ISO/IEC 23008-12, A.2.1), which begins with the offset of the block.
    fileprivate static func afterOffset(_ content: Range<Int>, in file: ByteReader) -> Range<Int>? {
        guard let offset = file.uint32(at: content.lowerBound), offset <= content.count - 4 else { return nil }
        return content.lowerBound + 4 + offset..<content.upperBound
    }
}

/// The items of a HEIF file (ISO/IEC 14496-12, 8.11): AVIF and HEIC.
private struct BoxItems {
    private let file: ByteReader
    private let items: Range<Int>
    private let locations: Range<Int>
    private let data: Range<Int>?

    init?(_ file: ByteReader) {
        // A "full" box begins with a version and flags, in four bytes.
        guard let meta = Boxes(file, 0..<file.count).first(where: { $0.name == "meta" })?.content, meta.count > 4 else {
            return nil
        }
        let boxes = Boxes(file, meta.dropFirst(4))
        guard let items = boxes.first(where: { $0.name == "iinf" })?.content,
            let locations = boxes.first(where: { $0.name == "iloc" })?.content
        else { return nil }
        (self.file, self.items, self.locations) = (file, items, locations)
        data = boxes.first { $0.name == "idat" }?.content
    }

    var exif: Range<Int>? {
        guard let id = exifItem, let range = range(of: id), range.upperBound <= file.count else { return nil }
        return EXIFLocation.afterOffset(range, in: file)
    }

    /// The number of the first item of the type "Exif".
    private var exifItem: Int? {
        let countBytes = file.uint8(at: items.lowerBound) == 0 ? 2 : 4
        for entry in Boxes(file, items.dropFirst(4 + countBytes)) where entry.name == "infe" {
            let start = entry.content.lowerBound
            guard let version = file.uint8(at: start), version == 2 || version == 3 else { continue }
            let idBytes = version == 2 ? 2 : 4
            if file.has("Exif", at: start + 4 + idBytes + 2) { return number(at: start + 4, bytes: idBytes) }
        }
        return nil
    }

    /// Returns the item's bytes, or `nil` if they lie in several pieces or in another file.
    private func range(of wanted: Int) -> Range<Int>? {
        guard let version = file.uint8(at: locations.lowerBound), version < 3,
            let sizes = file.uint16(at: locations.lowerBound + 4)
        else { return nil }
        let (offsetBytes, lengthBytes, baseBytes) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexBytes = version == 0 ? 0 : sizes & 15
        let idBytes = version < 2 ? 2 : 4
        var place = locations.lowerBound + 6 + idBytes
        while place < locations.upperBound {
            guard let id = number(at: place, bytes: idBytes) else { return nil }
            place += idBytes
            let method = version == 0 ? 0 : file.uint16(at: place).map { $0 & 15 }
            place += version == 0 ? 2 : 4
            let base = number(at: place, bytes: baseBytes)
            place += baseBytes
            guard let method, let base, let extents = file.uint16(at: place) else { return nil }
            place += 2
            guard id == wanted else {
                place += extents * (indexBytes + offsetBytes + lengthBytes)
                continue
            }
            guard extents == 1, let offset = number(at: place + indexBytes, bytes: offsetBytes),
                let length = number(at: place + indexBytes + offsetBytes, bytes: lengthBytes)
            else { return nil }
            return range(base + offset, length, method)
        }
        return nil
    }

    /// - Parameter method: 0 for an offset in the file, 1 for one in the "idat" box.
    private func range(_ offset: Int, _ length: Int, _ method: Int) -> Range<Int>? {
        guard method == 0 || method == 1, let whole = method == 0 ? 0..<file.count : data, offset <= whole.count,
            length <= whole.count - offset
        else { return nil }
        return whole.lowerBound + offset..<whole.lowerBound + offset + length
    }

    private func number(at offset: Int, bytes: Int) -> Int? {
        switch bytes {
        case 0: 0
        case 2: file.uint16(at: offset)
        case 4: file.uint32(at: offset)
        case 8: file.uint32(at: offset) == 0 ? file.uint32(at: offset + 4) : nil
        default: nil
        }
    }
}
