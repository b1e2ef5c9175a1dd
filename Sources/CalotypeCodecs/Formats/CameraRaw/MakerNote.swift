/// A maker's note (EXIF 3.0, 4.6.6.3), which is a directory of each maker's own tags, and the places of previews in it.
struct MakerNote {
    /// The ranges of JPEGs, which may lie outside the file.
    let places: [Range<Int>]

    /// The form of a maker's notes.
    private struct Form {
        let beginning: StaticString
        /// The offset in the note of two letters for the order of bytes; `nil` if it is always the file's.
        var order: Int?
        /// The offset of the directory in the note; `nil` if a header of a TIFF is there in place of the order.
        var directory: Int?
        /// Whether offsets count from the note, not from the file.
        var countsFromNote = false
        /// The tag of a directory in which the preview's place stands; `nil` if it stands in the note itself.
        var inner: Int?
        /// The tags of the preview's offset and length.
        let preview: [(offset: Int, length: Int)]
    }

    private static let forms = [
        Form(
            beginning: "Nikon\0", order: 10, countsFromNote: true, inner: 0x11,
            preview: [(RawDirectory.Tag.jpegOffset, RawDirectory.Tag.jpegLength)]),
        Form(
            beginning: "OLYMPUS\0", order: 8, directory: 12, countsFromNote: true, inner: 0x2020,
            preview: [(0x101, 0x102)]),
        Form(
            beginning: "OM SYSTEM\0", order: 12, directory: 16, countsFromNote: true, inner: 0x2020,
            preview: [(0x101, 0x102)]),
        Form(beginning: "OLYMP\0", directory: 8, inner: 0x2020, preview: [(0x101, 0x102)]),
        Form(beginning: "OLYMP\0", directory: 8, preview: [(0x88, 0x89), (0x1036, 0x1037)]),
        Form(beginning: "AOC\0", order: 4, directory: 6, preview: [(4, 3)]),
        // The preview's offset counts from the file, although others in this note do not.
        Form(beginning: "PENTAX \0", order: 8, directory: 10, preview: [(4, 3)]),
    ]

    /// - Parameter start: The offset of the note, which may lie outside the file.
    init(_ tiff: RawTIFF, at start: Int) {
        places = Self.forms.filter { tiff.file.has($0.beginning, at: start) }.flatMap { form in
            guard let directory = Self.directory(form, tiff, at: start) else { return [Range<Int>]() }
            return form.preview.compactMap { directory.range(at: $0.offset, $0.length) }
        }
    }

    /// Returns the directory with the preview's place.
    private static func directory(_ form: Form, _ tiff: RawTIFF, at start: Int) -> RawDirectory? {
        let main: RawDirectory?
        if let place = form.directory {
            let order = form.order.flatMap { tiff.file.uint16(at: start + $0) }
            let note = RawTIFF(
                tiff.file, bigEndian: order == 0x4D4D || order != 0x4949 && tiff.bigEndian,
                base: form.countsFromNote ? start : tiff.base)
            main = RawDirectory(note, at: start + place)
        } else {
            main = RawTIFF(tiff.file, base: start + (form.order ?? 0))?.first
        }
        guard let inner = form.inner, let main else { return main }
        return main.directoryStart(inner).flatMap { RawDirectory(main.tiff, at: $0) }
    }
}
