/// A camera's raw file. No decoder develops its samples: its largest preview, a JPEG that the camera made, is the image.
struct CameraRaw {
    private let file: ByteReader
    private let structure: Structure
    /// The maker, such as "NIKON CORPORATION"; `nil` if the file does not name it.
    private let maker: String?

    private enum Structure {
        /// Directories as in a TIFF: DNG, CR2, NEF, ARW, ORF, RW2, PEF and others.
        case directories
        /// Boxes as in an MP4: CR3.
        case boxes
        /// A header with the place of the preview: RAF.
        case header
        /// A heap of values with a directory at its end: CRW.
        case heap
        /// Sections with a directory at the end of the file: X3F.
        case sections
        /// The previews of other files are not looked for.
        case other
    }

    init?(_ file: ByteReader) {
        self.file = file
        if let known = Self.signatures.first(where: { file.has($0.bytes, at: $0.offset) }) {
            (structure, maker) = (known.structure, known.maker)
        } else if RawBoxes.areIn(file) {
            (structure, maker) = (.boxes, "Canon")
        } else if let tiff = RawTIFF(file), let main = tiff.first, main.isRaw || file.has("CR", at: 8) {
            (structure, maker) = (.directories, Self.name(main.text(RawDirectory.Tag.maker)))
        } else {
            return nil
        }
    }

    /// The error for a file of which nothing is shown.
    var error: CodecError { CodecError(.unsupported, "\(name) is not supported") }

    /// Returns the largest preview.
    ///
    /// - Throws: `unsupported` if the file has none, or its maker's files are not searched for one; `damaged` if it lies outside
    ///   the file, or is no JPEG.
    func preview() throws(CodecError) -> RawPreview {
        switch structure {
        case .directories:
            let directories = RawDirectories(file)
            return try largest(of: directories.places, directories.orientation)
        case .boxes:
            let boxes = RawBoxes(file)
            return try largest(of: boxes.places, boxes.orientation)
        // The orientation is in the preview alone.
        case .header: return try largest(of: Self.placeInHeader(file), nil)
        case .heap: return try largest(of: RawTail.ofCRW(file))
        case .sections: return try largest(of: RawTail.ofX3F(file))
        case .other: throw error
        }
    }

    /// The range of the EXIF block in the preview; `nil` if it has none.
    var exifInPreview: Range<Int>? {
        guard let preview = try? preview(), let exif = JPEGSegments(file.slice(preview.range))?.exif else { return nil }
        return preview.range.lowerBound + exif.lowerBound..<preview.range.lowerBound + exif.upperBound
    }

    private func largest(of tail: RawTail) throws(CodecError) -> RawPreview {
        try largest(of: tail.places, tail.orientation)
    }

    private func largest(of places: [Range<Int>], _ orientation: Int?) throws(CodecError) -> RawPreview {
        var search = PreviewSearch(file)
        for place in places { search.consider(place) }
        if let range = search.largest { return RawPreview(range: range, orientation: orientation) }
        throw switch search.problem {
        case .outside: CodecError(.damaged, "\(name) is damaged: its preview lies outside the file")
        case .noJPEG: CodecError(.damaged, "\(name) is damaged: its preview is no JPEG")
        case nil: CodecError(.unsupported, "\(name) without a preview is not supported")
        }
    }

    /// Returns the place of the preview in a RAF: its offset and its length behind the names of the camera.
    private static func placeInHeader(_ file: ByteReader) -> [Range<Int>] {
        guard let start = file.uint32(at: 84), let length = file.uint32(at: 88), length > 0 else { return [] }
        return [start..<start + length]
    }

    private var name: String { "camera RAW\(maker.map { " (\($0))" } ?? "")" }

    /// The beginnings of files that are no TIFF.
    private static let signatures: [(bytes: StaticString, offset: Int, structure: Structure, maker: String)] = [
        ("FUJIFILMCCD-RAW", 0, .header, "Fujifilm"),
        ("IIRO", 0, .directories, "Olympus"), ("IIRS", 0, .directories, "Olympus"),
        ("MMOR", 0, .directories, "Olympus"), ("IIU\0", 0, .directories, "Panasonic"),
        ("HEAPCCDR", 6, .heap, "Canon"), ("FOVb", 0, .sections, "Sigma"), ("\0MRM", 0, .other, "Minolta"),
    ]

    private static func name(_ text: [UInt8]?) -> String? {
        let bytes = (text ?? []).prefix(40).prefix { (0x20...0x7E).contains($0) }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}
